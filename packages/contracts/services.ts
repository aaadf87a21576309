import type { MethodDefinition } from '@grpc/proto-loader'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import type { RecordView } from '@postrider/domain/domains/recordViews.ts'
import type { Attachment, Lane, Mailbox } from '@postrider/domain/email/email.ts'
import type { PendingReservation, QuotaStanding, Reservation } from '@postrider/domain/quota/quota.ts'
import type { AccountsDefinition } from './gen/postrider/accounts/v1/Accounts.ts'
import type { Caller__Output as Caller } from './gen/postrider/accounts/v1/Caller.ts'
import type { DomainsDefinition } from './gen/postrider/domains/v1/Domains.ts'
import type { CheckReply__Output as CheckReply } from './gen/postrider/intake/v1/CheckReply.ts'
import type { EmailRequest__Output as EmailRequest } from './gen/postrider/intake/v1/EmailRequest.ts'
import type { IntakeDefinition } from './gen/postrider/intake/v1/Intake.ts'
import type { ListEmailsRequest__Output as ListEmailsMessage } from './gen/postrider/intake/v1/ListEmailsRequest.ts'
import type { ValidateReply__Output as ValidateReply } from './gen/postrider/intake/v1/ValidateReply.ts'
import type { QuotaDefinition } from './gen/postrider/quota/v1/Quota.ts'
import type { TemplatesDefinition } from './gen/postrider/templates/v1/Templates.ts'
import type { WebhooksDefinition } from './gen/postrider/webhooks/v1/Webhooks.ts'

/**
 * The interfaces between services. Standalone passes the functions themselves; a cluster puts a gRPC client in their
 * place. Messages without times or structured values are used in their proto form. The others are typed here, with
 * times in milliseconds since the epoch; `adapters/grpc/intake.ts`, `adapters/grpc/quota.ts` and
 * `adapters/grpc/domains.ts` map them.
 */

/**
 * The proto form of a service: one async function per method, over whole messages. An aborted `signal` ends the wait of the
 * caller, and the work of methods that can stop.
 */
export type Service<Definition> = {
  [Method in keyof Definition as string extends Method ? never : Method]: Definition[Method] extends MethodDefinition<
    infer _Request,
    infer _Reply,
    infer Request,
    infer Reply
  >
    ? (request: Request, signal?: AbortSignal) => Promise<Reply>
    : never
}

export type Accounts = Service<AccountsDefinition>
export type Templates = Service<TemplatesDefinition>
export type IntakeRpc = Service<IntakeDefinition>
export type QuotaRpc = Service<QuotaDefinition>
export type DomainsRpc = Service<DomainsDefinition>
export type Webhooks = Service<WebhooksDefinition>

export type Intake = Omit<
  IntakeRpc,
  'Submit' | 'Check' | 'ListEmails' | 'RescheduleEmail' | 'Validate' | 'StageBatch' | 'SubmitBatch'
> & {
  Submit(request: SubmitRequest): Promise<SubmitReply>
  /** Stores a part of a batch that is too long for one call. Nothing of it is sent before `SubmitBatch` accepts the batch. */
  StageBatch(request: StageBatchRequest): Promise<StageBatchReply>
  /** Accepts a batch, with its staged part. The id in the reply is that of the batch. */
  SubmitBatch(request: SubmitBatchRequest): Promise<SubmitReply>
  Check(request: CheckRequest): Promise<CheckReply>
  /** Stops reading when `signal` is aborted; the caller does not read the result then. */
  ListEmails(request: ListEmailsRequest, signal?: AbortSignal): ReturnType<IntakeRpc['ListEmails']>
  RescheduleEmail(request: RescheduleRequest): ReturnType<IntakeRpc['RescheduleEmail']>
  Validate(request: ValidateRequest): Promise<ValidateReply>
}

/** When a message is to leave: at a time, or so long after acceptance by the clock of the service that accepts it. */
export type SendTime = { at: number } | { inMs: number }

