/* The types of the API. `npm run gen` writes this file from docs/openapi.json. */

export interface paths {
    "/api/v1/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEmails"];
        put?: never;
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["rescheduleEmail"];
        trace?: never;
    };
    "/api/v1/emails/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRawEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEmailContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEmailHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/emails/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resolveEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTestClock"];
        put?: never;
        post: operations["moveTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/api/v1/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomains"];
        put?: never;
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDomain"];
        put?: never;
        post?: never;
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/api/v1/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/{id}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateDomainKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNewestWebhookReplay"];
        put?: never;
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay/{replay_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhookReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlan"];
        put?: never;
        post: operations["changePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/plan/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}/print": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["printInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["payInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post: operations["switchWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startTotp"];
        delete: operations["disableTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["revokeOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateNotifications"];
        trace?: never;
    };
    "/api/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete: operations["deleteOwnWorkspace"];
        options?: never;
        head?: never;
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rollApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/members/{user_id}/transfer-ownership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOwnWorkspaces"];
        put?: never;
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["leaveWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspaceControls"];
        put?: never;
        post?: never;
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch: operations["setWorkspaceControls"];
        trace?: never;
    };
    "/api/v1/operator/workspaces/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/operator/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperators"];
        put?: never;
        post: operations["addOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeOperator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperatorAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/workspaces/{id}/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAdjustment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAllInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnyInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateInvoice"];
        trace?: never;
    };
    "/api/v1/operator/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listParkedEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/parked/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseParkedEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/parked/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropParkedEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/platform-domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlatformDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operator/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SendEmail: {
            to: string[];
            subject?: string | null;
            html?: string | null;
            text?: string | null;
            template_id?: string | null;
            template_version?: number | null;
            template_vars?: Record<string, never> | null;
            from_?: string | null;
            domain_id?: string | null;
            cc?: string | string[] | null;
            bcc?: string | string[] | null;
            reply_to?: string | string[] | null;
            headers?: {
                [key: string]: string;
            } | null;
            attachments?: components["schemas"]["Attachment"][] | null;
            tags?: {
                [key: string]: string;
            } | null;
            metadata?: {
                [key: string]: string;
            } | null;
            scheduled_at?: string | null;
            expires_in?: string | number | null;
            /** @enum {string|null} */
            on_unknown?: "retry" | "hold" | null;
            /** @enum {string|null} */
            category?: "transactional" | "marketing" | null;
            topic?: string | null;
            retention?: ((string | number | null) | (number | string | null) | null) | string | number | null;
        };
        Attachment: {
            filename: string;
            content: string;
            content_type?: string | null;
            content_id?: string | null;
        };
        SendBatch: {
            messages: components["schemas"]["SendEmail"][];
        };
        RescheduleEmail: {
            scheduled_at: string;
        };
        ResolveEmail: {
            /** @enum {string} */
            as: "delivered" | "failed" | "retry";
        };
        MoveTestClock: {
            advance?: string | number | null;
            /** Format: date-time */
            at?: string | null;
        };
        CreateTemplate: {
            name: string;
            subject: string;
            html_body?: string | null;
            text_body?: string | null;
            alias?: string | null;
        };
        UpdateTemplate: {
            name?: string | null;
            subject?: string | null;
            html_body?: string | null;
            text_body?: string | null;
            alias?: string | null;
        };
        RestoreTemplate: {
            version: number;
        };
        PreviewTemplate: {
            template_vars?: Record<string, never> | null;
            version?: number | null;
        };
        PreviewDraft: {
            subject: string;
            html_body?: string | null;
            text_body?: string | null;
            template_vars?: Record<string, never> | null;
        };
        CreateDomain: {
            name: string;
        };
        UpdateDomain: {
            subdomains?: boolean | null;
        };
        CreateWebhook: {
            url: string;
            events?: ("email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled")[] | null;
            description?: string | null;
            enabled?: boolean | null;
            /** @enum {string|null} */
            mode?: "live" | "test" | null;
        };
        UpdateWebhook: {
            url?: string | null;
            events?: ("email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled")[] | null;
            description?: string | null;
            enabled?: boolean | null;
        };
        TestWebhook: {
            /** @enum {string|null} */
            type?: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled" | null;
        };
        ReplayWebhook: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to?: string | null;
        };
        ChangePlan: {
            /** @enum {string} */
            plan: "free" | "pro";
        };
        SignUp: {
            email: string;
            /** Format: password */
            password: string;
            workspace_name: string;
            code?: string | null;
        };
        LogIn: {
            email: string;
            /** Format: password */
            password: string;
            code?: string | null;
        };
        SwitchWorkspace: {
            workspace: string;
        };
        ConfirmEmail: {
            token: string;
        };
        ChangeEmail: {
            email: string;
            /** Format: password */
            password: string;
        };
        RequestPasswordReset: {
            email: string;
        };
        ResetPassword: {
            token: string;
            /** Format: password */
            password: string;
        };
        ChangePassword: {
            /** Format: password */
            current: string;
            /** Format: password */
            password: string;
        };
        DisableTotp: {
            code: string;
        };
        ConfirmTotp: {
            code: string;
        };
        UpdateNotifications: {
            quota?: boolean | null;
            domains?: boolean | null;
            webhooks?: boolean | null;
            reputation?: boolean | null;
            sign_in?: boolean | null;
        };
        UpdateWorkspace: {
            name?: string | null;
            sender_name?: string | null;
            postal_address?: string | null;
            /** @enum {string|null} */
            on_unknown?: "retry" | "hold" | null;
            retention?: (((string | number) | (number | string)) | string | number) | null;
            spending_cap_usd?: number | string | null;
            require_totp?: boolean | null;
        };
        DeleteWorkspace: {
            /** Format: password */
            password: string;
        };
        CreateApiKey: {
            name: string;
            scopes?: ("emails:send" | "emails:read" | "templates:write" | "templates:read" | "domains:write" | "domains:read" | "webhooks:write" | "webhooks:read" | "suppressions:write" | "suppressions:read")[] | null;
            /** @enum {string|null} */
            mode?: "live" | "test" | null;
            /** Format: date-time */
            expires_at?: string | null;
            domains?: string[] | null;
            networks?: string[] | null;
            recipients?: string[] | null;
        };
        UpdateApiKey: {
            name?: string | null;
            scopes?: ("emails:send" | "emails:read" | "templates:write" | "templates:read" | "domains:write" | "domains:read" | "webhooks:write" | "webhooks:read" | "suppressions:write" | "suppressions:read")[] | null;
            expires_at?: string | null;
            domains?: string[] | null;
            networks?: string[] | null;
            recipients?: string[] | null;
        };
        RollApiKey: {
            overlap?: string | null;
        };
        UpdateMember: {
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
        };
        Invite: {
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
        };
        AcceptInvitation: {
            token: string;
            /** Format: password */
            password?: string | null;
            code?: string | null;
        };
        CreateWorkspace: {
            name: string;
        };
        CreateErasure: {
            address: string;
        };
        UpdateWorkspaceControls: {
            limits?: {
                monthly?: (number | "plan") | null;
                daily?: (number | "plan") | null;
                rate?: (number | "plan") | null;
                burst?: (number | "plan") | null;
            } | null;
            /** @enum {string|null} */
            plan?: "free" | "pro" | "unlimited" | null;
            suspended?: boolean | null;
            reason?: string | null;
            note?: string | null;
        };
        UpdateUser: {
            disabled: boolean;
            reason?: string | null;
        };
        AddOperator: {
            email: string;
        };
        CreateAdjustment: {
            sends?: number | null;
            amount_usd?: string | null;
            reason: string;
        };
        UpdateInvoice: {
            /** @enum {string} */
            status: "paid" | "void";
            reason?: string | null;
        };
        EmailEventPayload: {
            id: string;
            /** @enum {string} */
            type: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed";
            /** Format: date-time */
            timestamp: string;
            data: {
                email_id: string;
                recipient: string | null;
                sequence: number;
                /** @enum {string} */
                mode: "live" | "test";
                category: string;
                message_id: string;
                reply: string | null;
                class: string | null;
                cause: {
                    /** @enum {string} */
                    type: "request" | "attempt" | "reply" | "connection" | "system";
                    actor?: {
                        /** @enum {string} */
                        type: "user" | "key" | "operator" | "system";
                        id: string | null;
                    };
                    attempt_id?: string | null;
                    code?: number;
                    enhanced_code?: string | null;
                    /** @enum {string} */
                    reason?: "expired" | "suppressed" | "held" | "hold_ended" | "worker_died" | "gate_closed" | "tried_alone" | "simulated";
                } | null;
                tags: {
                    [key: string]: string;
                };
                metadata: {
                    [key: string]: string;
                };
            };
        };
        DomainEventPayload: {
            id: string;
            /** @enum {string} */
            type: "domain.verified" | "domain.failed";
            /** Format: date-time */
            timestamp: string;
            data: {
                domain_id: string;
                name: string;
                status: string;
                sequence: number;
                /** Format: date-time */
                changed_at: string;
                problems: {
                    purpose: string;
                    type: string;
                    name: string;
                    status: string;
                    problem: string | null;
                }[];
            };
        };
        QuotaEventPayload: {
            id: string;
            /** @enum {string} */
            type: "quota.warning" | "quota.exhausted";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** @enum {string} */
                period: "daily" | "monthly";
                /** Format: date-time */
                starts_at: string;
                /** Format: date-time */
                resets_at: string;
                limit: number;
                used: number;
                remaining: number;
                threshold_percent: number;
            };
        };
        WebhookDisabledPayload: {
            id: string;
            /** @enum {string} */
            type: "webhook.disabled";
            /** Format: date-time */
            timestamp: string;
            data: {
                webhook_id: string;
                url: string;
                reason: string;
                /** Format: date-time */
                disabled_at: string;
            };
        };
        Email: {
            /** @constant */
            object: "email";
            id: string;
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "partially_delivered";
            /** @enum {string} */
            mode: "live" | "test";
            /** Format: date-time */
            created_at: string;
            scheduled_at: string | null;
            expires_at: string | null;
            from_: string;
            to: string[];
            cc: string[];
            bcc: string[];
            reply_to: string[];
            subject: string;
            template_id: string | null;
            template_version: number | null;
            domain_id: string | null;
            /** @enum {string} */
            category: "transactional" | "marketing";
            topic: string | null;
            /** @enum {string} */
            on_unknown: "retry" | "hold";
            tags: {
                [key: string]: string;
            };
            metadata: {
                [key: string]: string;
            };
            message_id: string;
            notices: string[];
            recipients: components["schemas"]["Recipient"][];
            retention: (("none" | "metadata") | number) | null;
            content_removed_at: string | null;
            attachments_removed_at: string | null;
        };
        Recipient: {
            address: string;
            /** @enum {string} */
            kind: "to" | "cc" | "bcc";
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "complained";
            class: ("invalid" | "full" | "policy" | "reputation" | "content" | "transient" | "unknown") | null;
            reply: string | null;
            next_at: string | null;
        };
        EmailList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Email"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Batch: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Email"] | components["schemas"]["BatchResult"])[];
        };
        BatchResult: {
            index: number;
            status: number;
            email?: components["schemas"]["Email"];
            error?: {
                type: string;
                title: string;
                status: number;
                detail: string;
                code: string;
                errors: {
                    path: string;
                    code: string;
                    message: string;
                }[];
            };
        };
        Validation: {
            /** @constant */
            object: "validation";
            would_send: boolean;
            problems: {
                code: string;
                path?: string;
                message: string;
            }[];
        };
        EmailDetail: {
            /** @constant */
            object: "email";
            id: string;
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "partially_delivered";
            /** @enum {string} */
            mode: "live" | "test";
            /** Format: date-time */
            created_at: string;
            scheduled_at: string | null;
            expires_at: string | null;
            from_: string;
            to: string[];
            cc: string[];
            bcc: string[];
            reply_to: string[];
            subject: string;
            template_id: string | null;
            template_version: number | null;
            domain_id: string | null;
            /** @enum {string} */
            category: "transactional" | "marketing";
            topic: string | null;
            /** @enum {string} */
            on_unknown: "retry" | "hold";
            tags: {
                [key: string]: string;
            };
            metadata: {
                [key: string]: string;
            };
            message_id: string;
            notices: string[];
            recipients: components["schemas"]["Recipient"][];
            retention: (("none" | "metadata") | number) | null;
            content_removed_at: string | null;
            attachments_removed_at: string | null;
            attempts: components["schemas"]["Attempt"][];
            events: components["schemas"]["EmailEvent"][];
        };
        Attempt: {
            id: string;
            /** Format: date-time */
            at: string;
            host: string;
            recipients: string[];
            outcome: ("delivered" | "deferred" | "bounced" | "partial" | "unknown" | "lost") | null;
            reply: string | null;
            possible_duplicate: boolean;
            steps: {
                name: string;
                command: string;
                reply: string;
                duration_ms: number;
            }[];
        };
        EmailEvent: {
            id: string;
            /** @enum {string} */
            type: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed";
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            recipient: string | null;
            reply: string | null;
            class: ("invalid" | "full" | "policy" | "reputation" | "content" | "transient" | "unknown") | null;
            cause: {
                /** @enum {string} */
                type: "request" | "attempt" | "reply" | "connection" | "system";
                actor?: {
                    /** @enum {string} */
                    type: "user" | "key" | "operator" | "system";
                    id: string | null;
                };
                attempt_id?: string | null;
                code?: number;
                enhanced_code?: string | null;
                /** @enum {string} */
                reason?: "expired" | "suppressed" | "held" | "hold_ended" | "worker_died" | "gate_closed" | "tried_alone" | "simulated";
            } | null;
        };
        EmailContent: {
            /** @constant */
            object: "email_content";
            id: string;
            subject: string;
            html: string | null;
            text: string | null;
            headers: {
                [key: string]: string;
            };
            attachments: {
                filename: string;
                content_type: string;
                content_id: string | null;
                size: number | null;
            }[];
            attachments_removed_at: string | null;
        };
        EmailExplanation: {
            /** @constant */
            object: "email_explanation";
            id: string;
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "partially_delivered";
            route: {
                name: string | null;
                reason: ("operator_route" | "test_mode" | "magic_recipient") | null;
                detail: string;
            } | null;
            next_attempt: components["schemas"]["NextAttempt"];
            expires_at: string | null;
            recipients: components["schemas"]["ExplainedRecipient"][];
            attempts: components["schemas"]["ExplainedAttempt"][];
        };
        NextAttempt: {
            at: string | null;
            /** @enum {string} */
            reason: "scheduled" | "due" | "in_progress" | "retry" | "held" | "worker_died" | "gate_closed" | "tried_alone" | "resolved" | "workspace_suspended" | "parked" | "decision_needed" | "final";
            detail: string;
        };
        ExplainedRecipient: {
            address: string;
            /** @enum {string} */
            kind: "to" | "cc" | "bcc";
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "complained";
            route: {
                name: string | null;
                reason: ("operator_route" | "test_mode" | "magic_recipient") | null;
                detail: string;
            } | null;
            class: ("invalid" | "full" | "policy" | "reputation" | "content" | "transient" | "unknown") | null;
            rule: {
                id: string | null;
                source: string | null;
                changed: ("about_us" | "names_sender") | null;
            } | null;
            reply: string | null;
            tries: number;
            next_attempt: components["schemas"]["NextAttempt"];
        };
        ExplainedAttempt: {
            id: string;
            /** Format: date-time */
            at: string;
            duration_ms: number | null;
            route: {
                name: string | null;
                reason: ("operator_route" | "test_mode" | "magic_recipient") | null;
                detail: string;
            } | null;
            mx: Record<string, never>[] | null;
            host: string;
            address: string | null;
            connection_reused: boolean | null;
            encrypted: boolean | null;
            tls: {
                version: string;
                cipher: string;
                verified: boolean;
                problem: string | null;
            } | null;
            tls_failure: string | null;
            recipients: string[];
            outcome: ("delivered" | "deferred" | "bounced" | "partial" | "unknown" | "lost") | null;
            reply: string | null;
            possible_duplicate: boolean;
            timings: {
                wait_ms: number | null;
                connect_ms: number | null;
                tls_ms: number | null;
                session_ms: number | null;
                envelope_ms: number | null;
                body_ms: number | null;
                gate_ms: number | null;
                final_dot_ms: number | null;
            } | null;
            conversation: {
                name: string;
                command: string;
                reply: string;
                duration_ms: number;
            }[];
            refusals: {
                recipients: string[];
                /** @enum {string} */
                class: "invalid" | "full" | "policy" | "reputation" | "content" | "transient" | "unknown";
                phase: string | null;
                rule: {
                    id: string | null;
                    source: string | null;
                    changed: ("about_us" | "names_sender") | null;
                } | null;
            }[] | null;
        };
        TestClock: {
            /** @constant */
            object: "test_clock";
            /** Format: date-time */
            now: string;
            ahead_ms: number;
            /** @enum {string} */
            status: "ready" | "advancing";
            due_emails: number;
            due_webhooks: number;
        };
        EventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Event: {
            /** @constant */
            object: "event";
            id: string;
            /** @enum {string} */
            type: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled";
            /** Format: date-time */
            timestamp: string;
            data: Record<string, never>;
        };
        EmailStats: {
            /** @constant */
            object: "email_stats";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            bucket: "hour" | "day";
            /** @enum {string} */
            by: "status" | "category" | "tag" | "destination";
            mode: ("live" | "test") | null;
            /** Format: date-time */
            complete_until: string;
            data: {
                /** Format: date-time */
                at: string;
                group: string | null;
                accepted: number;
                statuses: {
                    scheduled: number;
                    queued: number;
                    sending: number;
                    deferred: number;
                    unknown: number;
                    delivered: number;
                    bounced: number;
                    failed: number;
                    suppressed: number;
                    canceled: number;
                    complained: number;
                };
                first_attempt: {
                    count: number;
                    p50_ms: number | null;
                    p95_ms: number | null;
                    p99_ms: number | null;
                };
                delivery: {
                    count: number;
                    p50_ms: number | null;
                    p95_ms: number | null;
                    p99_ms: number | null;
                };
            }[];
            totals: {
                group: string | null;
                accepted: number;
                statuses: {
                    scheduled: number;
                    queued: number;
                    sending: number;
                    deferred: number;
                    unknown: number;
                    delivered: number;
                    bounced: number;
                    failed: number;
                    suppressed: number;
                    canceled: number;
                    complained: number;
                };
                first_attempt: {
                    count: number;
                    p50_ms: number | null;
                    p95_ms: number | null;
                    p99_ms: number | null;
                };
                delivery: {
                    count: number;
                    p50_ms: number | null;
                    p95_ms: number | null;
                    p99_ms: number | null;
                };
            }[];
        };
        Template: {
            /** @constant */
            object: "template";
            id: string;
            name: string;
            alias: string | null;
            subject: string;
            variables: string[];
            version: number;
            notices: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            html_body: string | null;
            text_body: string | null;
        };
        TemplateList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["TemplateSummary"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        TemplateSummary: {
            /** @constant */
            object: "template";
            id: string;
            name: string;
            alias: string | null;
            subject: string;
            variables: string[];
            version: number;
            notices: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TemplatePreview: {
            /** @constant */
            object: "template_preview";
            template_id: string | null;
            template_version: number | null;
            subject: string;
            html_body: string | null;
            text_body: string | null;
            variables: string[];
            notices: string[];
        };
        Domain: {
            /** @constant */
            object: "domain";
            id: string;
            name: string;
            /** @enum {string} */
            status: "pending" | "verified" | "warning" | "failed";
            subdomains: boolean;
            /** Format: date-time */
            created_at: string;
            verified_at: string | null;
            checked_at: string | null;
            records: components["schemas"]["DnsRecord"][];
        };
        DnsRecord: {
            /** @enum {string} */
            purpose: "ownership" | "dkim" | "return_path_mx" | "return_path_spf" | "dmarc";
            /** @enum {string} */
            type: "TXT" | "MX";
            name: string;
            value: string;
            priority?: number;
            required: boolean;
            /** @enum {string} */
            status: "found" | "missing" | "wrong" | "unknown";
            found: string | null;
            problem?: string;
        };
        DomainList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Domain"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WebhookWithSecret: {
            /** @constant */
            object: "webhook";
            id: string;
            url: string;
            events: ("email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled")[];
            description: string;
            /** @enum {string} */
            mode: "live" | "test";
            enabled: boolean;
            disabled_reason: ("request" | "gone" | "failures") | null;
            failing_since: string | null;
            former_secret_expires_at: string | null;
            replay: components["schemas"]["WebhookReplay"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            secret: string;
        };
        WebhookReplay: {
            /** @constant */
            object: "webhook_replay";
            id: string;
            webhook_id: string;
            /** @enum {string} */
            status: "running" | "done" | "canceled";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            position: string | null;
            progress: number;
            sent: number;
            delivered: number;
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
        };
        WebhookList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Webhook"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Webhook: {
            /** @constant */
            object: "webhook";
            id: string;
            url: string;
            events: ("email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled")[];
            description: string;
            /** @enum {string} */
            mode: "live" | "test";
            enabled: boolean;
            disabled_reason: ("request" | "gone" | "failures") | null;
            failing_since: string | null;
            former_secret_expires_at: string | null;
            replay: components["schemas"]["WebhookReplay"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookDelivery: {
            /** @constant */
            object: "webhook_delivery";
            id: string;
            webhook_id: string;
            event_id: string;
            /** @enum {string} */
            type: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled";
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "canceled";
            reason: string | null;
            test: boolean;
            attempts: components["schemas"]["WebhookAttempt"][];
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookAttempt: {
            /** Format: date-time */
            at: string;
            status_code: number | null;
            duration_ms: number;
            error?: string;
            response: {
                body: string;
                truncated: boolean;
            } | null;
        };
        WebhookDeliveryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookDelivery"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WebhookDeliveryWithRequest: {
            /** @constant */
            object: "webhook_delivery";
            id: string;
            webhook_id: string;
            event_id: string;
            /** @enum {string} */
            type: "email.accepted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.deferred" | "email.bounced" | "email.failed" | "email.suppressed" | "email.canceled" | "email.unknown" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "domain.verified" | "domain.failed" | "quota.warning" | "quota.exhausted" | "webhook.disabled";
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "canceled";
            reason: string | null;
            test: boolean;
            attempts: components["schemas"]["WebhookAttempt"][];
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
            request: {
                url: string;
                headers: {
                    [key: string]: string;
                };
                body: string;
                truncated: boolean;
            } | null;
        };
        Usage: {
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            monthly: {
                limit: number | null;
                used: number;
                remaining: number | null;
            };
            daily: {
                limit: number | null;
                used: number;
                remaining: number | null;
                /** Format: date-time */
                resets_at: string;
            };
            overage: {
                allowed: boolean;
                sends: number;
                blocks: number;
                amount_usd: string;
                cap_usd: string | null;
            };
            overrides: {
                monthly: (number | "plan") | null;
                daily: (number | "plan") | null;
            };
            history: {
                date: string;
                sends: number;
            }[];
            pending_plan: ("free" | "pro" | "unlimited") | null;
            changes_at: string | null;
        };
        PlanList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Plan"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Plan: {
            /** @constant */
            object: "plan";
            /** @enum {string} */
            id: "free" | "pro" | "unlimited";
            name: string;
            price_usd: string;
            monthly: number | null;
            daily: number | null;
            overage: {
                per: number;
                price_usd: string;
            } | null;
            current: boolean;
        };
        Subscription: {
            /** @constant */
            object: "subscription";
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            pending_plan: ("free" | "pro" | "unlimited") | null;
            changes_at: string | null;
            checkout_url: string | null;
            /** @enum {string} */
            payment: "page" | "outside";
            portal: boolean;
        };
        PlanPreview: {
            /** @constant */
            object: "plan_preview";
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            /** @enum {string} */
            effect: "none" | "upgrade" | "downgrade" | "revoke";
            begins_at: string | null;
            lines: components["schemas"]["InvoiceLine"][];
            total_usd: string;
            due_usd: string;
            limits: {
                monthly: number | null;
                daily: number | null;
            };
        };
        InvoiceLine: {
            description: string;
            quantity: number;
            unit_usd: string;
            amount_usd: string;
        };
        InvoiceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Invoice"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Invoice: {
            /** @constant */
            object: "invoice";
            id: string;
            number: string;
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            lines: components["schemas"]["InvoiceLine"][];
            total_usd: string;
            /** @enum {string} */
            status: "open" | "paid" | "void";
            /** Format: date-time */
            issued_at: string;
            paid_at: string | null;
        };
        Link: {
            /** @constant */
            object: "link";
            url: string;
        };
        Session: {
            user: {
                id: string;
                email: string;
                email_confirmed: boolean;
                totp_enabled: boolean;
                operator: boolean;
            };
            workspace: {
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "pro" | "unlimited";
                require_totp: boolean;
                sender: string;
            };
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            csrf_token: string;
        };
        EmailAddress: {
            /** @constant */
            object: "email_address";
            email: string;
            email_confirmed: boolean;
        };
        MailRequest: {
            /** @constant */
            object: "mail_request";
            detail: string;
        };
        TotpSecret: {
            /** @constant */
            object: "totp";
            secret: string;
            uri: string;
            qr_svg: string;
        };
        TotpEnabled: {
            user: {
                id: string;
                email: string;
                email_confirmed: boolean;
                totp_enabled: boolean;
                operator: boolean;
            };
            workspace: {
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "pro" | "unlimited";
                require_totp: boolean;
                sender: string;
            };
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            csrf_token: string;
            /** @constant */
            object: "totp";
            recovery_codes: string[];
        };
        SessionEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["SessionEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        SessionEntry: {
            /** @constant */
            object: "session";
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
            device: string | null;
            address: string | null;
            current: boolean;
        };
        RevokedSessions: {
            /** @constant */
            object: "revoked_sessions";
            count: number;
        };
        NotificationPreferences: {
            /** @constant */
            object: "notification_preferences";
            workspace: string;
            quota: boolean;
            domains: boolean;
            webhooks: boolean;
            reputation: boolean;
            sign_in: boolean;
        };
        Workspace: {
            /** @constant */
            object: "workspace";
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            sender: string;
            sender_name: string;
            postal_address: string;
            /** @enum {string} */
            on_unknown: "retry" | "hold";
            retention: (("none" | "metadata") | number) | null;
            spending_cap_usd: string | null;
            require_totp: boolean;
            suspended: boolean;
            suspended_reason: string | null;
            deletes_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CreatedApiKey: {
            /** @constant */
            object: "api_key";
            id: string;
            name: string;
            scopes: ("emails:send" | "emails:read" | "templates:write" | "templates:read" | "domains:write" | "domains:read" | "webhooks:write" | "webhooks:read" | "suppressions:write" | "suppressions:read")[];
            /** @enum {string} */
            mode: "live" | "test";
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            last_used_from: string | null;
            unused_since: string | null;
            notices: string[];
            rolled_to: string | null;
            rolled_from: string | null;
            revoked_at: string | null;
            domains: string[];
            networks: string[];
            recipients: string[];
            key: string;
        };
        ApiKeyList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKey"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ApiKey: {
            /** @constant */
            object: "api_key";
            id: string;
            name: string;
            scopes: ("emails:send" | "emails:read" | "templates:write" | "templates:read" | "domains:write" | "domains:read" | "webhooks:write" | "webhooks:read" | "suppressions:write" | "suppressions:read")[];
            /** @enum {string} */
            mode: "live" | "test";
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            last_used_from: string | null;
            unused_since: string | null;
            notices: string[];
            rolled_to: string | null;
            rolled_from: string | null;
            revoked_at: string | null;
            domains: string[];
            networks: string[];
            recipients: string[];
        };
        AuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AuditEntry: {
            /** @constant */
            object: "audit_entry";
            id: string;
            /** Format: date-time */
            created_at: string;
            actor: {
                /** @enum {string} */
                type: "user" | "key" | "operator" | "system";
                id: string | null;
                email: string | null;
                name: string | null;
            };
            action: string;
            target: string | null;
            before: Record<string, never> | null;
            after: Record<string, never> | null;
            redactions?: {
                /** Format: date-time */
                redacted_at: string;
                erasure: string;
                fields: string[];
            }[];
            client_address: string | null;
        };
        MemberList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Member"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Member: {
            /** @constant */
            object: "member";
            user: {
                id: string;
                email: string;
            };
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** Format: date-time */
            joined_at: string;
            last_seen_at: string | null;
            totp_enabled: boolean | null;
        };
        Invitation: {
            /** @constant */
            object: "invitation";
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            status: "pending" | "expired";
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        InvitationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Invitation"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WorkspaceMembershipList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WorkspaceMembership"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WorkspaceMembership: {
            /** @constant */
            object: "workspace_membership";
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            current: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Erasure: {
            /** @constant */
            object: "erasure";
            id: string;
            /** @enum {string} */
            status: "running" | "done";
            emails: number;
            waiting: number;
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
        };
        WorkspaceControlsList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WorkspaceControls"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WorkspaceControls: {
            /** @constant */
            object: "workspace";
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "pro" | "unlimited";
            limits: {
                monthly: (number | "plan") | null;
                daily: (number | "plan") | null;
                rate: (number | "plan") | null;
                burst: (number | "plan") | null;
            };
            suspended: boolean;
            suspended_reason: string | null;
            deletes_at: string | null;
            note: string;
            /** Format: date-time */
            created_at: string;
        };
        UserList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["User"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        User: {
            /** @constant */
            object: "user";
            id: string;
            email: string;
            workspaces: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member" | "viewer";
            }[];
            disabled: boolean;
            disabled_reason: string | null;
            last_seen_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        OperatorList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Operator"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Operator: {
            /** @constant */
            object: "operator";
            id: string;
            email: string;
            totp_enabled: boolean;
            disabled: boolean;
            last_seen_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        OperatorAuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["OperatorAuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        OperatorAuditEntry: {
            /** @constant */
            object: "audit_entry";
            id: string;
            /** Format: date-time */
            created_at: string;
            actor: {
                /** @enum {string} */
                type: "user" | "key" | "operator" | "system";
                id: string | null;
                email: string | null;
                name: string | null;
            };
            action: string;
            target: string | null;
            before: Record<string, never> | null;
            after: Record<string, never> | null;
            redactions?: {
                /** Format: date-time */
                redacted_at: string;
                erasure: string;
                fields: string[];
            }[];
            client_address: string | null;
            workspace: string | null;
        };
        Adjustment: {
            /** @constant */
            object: "adjustment";
            id: string;
            workspace_id: string;
            month: string;
            sends: number | null;
            amount_usd: string | null;
            reason: string;
            /** Format: date-time */
            created_at: string;
        };
        OperatorInvoiceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["OperatorInvoice"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        OperatorInvoice: {
            /** @constant */
            object: "invoice";
            id: string;
            number: string;
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            lines: components["schemas"]["InvoiceLine"][];
            total_usd: string;
            /** @enum {string} */
            status: "open" | "paid" | "void";
            /** Format: date-time */
            issued_at: string;
            paid_at: string | null;
            workspace_id: string;
            reason: string;
        };
        Queues: {
            /** @constant */
            object: "queues";
            lanes: {
                /** @enum {string} */
                lane: "transactional" | "marketing";
                due: number;
                oldest_due_at: string | null;
                waiting: number;
                scheduled: number;
                test: number;
                bytes: number;
            }[];
            parked: number;
            destinations: {
                domain: string;
                recipients: number;
                due: number;
                deferred: number;
                /** Format: date-time */
                next_at: string;
            }[];
            sample: {
                emails: number;
                limit: number;
            };
        };
        ParkedEmailList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ParkedEmail"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ParkedEmail: {
            /** @constant */
            object: "parked_email";
            id: string;
            workspace_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            category: "transactional" | "marketing";
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "partially_delivered";
            /** Format: date-time */
            created_at: string;
            parked_at: string | null;
            /** @enum {string} */
            on_unknown: "retry" | "hold";
            attempts: number;
            last_attempt_at: string | null;
            may_have_arrived: boolean;
            recipients: number;
            domains: string[];
        };
        PlatformDomain: {
            /** @constant */
            object: "platform_domain";
            name: string;
            /** @enum {string} */
            status: "pending" | "verified" | "warning" | "failed";
            verified_at: string | null;
            checked_at: string | null;
            records: components["schemas"]["DnsRecord"][];
        };
        RetentionReport: {
            /** @constant */
            object: "retention_report";
            content_days: number;
            record_days: number;
            attachment_days: number;
            steps: {
                step: string;
                due: number;
                due_since: string | null;
            }[];
        };
        Health: {
            /** @constant */
            object: "health";
            /** @enum {string} */
            status: "ok" | "failing";
            parts: {
                name: string;
                /** @enum {string} */
                status: "ok" | "failing";
                processes: number | null;
                detail: string | null;
            }[];
        };
        OpenApi: {
            openapi: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            request_id: string;
            errors: {
                path: string;
                code: string;
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEmails: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "scheduled" | "queued" | "sending" | "deferred" | "unknown" | "delivered" | "bounced" | "failed" | "suppressed" | "canceled" | "partially_delivered";
                to?: string;
                from_?: string;
                subject?: string;
                template_id?: string;
                tag?: string;
                category?: "transactional" | "marketing";
                mode?: "live" | "test";
                created_after?: string;
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailList"];
                };
            };
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEmail"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
        };
    };
    sendBatch: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "Batch-Validation"?: "strict" | "permissive";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBatch"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    validateEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDetail"];
                };
            };
        };
    };
    rescheduleEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RescheduleEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDetail"];
                };
            };
        };
    };
    getRawEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    getEmailContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailContent"];
                };
            };
        };
    };
    getEmailHtml: {
        parameters: {
            query?: {
                images?: "block" | "show";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    explainEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailExplanation"];
                };
            };
        };
    };
    cancelEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDetail"];
                };
            };
        };
    };
    resolveEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDetail"];
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    moveTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveTestClock"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string;
                mode?: "live" | "test";
                order?: "asc" | "desc" | "arrival";
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    readStats: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                bucket?: "hour" | "day";
                by?: "status" | "category" | "tag" | "destination";
                mode?: "live" | "test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailStats"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTemplate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    getTemplateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    restoreTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreTemplate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewTemplate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
        };
    };
    previewDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewDraft"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomain"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDomain"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    rotateDomainKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                mode?: "live" | "test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "delivered" | "failed" | "canceled";
                event_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithRequest"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    getNewestWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    getWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanList"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePlan"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    previewPlan: {
        parameters: {
            query: {
                plan: "free" | "pro";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPreview"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                    "text/html": string;
                };
            };
        };
    };
    printInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    payInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    switchWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailAddress"];
                };
            };
        };
    };
    resendConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailRequest"];
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmail"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailRequest"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordReset"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailRequest"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    startTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecret"];
                };
            };
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTotp"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTotp"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnabled"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEntryList"];
                };
            };
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSessions"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    updateNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotifications"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    deleteOwnWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    rollApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollApiKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                actor?: string;
                action?: "adjustment.create" | "domain.create" | "domain.delete" | "domain.key" | "domain.rotate_key" | "domain.status" | "domain.update" | "email.cancel" | "email.drop" | "email.release" | "email.reschedule" | "email.resolve" | "erasure.create" | "invitation.accept" | "invitation.create" | "invitation.resend" | "invitation.revoke" | "invoice.update" | "key.create" | "key.revoke" | "key.roll" | "key.update" | "member.leave" | "member.remove" | "member.update" | "operator.add" | "operator.remove" | "payment.receive" | "plan.update" | "session.close" | "session.open" | "session.refuse" | "session.revoke" | "session.switch" | "template.create" | "template.delete" | "template.restore" | "template.update" | "test_clock.move" | "user.change_email" | "user.change_password" | "user.confirm_email" | "user.create" | "user.disable" | "user.disable_totp" | "user.enable" | "user.enable_totp" | "user.reset_password" | "user.start_totp" | "user.update_notifications" | "user.use_recovery_code" | "webhook.create" | "webhook.delete" | "webhook.redeliver" | "webhook.replay" | "webhook.rotate_secret" | "webhook.test" | "webhook.update" | "workspace.control" | "workspace.create" | "workspace.delete" | "workspace.erase" | "workspace.limits" | "workspace.restore" | "workspace.transfer" | "workspace.update" | "adjustment.*" | "domain.*" | "email.*" | "erasure.*" | "invitation.*" | "invoice.*" | "key.*" | "member.*" | "operator.*" | "payment.*" | "plan.*" | "session.*" | "template.*" | "test_clock.*" | "user.*" | "webhook.*" | "workspace.*";
                created_after?: string;
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    transferOwnership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Invite"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    listOwnWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMembershipList"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspace"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMembership"];
                };
            };
        };
    };
    leaveWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateErasure"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                plan?: "free" | "pro" | "unlimited";
                suspended?: "true" | "false";
                deleting?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceControlsList"];
                };
            };
        };
    };
    getWorkspaceControls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceControls"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceControls"];
                };
            };
        };
    };
    setWorkspaceControls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceControls"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceControls"];
                };
            };
        };
    };
    restoreWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceControls"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                disabled?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listOperators: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorList"];
                };
            };
        };
    };
    addOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddOperator"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    removeOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOperatorAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                actor?: string;
                action?: "adjustment.create" | "domain.create" | "domain.delete" | "domain.key" | "domain.rotate_key" | "domain.status" | "domain.update" | "email.cancel" | "email.drop" | "email.release" | "email.reschedule" | "email.resolve" | "erasure.create" | "invitation.accept" | "invitation.create" | "invitation.resend" | "invitation.revoke" | "invoice.update" | "key.create" | "key.revoke" | "key.roll" | "key.update" | "member.leave" | "member.remove" | "member.update" | "operator.add" | "operator.remove" | "payment.receive" | "plan.update" | "session.close" | "session.open" | "session.refuse" | "session.revoke" | "session.switch" | "template.create" | "template.delete" | "template.restore" | "template.update" | "test_clock.move" | "user.change_email" | "user.change_password" | "user.confirm_email" | "user.create" | "user.disable" | "user.disable_totp" | "user.enable" | "user.enable_totp" | "user.reset_password" | "user.start_totp" | "user.update_notifications" | "user.use_recovery_code" | "webhook.create" | "webhook.delete" | "webhook.redeliver" | "webhook.replay" | "webhook.rotate_secret" | "webhook.test" | "webhook.update" | "workspace.control" | "workspace.create" | "workspace.delete" | "workspace.erase" | "workspace.limits" | "workspace.restore" | "workspace.transfer" | "workspace.update" | "adjustment.*" | "domain.*" | "email.*" | "erasure.*" | "invitation.*" | "invoice.*" | "key.*" | "member.*" | "operator.*" | "payment.*" | "plan.*" | "session.*" | "template.*" | "test_clock.*" | "user.*" | "webhook.*" | "workspace.*";
                created_after?: string;
                created_before?: string;
                workspace?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorAuditEntryList"];
                };
            };
        };
    };
    createAdjustment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAdjustment"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
        };
    };
    listAllInvoices: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                workspace?: string;
                status?: "open" | "paid" | "void";
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorInvoiceList"];
                };
            };
        };
    };
    getAnyInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorInvoice"];
                };
            };
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateInvoice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorInvoice"];
                };
            };
        };
    };
    getQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queues"];
                };
            };
        };
    };
    listParkedEmails: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedEmailList"];
                };
            };
        };
    };
    releaseParkedEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedEmail"];
                };
            };
        };
    };
    dropParkedEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedEmail"];
                };
            };
        };
    };
    getPlatformDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformDomain"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionReport"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
        };
    };
}
