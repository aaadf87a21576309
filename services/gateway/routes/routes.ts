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
  handle: async (_request, { documents }) => ({ file: await (await documents()).openapi() }),
})

/**
 * Every operation of the API, in the order of the API reference. Each states who may call it as `scope`, `session`,
 * `operator` or `open`, which steps/access.ts enforces; docs/roles.md lists it.
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