/** A checked request to send one email; null stands for an absent part. */
export type MailRequest = {
  from: Mailbox | null
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
  replyTo: Mailbox[]
  /** Null in template mode, as `html` and `text` are. */
  subject: string | null
  html: string | null
  text: string | null
  /** `id` may be an alias; `version` absent: the newest. */
  template: { id: string; vars: TemplateVars; version?: number } | null
  domainId: string | null
  headers: Record<string, string>
  attachments: Attachment[]
  tags: Record<string, string>
  metadata: Record<string, string>
  /** Null: at once. */
  sendAt: SendTime | null
  expiresInMs: number | null
  /** Null: the workspace's setting applies. */
  onUnknown: 'retry' | 'hold' | null
  category: Lane
  topic: string | null
  /** `none`, `metadata` or a number of days; absent: the workspace's setting applies. */
  retention?: string
}

export type TemplateVars = Record<string, unknown>

/** The `Idempotency-Key` of a request, and the SHA-256 of the canonical body that it covers. */
export type Idempotency = {
  key: string
  fingerprint: Uint8Array
  /** As release 0.1 computes it, so that the answers of that release are replayed; absent: the same. */
  formerFingerprint?: Uint8Array
}

export type SubmitRequest = {
  caller: Caller
  mail: MailRequest
  /** Null: the request has no `Idempotency-Key`. */
  idempotency: Idempotency | null
  /** Method and path; part of the key's scope. */
  operation: string
  requestId: string
  /** Whether this repeats a call for the same HTTP request, because its answer was lost. Default: false. */
  isRepeat?: boolean
}

/** A message of a batch; `number` is its place in the request. */
export type BatchMail = { number: number; mail: MailRequest }

/** Why one message of a batch is refused: a code of `Fault`, and problems with their paths in the message. */
export type BatchRefusal = {
  number: number
  code: string
  detail: string
  problems: readonly { path: string; code: string; message: string }[]
}

/** A batch with staged messages, as intake named it; `at` is the time of its acceptance. */
export type StagedBatch = { id: string; at: number }

export type StageBatchRequest = {
  caller: Caller
  /** Null: the first part. */
  staged: StagedBatch | null
  mails: BatchMail[]
  requestId: string
}

export type StageBatchReply = { staged: StagedBatch; refusals: BatchRefusal[] }

export type SubmitBatchRequest = Omit<SubmitRequest, 'mail'> & {
  staged: StagedBatch | null
  /** Messages that were not staged. */
  mails: BatchMail[]
  /** Messages that are refused already. */
  refusals: readonly BatchRefusal[]
  /** Messages of the request. */
  count: number
  /** Whether messages that are not refused are accepted without the others. */
  isPermissive: boolean
}

/** What `Submit` returns is durable. */
export type SubmitReply = {
  id: string
  /** HTTP status of the first answer. */
  status: number
  /** The email record of the first answer as JSON, byte for byte. */
  bodyJson: string
  replayed: boolean
  /** Null for test mail, for replays and where nothing is limited. */
  quota: QuotaAfterSend | null
}

/** The tighter quota after a send; `resetsInMs` is measured by the clock of intake. */
export type QuotaAfterSend = { limit: number; remaining: number; resetsAt: number; resetsInMs: number }

/** The well-formed parts of a refused request that only the workspace and the time of the request can judge. */
export type CheckRequest = {
  caller: Caller
  /** `vars` null: absent or not well-formed. */
  template: { id: string; vars: TemplateVars | null; version?: number } | null
  from: Mailbox | null
  domainId: string | null
  sendAt: SendTime | null
  category: Lane
  retention?: string
  /** In the order of the request, if the key is limited to some recipients. An empty address is one that cannot be read. */
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
}

/** The new time of an email. */
export type RescheduleRequest = Pick<EmailRequest, 'reader' | 'id'> & { sendAt: SendTime }

/** A message that is only checked: a well-formed one, or what can be read of a refused one, with all its recipients. */
export type ValidateRequest = { caller: Caller } & ({ mail: MailRequest } | { parts: Omit<CheckRequest, 'caller'> })

export type ListEmailsRequest = Omit<ListEmailsMessage, 'created_after' | 'created_before'> & {
  created_after?: number
  created_before?: number
}

