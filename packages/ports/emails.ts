import type { EmailStatus, RecipientStatus } from '@postrider/mail/status.ts'
import type { Lane } from './doorbell.ts'
import type { SmtpStep } from './transport.ts'

/**
 * The record is the queue: one document an email, changed only by guarded single updates. Every write under a claim
 * carries its fence; a holder that lost the lease is refused. Times are milliseconds since the epoch.
 */
export type EmailStore = {
  /** Keeps a new email with its content. Idempotent by id. `void`: the id was taken back, a new one is needed. */
  insert(email: Email, content: Content): Promise<'inserted' | 'exists' | 'void'>
  /** Takes an id that no email has, so that none can come later. @returns false: an email has it */
  takeBack(id: string): Promise<boolean>
  get(id: string): Promise<StoredEmail | null>
  content(id: string): Promise<Content | null>
  /** Newest first, `before` excluded. */
  list(query: EmailQuery): Promise<{ emails: StoredEmail[]; hasMore: boolean }>

  /**
   * Takes what is due in a lane (`nextAt` has come, no live lease) for `leaseMs`, oldest first; raises each fence.
   * Where several workspaces have due mail, each has its share of the limit, however much another has.
   */
  claim(query: ClaimQuery): Promise<ClaimedEmail[]>
  /** Prolongs every lease still held, in one update. @returns the ids still held */
  renew(held: readonly { id: string; fence: number }[], leaseUntil: number): Promise<Set<string>>
  /** Replaces the document under a claim. `done` ends the lease and forgets the deaths before it. @returns false: the fence was raised, nothing written */
  write(id: string, fence: number, change: { email: Email; nextAt: number | null; done: boolean }): Promise<boolean>
  /** Ends a lease without a change: the email is due again at once. */
  letGo(held: readonly { id: string; fence: number }[]): Promise<void>
  /** Replaces the document of an email nobody holds, where `fence` is still the one read; raises it.
   * @returns false: somebody was faster, or holds it */
  change(id: string, fence: number, now: number, change: { email: Email; nextAt: number | null }): Promise<boolean>

  /** When the next email of a lane is due; null: nothing waits. */
  nextDue(lane: Lane): Promise<number | null>
  backlog(now: number): Promise<{ lane: Lane; waiting: number; due: number; oldestDueAt: number | null }[]>
  /** Emails that owe the ledger a release; see `Email.owed`. */
  owing(limit: number): Promise<StoredEmail[]>
  /** Ends every lease; for a composition that knows it is alone. Counts as a death of the worker for each. */
  clearLeases(): Promise<number>
}

/** `ids`: only of these, what is due of them. */
export type ClaimQuery = { lane: Lane; now: number; limit: number; leaseMs: number; ids?: readonly string[] }

export type StoredEmail = {
  email: Email
  nextAt: number | null
  leaseUntil: number | null
  fence: number
  deaths: number
}

/** Bodies stay in the store until they are needed. `deaths`: how often a lease of this email ended without an outcome. */
export type ClaimedEmail = { email: Email; fence: number; deaths: number }

export type Mode = 'live' | 'test'

export type { EmailStatus, RecipientStatus } from '@postrider/mail/status.ts'

export type ReplyClass = 'invalid' | 'full' | 'policy' | 'reputation' | 'content' | 'transient' | 'unknown'

/** A mailbox as parsed by us: never a string that somebody interprets again. `name` empty: none. */
export type Mailbox = { name: string; address: string }

export type Email = {
  id: string
  workspace: string
  mode: Mode
  /** Which key sent it; empty: a session. */
  keyId: string
  requestId: string
  category: Lane
  topic: string | null
  createdAt: number
  scheduledAt: number | null
  /** No attempt after this. */
  expiresAt: number | null
  onUnknown: 'retry' | 'hold'
  from: Mailbox
  /** Return path of the envelope. */
  envelopeFrom: string
  replyTo: Mailbox[]
  subject: string
  templateId: string | null
  templateVersion: number | null
  domainId: string | null
  tags: Record<string, string>
  metadata: Record<string, string>
  messageId: string
  notices: string[]
  recipients: Recipient[]
  attempts: Attempt[]
  events: EmailEvent[]
  /** Recipients whose send is to be given back to the ledger and wasn't yet. */
  owed: number[]
  /** Whether the send is counted: live mail. */
  counted: boolean
  /** Of the finished message, at most; absent: mail from before this was kept. */
  messageBytes?: number
  /** Of the request that sent it (W3C Trace Context §3.2); absent: it isn't traced. */
  traceparent?: string
}

export type Recipient = Mailbox & {
  kind: 'to' | 'cc' | 'bcc'
  status: RecipientStatus
  class: ReplyClass | null
  /** The last reply or reason, for people. */
  reply: string | null
  /** Null: final, or a person decides. */
  nextAt: number | null
  /** How many tries of the schedule were used. */
  tries: number
}

export type Attempt = {
  id: string
  at: number
  host: string
  /** Numbers of the recipients it covers. */
  recipients: number[]
  /** Null while it runs; where its worker died, until somebody claims the email again. */
  outcome: 'delivered' | 'deferred' | 'bounced' | 'partial' | 'unknown' | 'lost' | null
  reply: string | null
  possibleDuplicate: boolean
  /** Recipients the server took, set right before the final dot: only they can be in doubt. Null: the dot was never sent. */
  committed: number[] | null
  steps: SmtpStep[]
}

export type EmailEventType =
  | 'email.accepted'
  | 'email.scheduled'
  | 'email.sent'
  | 'email.delivered'
  | 'email.deferred'
  | 'email.bounced'
  | 'email.failed'
  | 'email.suppressed'
  | 'email.canceled'
  | 'email.unknown'

/** `sequence` counts up per email from 1; `recipient` null: all of them. */
export type EmailEvent = {
  id: string
  sequence: number
  type: EmailEventType
  at: number
  recipient: number | null
  reply?: string
  class?: ReplyClass
}

export type Content = {
  html: string | null
  text: string | null
  /** Custom header fields, in the order given. */
  headers: Record<string, string>
  attachments: Attachment[]
}

export type Attachment = { filename: string; contentType: string; contentId: string | null; content: Uint8Array }

export type EmailQuery = {
  workspace: string
  mode: Mode | null
  /** Only mail this key sent; null: whoever's. */
  keyId: string | null
  before: string | null
  limit: number
  now: number
  status: EmailStatus | null
  to: string | null
  from: string | null
  /** A part of the subject, letter case aside. */
  subject: string | null
  templateId: string | null
  tag: { name: string; value: string } | null
  category: Lane | null
  createdAfter: number | null
  createdBefore: number | null
}
