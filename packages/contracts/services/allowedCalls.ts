import type { AccountsDefinition } from '../gen/postrider/accounts/v1/Accounts.ts'
import type { DomainsDefinition } from '../gen/postrider/domains/v1/Domains.ts'
import type { IntakeDefinition } from '../gen/postrider/intake/v1/Intake.ts'
import type { QuotaDefinition } from '../gen/postrider/quota/v1/Quota.ts'
import type { TemplatesDefinition } from '../gen/postrider/templates/v1/Templates.ts'
import type { WebhooksDefinition } from '../gen/postrider/webhooks/v1/Webhooks.ts'
import type { CallerName, MethodNames, Service } from './service.ts'

/**
 * Methods that each service may call. The names are those of the callers' processes. A method is added together with
 * its first call, and removed one release after its last one, because processes of both releases run at the same time.
 */
export const allowedCalls = {
  gateway: {
    accounts: [
      'SignUp',
      'LogIn',
      'LogOut',
      'AuthenticateSession',
      'AuthenticateKey',
      'GetWorkspace',
      'UpdateWorkspace',
      'DeleteOwnWorkspace',
      'CreateKey',
      'ListKeys',
      'UpdateKey',
      'RevokeKey',
      'ListWorkspaces',
      'SetWorkspaceControls',
      'ListAudit',
      'RollKey',
      'DeleteWorkspace',
      'RestoreWorkspace',
      'ListUsers',
      'GetUser',
      'SetUserControls',
      'ListOperators',
      'AddOperator',
      'RemoveOperator',
      'ListMembers',
      'ChangeMember',
      'RemoveMember',
      'TransferOwnership',
      'Invite',
      'ListInvitations',
      'RevokeInvitation',
      'ResendInvitation',
      'ReadInvitation',
      'AcceptInvitation',
      'ListOwnWorkspaces',
      'CreateWorkspace',
      'SwitchWorkspace',
      'ReadLink',
      'ConfirmEmail',
      'ResendConfirmation',
      'ChangeEmail',
      'RequestPasswordReset',
      'ResetPassword',
      'SignInByLink',
      'ChangePassword',
      'StartTotp',
      'ConfirmTotp',
      'DisableTotp',
      'ListSessions',
      'RevokeSession',
      'RevokeOtherSessions',
      'GetNotifications',
      'SetNotifications',
    ],
    templates: ['Create', 'Get', 'List', 'Update', 'Delete', 'ListVersions', 'Restore', 'Preview', 'PreviewDraft'],
    quota: [
      'GetUsage',
      'SetLimits',
      'GetLimits',
      'GetPlan',
      'ChangePlan',
      'PreviewPlan',
      'ListInvoices',
      'GetInvoice',
      'SetInvoiceStatus',
      'Adjust',
      'PayInvoice',
      'OpenPortal',
      'TakePaymentEvent',
      'GetPaymentProvider',
    ],
    intake: [
      'Submit',
      'SubmitOnce',
      'StageBatch',
      'SubmitBatch',
      'Check',
      'GetEmail',
      'GetRaw',
      'ListEmails',
      'CancelEmail',
      'ResolveEmail',
      'ListCaptured',
      'GetCaptured',
      'GetRetention',
      'CreateErasure',
      'GetErasure',
      'ListEvents',
      'ReadStats',
      'RescheduleEmail',
      'GetContent',
      'ExplainEmail',
      'Validate',
      'GetTestClock',
      'MoveTestClock',
      'GetQueues',
      'CountDispatchers',
      'ListParked',
      'ReleaseParked',
      'DropParked',
    ],
    domains: ['Create', 'Get', 'List', 'Update', 'Delete', 'Verify', 'RotateKey', 'PlatformDomain'],
    webhooks: [
      'Create',
      'Get',
      'List',
      'Update',
      'Delete',
      'Test',
      'RotateSecret',
      'ListDeliveries',
      'GetDelivery',
      'Redeliver',
      'Replay',
      'GetReplay',
      'Check',
    ],
  },
  intake: {
    templates: ['Get'],
    quota: ['Reserve', 'Commit', 'Release', 'ListPending', 'Settle', 'Probe'],
  },
  accounts: {
    intake: ['SendSystemMail'],
  },
} as const satisfies Record<
  CallerName,
  {
    accounts?: MethodNames<Service<AccountsDefinition>>
    templates?: MethodNames<Service<TemplatesDefinition>>
    quota?: MethodNames<Service<QuotaDefinition>>
    intake?: MethodNames<Service<IntakeDefinition>>
    domains?: MethodNames<Service<DomainsDefinition>>
    webhooks?: MethodNames<Service<WebhooksDefinition>>
  }
>