export type Quota = Omit<QuotaRpc, 'Reserve' | 'Commit' | 'Release' | 'ListPending' | 'Settle' | 'Probe'> & {
  /** Reserves `count` sends in the month and day of `at`. Repeating an id reserves nothing more.
   * @returns the tighter quota after this call; null where nothing is limited
   * @throws Fault `quota_exceeded` */
  Reserve(entry: Reservation): Promise<{ token: string; standing: QuotaStanding | null }>
  /** Writes the reserve line. Idempotent. */
  Commit(entry: PendingReservation): Promise<void>
  /** Gives back one send for each recipient number. Idempotent. */
  Release(entry: { workspace: string; id: string; recipients: readonly number[]; at: number }): Promise<void>
  /** Lists reservations older than `before` that have no line yet, the oldest first. */
  ListPending(request: { before: number; limit: number }): Promise<PendingReservation[]>
  /** Ends such a reservation: with a line if its email exists (`there`), else by giving its sends back. Idempotent.
   * @returns whether sends were given back */
  Settle(request: { pending: PendingReservation; there: boolean }): Promise<boolean>
  /** Decides as `Reserve` does, and reserves nothing. @throws Fault `quota_exceeded` */
  Probe(entry: Omit<Reservation, 'id'>): Promise<void>
}

/** A sending domain as the API shows it. Times are milliseconds since the epoch. */
export type DomainRecord = Pick<SendingDomain, 'id' | 'name' | 'status' | 'subdomains' | 'createdAt' | 'verifiedAt'> & {
  /** Null: not checked yet. */
  checkedAt: number | null
  records: RecordView[]
}

type DomainPlace = { workspace: string; id: string }
/** Who asks, for the audit log: a key or user id, and the address of the client. */
type Asker = { actor: string; clientAddress?: string }
type DomainChangeRequest = DomainPlace & Asker

/**
 * Sending domains of workspaces, and the platform's own. Methods with an id throw Fault `not_found`.
 *
 * Intake and dispatchers do not call this service: they read `senders`, `signing` and `byName` (of `platformWorkspace`)
 * from the store (ports/domains.ts), so that mail is accepted and delivered also while no process of it runs.
 */
export type Domains = {
  /** @param request `name` as a person entered it
   * @throws Fault `validation_failed` at `name`; `conflict`: the workspace has the domain */
  Create(request: { workspace: string; name: string } & Asker): Promise<DomainRecord>
  Get(request: DomainPlace): Promise<DomainRecord>
  /** Returns a page, newest first, starting after the id `before`; null: from the newest. */
  List(request: {
    workspace: string
    limit: number
    before: string | null
  }): Promise<{ domains: DomainRecord[]; hasMore: boolean }>
  Update(request: DomainChangeRequest & { subdomains?: boolean }): Promise<DomainRecord>
  Delete(request: DomainChangeRequest): Promise<void>
  /** Checks the records now. A check that takes longer than a call may continues; the record has what is known so far. */
  Verify(request: DomainChangeRequest): Promise<DomainRecord>
  /** Shows the record of a new key, which signs when its record is found. A rotation that runs already continues. */
  RotateKey(request: DomainChangeRequest): Promise<DomainRecord>
  /** Returns the platform's own sender domain, for the operator. */
  PlatformDomain(): Promise<DomainRecord>
}

type RequestOf<Method> = Method extends (request: infer Request) => unknown ? Request : never

/** How a method is called over gRPC. */
export type MethodRules<Method> = {
  /** Longest wait for the answer in milliseconds, retries included. */
  deadlineMs: number
  /** Whether the client repeats the same request after no response. The name of a field: only when the request has it. */
  repeatable: boolean | (keyof RequestOf<Method> & string)
  /** The field that is true in a repeated request. */
  repeatField?: keyof RequestOf<Method> & string
}

/** The services that call others. */
export type CallerName = 'gateway' | 'intake' | 'accounts'

type MethodNames<Service> = readonly (keyof Service & string)[]

