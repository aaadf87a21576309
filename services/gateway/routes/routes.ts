import { z } from 'zod'
import { openRoute, type Route } from '../route.ts'
import { createKey, listKeys, revokeKey, rollKey, updateKey } from './apiKeys.ts'
import { listAuditLog, listOperatorAuditLog } from './auditLog.ts'
import {
  changePlan,
  getInvoice,
  getPlan,
  getUsage,
  listInvoices,
  listPlans,
  openPortal,
  payInvoice,
  previewPlan,
  printInvoice,
} from './billing.ts'
import {
  createDomain,
  deleteDomain,
  getDomain,
  getPlatformDomain,
  listDomains,
  rotateDomainKey,
  updateDomain,
  verifyDomain,
} from './domains.ts'
import { explainEmail, getEmailContent, getEmailHtml } from './emailDetails.ts'
import { cancelEmail, getEmail, getRawEmail, listEmails, rescheduleEmail, resolveEmail } from './emails.ts'
import { listEvents } from './events.ts'
import { getHealth } from './health.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts'
import { listMembers, removeMember, transferOwnership, updateMember } from './members.ts'
import { getNotifications, updateNotifications } from './notifications.ts'
import { deleteWorkspace, getControls, listWorkspaces, restoreWorkspace, setControls } from './operator.ts'
import { createAdjustment, getAnyInvoice, listAllInvoices, updateInvoice } from './operatorBilling.ts'
import { dropParked, getQueues, listParked, releaseParked } from './operatorQueues.ts'
import { addOperator, listOperators, removeOperator } from './operators.ts'
import { getUser, listUsers, updateUser } from './operatorUsers.ts'
import { changeEmail, confirmEmail, resendConfirmation } from './ownEmail.ts'
import { changePassword, requestPasswordReset, resetPassword } from './ownPassword.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './ownSessions.ts'
import { createWorkspace, leaveWorkspace, listOwnWorkspaces, switchWorkspace } from './ownWorkspaces.ts'
import { createErasure, getErasure, getRetention } from './retention.ts'
import { confirmTotp, disableTotp, startTotp } from './secondFactor.ts'
import { sendBatch } from './sendBatch.ts'
import { sendEmail } from './sendEmail.ts'
import { getSession, logIn, logOut, signUp } from './sessions.ts'
import { readStats } from './stats.ts'
import { createTemplate, getTemplate, listTemplates } from './templates.ts'
import {
  deleteTemplate,
  getTemplateVersion,
  listTemplateVersions,
  previewDraft,
  previewTemplate,
  restoreTemplate,
  updateTemplate,
} from './templateVersions.ts'
import { getTestClock, moveTestClock } from './testClock.ts'
import { validateEmail } from './validateEmail.ts'
import { getDelivery, getNewestReplay, getReplay, listDeliveries, redeliver, replay } from './webhookDeliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.ts'
import { deleteOwnWorkspace, getWorkspace, updateWorkspace } from './workspace.ts'

const getOpenapi = openRoute({
  name: 'getOpenapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  open: true,
  tag: 'About',
  summary: 'Read this document',
  limit: null,
  reply: {
    status: 200,
    body: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApi' }),
    description: 'OpenAPI 3.1, made from the schemas that check requests.',
  },
  replyHeaders: {
    ETag: 'Name of these bytes. A request with it in `If-None-Match` gets 304 without a body until they change.',
  },
  handle: async (_request, { documents }) => ({ file: (await documents()).openapi }),
})

