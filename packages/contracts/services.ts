/*
 * The interfaces between services, as a process uses them. Standalone passes the functions themselves; a cluster puts a
 * gRPC client in their place. Times are milliseconds since the epoch and structured values stay structured; the file of
 * a service in `adapters/grpc` has the conversion of its messages in both directions. Absent values are null or absent
 * members. Messages without times, structured values and texts that stand for no value are used in their proto form. So
 * are records that intake makes as the JSON of the API.
 */

export {
  type Accounts,
  type AccountsRpc,
  type ApiKey,
  type AuditList,
  accountsSpec,
  accountTimes,
  type Caller,
  type CreatedKey,
  type CreateKeyRequest,
  type Invitation,
  type InvitationOffer,
  type ListAuditRequest,
  type Member,
  type OperatorState,
  type OwnWorkspace,
  type SessionCaller,
  type SessionInfo,
  type SessionReply,
  type ShownAuditEntry,
  type TotpEnabled,
  type UpdateKeyRequest,
  type UpdateWorkspaceRequest,
  type UserState,
  type Workspace,
  type WorkspaceControls,
} from './services/accounts.ts'
export { allowedCalls } from './services/allowedCalls.ts'
export { type DomainRecord, type Domains, type DomainsRpc, domainsSpec } from './services/domains.ts'
export {
  type BatchMail,
  type BatchRefusal,
  type CheckRequest,
  type Erasure,
  type Idempotency,
  type Intake,
  type IntakeRpc,
  intakeSpec,
  intakeTimes,
  type MailRequest,
  type ParkedEmail,
  type ParkedPage,
  type Queues,
  type QuotaAfterSend,
  type RetentionReply,
  type SendTime,
  type StageBatchReply,
  type StageBatchRequest,
  type StagedBatch,
  type SubmitBatchRequest,
  type SubmitReply,
  type SubmitRequest,
  type SystemMailRequest,
  type ValidateRequest,
} from './services/intake.ts'
export type {
  Captured,
  CapturedOf,
  CapturedPage,
  CapturedReply,
  ContentAttachment,
  ContentReply,
  ContentRequest,
  EmailRequest,
  EmailsPage,
  EventsPage,
  GetCapturedRequest,
  ListCapturedRequest,
  ListEmailsRequest,
  ListEventsRequest,
  Reader,
  RescheduleRequest,
  ResolveRequest,
  StatsRequest,
} from './services/intakeReads.ts'
export {
  type Adjustment,
  type AdjustRequest,
  type Invoice,
  type InvoiceChange,
  type InvoiceLine,
  type InvoicePayment,
  type InvoiceQuery,
  type InvoiceScope,
  type Limits,
  type LimitsChange,
  type PlanPreview,
  type PlanState,
  type Quota,
  type QuotaRpc,
  quotaSpec,
  quotaTimes,
  type Usage,
} from './services/quota.ts'
export { responseMs } from './services/rules.ts'
export type { CallerName, MethodRules, Requester, ServiceSpec } from './services/service.ts'
export {
  type ListedTemplate,
  type RenderedParts,
  type Templates,
  type TemplatesRpc,
  type TemplateVars,
  templatesSpec,
} from './services/templates.ts'
export type { TimeFields, WithTimes, WithTimeTexts } from './services/times.ts'
export {
  type EndpointWithSecret,
  type ShownAttempt,
  type ShownDelivery,
  type ShownEndpoint,
  type ShownReplay,
  type ShownRequest,
  type Webhooks,
  type WebhooksRpc,
  webhooksSpec,
} from './services/webhooks.ts'