/** What client and server of a service share. */
export type ServiceSpec<Service> = {
  /** Path of the file under protos/. */
  proto: string
  /** Full name in that file. */
  name: string
  /** Largest request and largest reply, in bytes. */
  messageBytes: number
  methods: { [Method in keyof Service]: MethodRules<Service[Method]> }
  /** The methods that each caller needs; the server refuses all others. */
  callers: { readonly [Caller in CallerName]?: MethodNames<Service> }
}

/**
 * Which service may call which methods. The names are those of the callers' processes. A method is added together with
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
      'ListInvoices',
      'GetInvoice',
      'SetInvoiceStatus',
      'Adjust',
      'PayInvoice',
      'OpenPortal',
      'TakePaymentEvent',
    ],
    intake: [
      'Submit',
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
      'RescheduleEmail',
      'GetContent',
      'ExplainEmail',
      'Validate',
      'GetTestClock',
      'MoveTestClock',
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
    accounts?: MethodNames<Accounts>
    templates?: MethodNames<Templates>
    quota?: MethodNames<QuotaRpc>
    intake?: MethodNames<IntakeRpc>
    domains?: MethodNames<DomainsRpc>
    webhooks?: MethodNames<Webhooks>
  }
>

const mebibyte = 2 ** 20

/** Every API request is answered within 5 s: authentication and the call after it take at most this long together. */
export const answerMs = 4_800

/**
 * The gateway first authenticates the caller (`authenticateMs`), and then makes one call (`callMs`). If authentication took
 * long, the call gets what is left of `answerMs`. The calls that this one makes get less (`innerMs`). Sign-up and log-in
 * need no authentication before and hash a password (`passwordMs`).
 */
const [authenticateMs, callMs, innerMs, passwordMs] = [3_000, 3_800, 2_000, 4_500]

const read = { deadlineMs: callMs, repeatable: true } as const
const write = { deadlineMs: callMs, repeatable: false } as const
/** Idempotent by the id in the request. */
const idempotent = { deadlineMs: innerMs, repeatable: true } as const

export const accountsSpec: ServiceSpec<Accounts> = {
  proto: 'postrider/accounts/v1/accounts.proto',
  name: 'postrider.accounts.v1.Accounts',
  callers: { gateway: allowedCalls.gateway.accounts },
  // A page of the audit log holds at most 4 MiB, and one line more.
  messageBytes: 8 * mebibyte,
  methods: {
    SignUp: { deadlineMs: passwordMs, repeatable: false },
    LogIn: { deadlineMs: passwordMs, repeatable: false },
    LogOut: { deadlineMs: callMs, repeatable: true },
    AuthenticateSession: { deadlineMs: authenticateMs, repeatable: true },
    AuthenticateKey: { deadlineMs: authenticateMs, repeatable: true },
    GetWorkspace: read,
    UpdateWorkspace: write,
    CreateKey: write,
    ListKeys: read,
    UpdateKey: write,
    RevokeKey: { deadlineMs: callMs, repeatable: true },
    ListWorkspaces: read,
    SetWorkspaceControls: write,
    ListAudit: read,
    RollKey: write,
    DeleteWorkspace: { deadlineMs: callMs, repeatable: true },
    RestoreWorkspace: { deadlineMs: callMs, repeatable: true },
    DeleteOwnWorkspace: write,
    ListUsers: read,
    GetUser: read,
    SetUserControls: write,
    ListMembers: read,
    ChangeMember: write,
    RemoveMember: write,
    TransferOwnership: write,
    Invite: write,
    ListInvitations: read,
    RevokeInvitation: write,
    ResendInvitation: write,
    ReadInvitation: read,
    AcceptInvitation: { deadlineMs: passwordMs, repeatable: true, repeatField: 'is_repeat' },
    ListOwnWorkspaces: read,
    CreateWorkspace: write,
    SwitchWorkspace: write,
    ReadLink: read,
    ConfirmEmail: write,
    ResendConfirmation: write,
    ChangeEmail: write,
    RequestPasswordReset: write,
    ResetPassword: { deadlineMs: passwordMs, repeatable: false },
    SignInByLink: write,
    ChangePassword: write,
    StartTotp: write,
    ConfirmTotp: write,
    DisableTotp: write,
    ListSessions: read,
    RevokeSession: write,
    RevokeOtherSessions: write,
    GetNotifications: read,
    SetNotifications: { deadlineMs: callMs, repeatable: true },
  },
}

