import type { MethodDefinition } from '@grpc/proto-loader'
import type { Attachment, Lane, Mailbox } from '@postrider/domain/email/email.ts'
import type { PendingReservation, QuotaStanding, Reservation } from '@postrider/domain/quota/quota.ts'
import type { AccountsDefinition } from './gen/postrider/accounts/v1/Accounts.ts'
import type { Caller__Output as Caller } from './gen/postrider/accounts/v1/Caller.ts'
import type { CheckReply__Output as CheckReply } from './gen/postrider/intake/v1/CheckReply.ts'
import type { IntakeDefinition } from './gen/postrider/intake/v1/Intake.ts'
import type { ListEmailsRequest__Output as ListEmailsMessage } from './gen/postrider/intake/v1/ListEmailsRequest.ts'
import type { QuotaDefinition } from './gen/postrider/quota/v1/Quota.ts'
import type { TemplatesDefinition } from './gen/postrider/templates/v1/Templates.ts'

/**
 * The interfaces between services. Standalone passes the functions themselves; a cluster puts a gRPC client in their
 * place. Messages without times or structured values are used in their proto form. The others are typed here, with
 * times in milliseconds since the epoch; `adapters/grpc/intake.ts` and `adapters/grpc/quota.ts` map them.
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

export type Intake = Omit<IntakeRpc, 'Submit' | 'Check' | 'ListEmails'> & {
  Submit(request: SubmitRequest): Promise<SubmitReply>
  Check(request: CheckRequest): Promise<CheckReply>
  /** Stops reading when `signal` is aborted; the caller does not read the result then. */
  ListEmails(request: ListEmailsRequest, signal?: AbortSignal): ReturnType<IntakeRpc['ListEmails']>
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
  template: { id: string; vars: TemplateVars } | null
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
  template: { id: string; vars: TemplateVars | null } | null
  domainId: string | null
  sendAt: SendTime | null
  category: Lane
}

export type ListEmailsRequest = Omit<ListEmailsMessage, 'created_after' | 'created_before'> & {
  created_after?: number
  created_before?: number
}

export type Quota = Omit<QuotaRpc, 'Reserve' | 'Commit' | 'Release' | 'ListPending' | 'Settle'> & {
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
export type CallerName = 'gateway' | 'intake'

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
      'CreateKey',
      'ListKeys',
      'UpdateKey',
      'RevokeKey',
      'ListWorkspaces',
      'SetWorkspaceControls',
    ],
    templates: ['Create', 'Get', 'List'],
    quota: ['GetUsage', 'SetLimits', 'GetLimits'],
    intake: [
      'Submit',
      'Check',
      'GetEmail',
      'GetRaw',
      'ListEmails',
      'CancelEmail',
      'ResolveEmail',
      'ListCaptured',
      'GetCaptured',
    ],
  },
  intake: {
    templates: ['Get'],
    quota: ['Reserve', 'Commit', 'Release', 'ListPending', 'Settle'],
  },
} as const satisfies Record<
  CallerName,
  {
    accounts?: MethodNames<Accounts>
    templates?: MethodNames<Templates>
    quota?: MethodNames<QuotaRpc>
    intake?: MethodNames<IntakeRpc>
  }
>

const mebibyte = 2 ** 20

/**
 * Every API request is answered within 5 s: the gateway first authenticates the caller (`authenticateMs`), and the rest is
 * left for one call (`callMs`). The calls that this one makes get less (`innerMs`). Sign-up and log-in need no
 * authentication before and hash a password (`passwordMs`).
 */
const [authenticateMs, callMs, innerMs, passwordMs] = [1_000, 3_800, 2_000, 4_500]

const read = { deadlineMs: callMs, repeatable: true } as const
const write = { deadlineMs: callMs, repeatable: false } as const
/** Idempotent by the id in the request. */
const idempotent = { deadlineMs: innerMs, repeatable: true } as const

export const accountsSpec: ServiceSpec<Accounts> = {
  proto: 'postrider/accounts/v1/accounts.proto',
  name: 'postrider.accounts.v1.Accounts',
  callers: { gateway: allowedCalls.gateway.accounts },
  messageBytes: 4 * mebibyte,
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
  },
}

export const intakeSpec: ServiceSpec<IntakeRpc> = {
  proto: 'postrider/intake/v1/intake.proto',
  name: 'postrider.intake.v1.Intake',
  callers: { gateway: allowedCalls.gateway.intake },
  messageBytes: 64 * mebibyte,
  methods: {
    Submit: { deadlineMs: callMs, repeatable: 'idempotency_key', repeatField: 'is_repeat' },
    Check: read,
    GetEmail: read,
    GetRaw: read,
    ListEmails: read,
    CancelEmail: write,
    ResolveEmail: write,
    ListCaptured: read,
    GetCaptured: read,
  },
}
