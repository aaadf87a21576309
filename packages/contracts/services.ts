import type { MethodDefinition } from '@grpc/proto-loader'
import type { Attachment, Lane, Mailbox } from '@postrider/domain/email/email.ts'
import type { Reservation } from '@postrider/domain/quota/quota.ts'
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

/** The proto form of a service: one async function per method, over whole messages. */
export type Service<Definition> = {
  [Method in keyof Definition as string extends Method ? never : Method]: Definition[Method] extends MethodDefinition<
    infer _Request,
    infer _Reply,
    infer Request,
    infer Reply
  >
    ? (request: Request) => Promise<Reply>
    : never
}

export type Accounts = Service<AccountsDefinition>
export type Templates = Service<TemplatesDefinition>
export type IntakeRpc = Service<IntakeDefinition>
export type QuotaRpc = Service<QuotaDefinition>

export type Intake = Omit<IntakeRpc, 'Submit' | 'Check' | 'ListEmails'> & {
  Submit(request: SubmitRequest): Promise<SubmitReply>
  Check(request: CheckRequest): Promise<CheckReply>
  ListEmails(request: ListEmailsRequest): ReturnType<IntakeRpc['ListEmails']>
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

export type SubmitRequest = {
  caller: Caller
  mail: MailRequest
  /** `fingerprint`: SHA-256 of the canonical body. Null: the request has no `Idempotency-Key`. */
  idempotency: { key: string; fingerprint: Uint8Array } | null
  /** Method and path; part of the key's scope. */
  operation: string
  requestId: string
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

/** `token` proves which reservation a commit belongs to. */
export type PendingReservation = Reservation & { token: string }

export type QuotaStanding = { period: 'day' | 'month'; limit: number; remaining: number; resetsAt: number }