export const templatesSpec: ServiceSpec<Templates> = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  callers: { gateway: allowedCalls.gateway.templates, intake: allowedCalls.intake.templates },
  // A page of templates of release 0.1 includes their bodies.
  messageBytes: 64 * mebibyte,
  methods: {
    Create: write,
    Get: { deadlineMs: innerMs, repeatable: true },
    List: read,
    Update: write,
    Delete: write,
    ListVersions: read,
    Restore: write,
    Preview: read,
    PreviewDraft: read,
  },
}

export const quotaSpec: ServiceSpec<QuotaRpc> = {
  proto: 'postrider/quota/v1/quota.proto',
  name: 'postrider.quota.v1.Quota',
  callers: { gateway: allowedCalls.gateway.quota, intake: allowedCalls.intake.quota },
  messageBytes: 4 * mebibyte,
  methods: {
    Reserve: idempotent,
    Commit: idempotent,
    Release: idempotent,
    ListPending: read,
    Settle: idempotent,
    GetUsage: read,
    SetLimits: write,
    GetLimits: read,
    GetPlan: read,
    ChangePlan: write,
    ListInvoices: read,
    GetInvoice: read,
    SetInvoiceStatus: write,
    Adjust: write,
    PayInvoice: write,
    OpenPortal: read,
    TakePaymentEvent: { deadlineMs: callMs, repeatable: true },
    Probe: idempotent,
  },
}

export const intakeSpec: ServiceSpec<IntakeRpc> = {
  proto: 'postrider/intake/v1/intake.proto',
  name: 'postrider.intake.v1.Intake',
  callers: { gateway: allowedCalls.gateway.intake, accounts: allowedCalls.accounts.intake },
  messageBytes: 64 * mebibyte,
  methods: {
    Submit: { deadlineMs: callMs, repeatable: 'idempotency_key', repeatField: 'is_repeat' },
    StageBatch: write,
    SubmitBatch: { deadlineMs: callMs, repeatable: 'idempotency_key', repeatField: 'is_repeat' },
    Check: read,
    GetEmail: read,
    GetRaw: read,
    ListEmails: read,
    CancelEmail: write,
    ResolveEmail: write,
    ListCaptured: read,
    GetCaptured: read,
    SendSystemMail: { deadlineMs: callMs, repeatable: true },
    GetRetention: read,
    CreateErasure: write,
    GetErasure: read,
    ListEvents: read,
    RescheduleEmail: write,
    GetContent: read,
    ExplainEmail: read,
    Validate: read,
    GetTestClock: read,
    MoveTestClock: write,
  },
}

export const domainsSpec: ServiceSpec<DomainsRpc> = {
  proto: 'postrider/domains/v1/domains.proto',
  name: 'postrider.domains.v1.Domains',
  callers: { gateway: allowedCalls.gateway.domains },
  // A page holds at most 4 MiB, and one domain more.
  messageBytes: 8 * mebibyte,
  methods: {
    Create: write,
    Get: read,
    List: read,
    Update: write,
    Delete: write,
    Verify: read,
    RotateKey: write,
    PlatformDomain: read,
  },
}

export const webhooksSpec: ServiceSpec<Webhooks> = {
  proto: 'postrider/webhooks/v1/webhooks.proto',
  name: 'postrider.webhooks.v1.Webhooks',
  callers: { gateway: allowedCalls.gateway.webhooks },
  // A page holds at most 4 MiB, and one delivery more.
  messageBytes: 8 * mebibyte,
  methods: {
    Create: write,
    Get: read,
    List: read,
    Update: write,
    Delete: write,
    Test: write,
    RotateSecret: write,
    ListDeliveries: read,
    GetDelivery: read,
    Redeliver: write,
    Replay: write,
    GetReplay: read,
    Check: read,
  },
}
