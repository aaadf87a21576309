import type { RecipientStatus } from './status.ts'
import type { SmtpStep } from './transmission.ts'

/** The queue an email waits in. Each lane has its own topics and its own concurrency. */
export const lanes = ['transactional', 'marketing'] as const

export type Lane = (typeof lanes)[number]

export type Mode = 'live' | 'test'

/** What a server's reply means, in one word. */
export const replyClasses = ['invalid', 'full', 'policy', 'reputation', 'content', 'transient', 'unknown'] as const

export type ReplyClass = (typeof replyClasses)[number]

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

export const emailEventTypes = [
  'email.accepted',
  'email.scheduled',
  'email.sent',
  'email.delivered',
  'email.deferred',
  'email.bounced',
  'email.failed',
  'email.suppressed',
  'email.canceled',
  'email.unknown',
] as const

export type EmailEventType = (typeof emailEventTypes)[number]

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

export type StoredEmail = {
  email: Email
  nextAt: number | null
  leaseUntil: number | null
  fence: number
  deaths: number
}

/** Bodies stay in the store until they are needed. `deaths`: how often a lease of this email ended without an outcome. */
export type ClaimedEmail = { email: Email; fence: number; deaths: number }