/**
 * Every operation of the API, in the order of the API reference.
 *
 * Who may call it (each route states it as `scope`, `session`, `operator` or `open`; steps/access.ts enforces it, and
 * routes.test.ts compares this table with the routes):
 *
 * | operation | access |
 * |---|---|
 * | POST /api/v1/emails | key or session with emails:send |
 * | POST /api/v1/emails/batch | key or session with emails:send |
 * | POST /api/v1/emails/validate | key or session with emails:send |
 * | GET /api/v1/emails | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id/raw | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id/content | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id/html | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id/explain | key or session with emails:read or emails:send |
 * | PATCH /api/v1/emails/:id | key or session with emails:send |
 * | POST /api/v1/emails/:id/cancel | key or session with emails:send |
 * | POST /api/v1/emails/:id/resolve | key or session with emails:send |
 * | GET /api/v1/test/clock | key or session with emails:send |
 * | POST /api/v1/test/clock | key or session with emails:send |
 * | GET /api/v1/events | key or session with emails:read |
 * | GET /api/v1/stats/emails | key or session with emails:read |
 * | POST /api/v1/templates | key or session with templates:write |
 * | GET /api/v1/templates | key or session with templates:read or templates:write |
 * | GET /api/v1/templates/:id | key or session with templates:read or templates:write |
 * | PATCH /api/v1/templates/:id | key or session with templates:write |
 * | DELETE /api/v1/templates/:id | key or session with templates:write |
 * | GET /api/v1/templates/:id/versions | key or session with templates:read or templates:write |
 * | GET /api/v1/templates/:id/versions/:version | key or session with templates:read or templates:write |
 * | POST /api/v1/templates/:id/restore | key or session with templates:write |
 * | POST /api/v1/templates/:id/preview | key or session with templates:read or templates:write |
 * | POST /api/v1/templates/preview | key or session with templates:read or templates:write |
 * | POST /api/v1/domains | key or session with domains:write |
 * | GET /api/v1/domains | key or session with domains:read or domains:write |
 * | GET /api/v1/domains/:id | key or session with domains:read or domains:write |
 * | PATCH /api/v1/domains/:id | key or session with domains:write |
 * | DELETE /api/v1/domains/:id | key or session with domains:write |
 * | POST /api/v1/domains/:id/verify | key or session with domains:write |
 * | POST /api/v1/domains/:id/rotate-key | key or session with domains:write |
 * | POST /api/v1/webhooks | key or session with webhooks:write |
 * | GET /api/v1/webhooks | key or session with webhooks:read or webhooks:write |
 * | GET /api/v1/webhooks/:id | key or session with webhooks:read or webhooks:write |
 * | PATCH /api/v1/webhooks/:id | key or session with webhooks:write |
 * | DELETE /api/v1/webhooks/:id | key or session with webhooks:write |
 * | POST /api/v1/webhooks/:id/test | key or session with webhooks:write |
 * | POST /api/v1/webhooks/:id/rotate-secret | key or session with webhooks:write |
 * | GET /api/v1/webhooks/:id/deliveries | key or session with webhooks:read or webhooks:write |
 * | GET /api/v1/webhooks/:id/deliveries/:delivery_id | key or session with webhooks:read or webhooks:write |
 * | POST /api/v1/webhooks/:id/deliveries/:delivery_id/redeliver | key or session with webhooks:write |
 * | POST /api/v1/webhooks/:id/replay | key or session with webhooks:write |
 * | GET /api/v1/webhooks/:id/replay | key or session with webhooks:read or webhooks:write |
 * | GET /api/v1/webhooks/:id/replay/:replay_id | key or session with webhooks:read or webhooks:write |
 * | GET /api/v1/billing/usage | session |
 * | GET /api/v1/billing/plans | session |
 * | GET /api/v1/billing/plan | session |
 * | GET /api/v1/billing/plan/preview | session |
 * | POST /api/v1/billing/plan | session |
 * | GET /api/v1/billing/invoices | session |
 * | GET /api/v1/billing/invoices/:id | session |
 * | GET /api/v1/billing/invoices/:id/print | session |
 * | POST /api/v1/billing/invoices/:id/pay | session |
 * | POST /api/v1/billing/portal | session |
 * | POST /api/v1/auth/signup | open |
 * | POST /api/v1/auth/login | open |
 * | POST /api/v1/auth/logout | session |
 * | GET /api/v1/auth/session | session |
 * | POST /api/v1/auth/email/confirm | open |
 * | POST /api/v1/auth/email/resend | session |
 * | POST /api/v1/auth/email | session |
 * | POST /api/v1/auth/password-reset | open |
 * | POST /api/v1/auth/password-reset/confirm | open |
 * | POST /api/v1/auth/password | session |
 * | POST /api/v1/auth/totp | session |
 * | POST /api/v1/auth/totp/confirm | session |
 * | DELETE /api/v1/auth/totp | session |
 * | GET /api/v1/auth/sessions | session |
 * | DELETE /api/v1/auth/sessions/:id | session |
 * | DELETE /api/v1/auth/sessions | session |
 * | GET /api/v1/account/notifications | session |
 * | PATCH /api/v1/account/notifications | session |
 * | GET /api/v1/workspace | session |
 * | PATCH /api/v1/workspace | session |
 * | DELETE /api/v1/workspace | session |
 * | POST /api/v1/api-keys | session |
 * | GET /api/v1/api-keys | session |
 * | PATCH /api/v1/api-keys/:id | session |
 * | DELETE /api/v1/api-keys/:id | session |
 * | POST /api/v1/api-keys/:id/roll | session |
 * | GET /api/v1/audit-log | session |
 * | GET /api/v1/members | session |
 * | PATCH /api/v1/members/:user_id | session |
 * | DELETE /api/v1/members/:user_id | session |
 * | POST /api/v1/members/:user_id/transfer-ownership | session |
 * | POST /api/v1/members/invitations | session |
 * | GET /api/v1/members/invitations | session |
 * | DELETE /api/v1/members/invitations/:id | session |
 * | POST /api/v1/members/invitations/:id/resend | session |
 * | POST /api/v1/auth/invitations/accept | open |
 * | GET /api/v1/workspaces | session |
 * | POST /api/v1/workspaces | session |
 * | POST /api/v1/workspaces/:id/leave | session |
 * | POST /api/v1/auth/session | session |
 * | POST /api/v1/erasures | session |
 * | GET /api/v1/erasures/:id | session |
 * | GET /api/v1/operator/workspaces | operator |
 * | GET /api/v1/operator/workspaces/:id | operator |
 * | PATCH /api/v1/operator/workspaces/:id | operator |
 * | DELETE /api/v1/operator/workspaces/:id | operator |
 * | POST /api/v1/operator/workspaces/:id/restore | operator |
 * | GET /api/v1/operator/users | operator |
 * | GET /api/v1/operator/users/:id | operator |
 * | PATCH /api/v1/operator/users/:id | operator |
 * | GET /api/v1/operator/operators | operator |
 * | POST /api/v1/operator/operators | operator’s token |
 * | DELETE /api/v1/operator/operators/:id | operator’s token |
 * | GET /api/v1/operator/audit-log | operator |
 * | POST /api/v1/operator/workspaces/:id/adjustments | operator |
 * | GET /api/v1/operator/invoices | operator |
 * | GET /api/v1/operator/invoices/:id | operator |
 * | PATCH /api/v1/operator/invoices/:id | operator |
 * | GET /api/v1/operator/queues | operator |
 * | GET /api/v1/operator/parked | operator |
 * | POST /api/v1/operator/parked/:id/release | operator |
 * | POST /api/v1/operator/parked/:id/drop | operator |
 * | GET /api/v1/operator/platform-domain | operator |
 * | GET /api/v1/operator/retention | operator |
 * | GET /api/v1/operator/health | operator |
 * | GET /api/v1/openapi.json | open |
 *
 * The roles that a session needs follow from packages/domain/accounts/roles.ts; docs/roles.md lists them for each
 * operation.
 */
export const routes: readonly Route[] = [
  sendEmail,
  sendBatch,
  validateEmail,
  listEmails,
  getEmail,
  getRawEmail,
  getEmailContent,
  getEmailHtml,
  explainEmail,
  rescheduleEmail,
  cancelEmail,
  resolveEmail,
  getTestClock,
  moveTestClock,
  listEvents,
  readStats,
  createTemplate,
  listTemplates,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  listTemplateVersions,
  getTemplateVersion,
  restoreTemplate,
  previewTemplate,
  previewDraft,
  createDomain,
  listDomains,
  getDomain,
  updateDomain,
  deleteDomain,
  verifyDomain,
  rotateDomainKey,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listDeliveries,
  getDelivery,
  redeliver,
  replay,
  getNewestReplay,
  getReplay,
  getUsage,
  listPlans,
  getPlan,
  previewPlan,
  changePlan,
  listInvoices,
  getInvoice,
  printInvoice,
  payInvoice,
  openPortal,
  signUp,
  logIn,
  logOut,
  getSession,
  confirmEmail,
  resendConfirmation,
  changeEmail,
  requestPasswordReset,
  resetPassword,
  changePassword,
  startTotp,
  confirmTotp,
  disableTotp,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  getNotifications,
  updateNotifications,
  getWorkspace,
  updateWorkspace,
  deleteOwnWorkspace,
  createKey,
  listKeys,
  updateKey,
  revokeKey,
  rollKey,
  listAuditLog,
  listMembers,
  updateMember,
  removeMember,
  transferOwnership,
  createInvitation,
  listInvitations,
  revokeInvitation,
  resendInvitation,
  acceptInvitation,
  listOwnWorkspaces,
  createWorkspace,
  leaveWorkspace,
  switchWorkspace,
  createErasure,
  getErasure,
  listWorkspaces,
  getControls,
  setControls,
  deleteWorkspace,
  restoreWorkspace,
  listUsers,
  getUser,
  updateUser,
  listOperators,
  addOperator,
  removeOperator,
  listOperatorAuditLog,
  createAdjustment,
  listAllInvoices,
  getAnyInvoice,
  updateInvoice,
  getQueues,
  listParked,
  releaseParked,
  dropParked,
  getPlatformDomain,
  getRetention,
  getHealth,
  getOpenapi,
]
