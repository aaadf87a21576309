import type { Mailbox } from '@postrider/mail/address.ts'
import type { ReplyClass } from '@postrider/mail/replies/replies.ts'
import type { Retention } from '../retention/retention.ts'
import type { ChosenMailRoute, ConnectionFacts, RefusalVerdict, SendPhases } from './conversation.ts'
import type { RecipientStatus } from './status.ts'

/*
 * The rules of an email. This file has the record; the stages of its life, and the files with their rules:
 *
 *   request      messageRules, sendTime, marketing, tag, batch (states of a batch), systemMessage (mail of Postrider)
 *   acceptance   newEmail, message (its MIME text), returnPath, sends (what counts against the quota), storedBytes
 *   waiting      due (when, and for whom), leases (claims, deaths of workers), waiting (held and suspended mail),
 *                testClock, reschedule
 *   attempt      recipientGroups (which transport carries whom), attemptRecord (an attempt from its start to its end),
 *                conversation (what it records), transmission (what a result does to a recipient), withTransmission
 *                (the email after it), knownReplies (classes of replies), countedResults (which use a try)
 *   afterwards   status, decisions (expiry, cancel, drop, resolve), nextAttempt (the reason that `explain` shows)
 *   writes       changes: a write by a process without a lease, and the times of its events
 *   reads        filter and terms (lists with filters), destinations (waiting recipients by domain)
 */

/** The queues an email can wait in. Each lane has its own topics and its own concurrency. */
export const lanes = ['transactional', 'marketing'] as const
export type Lane = (typeof lanes)[number]

/** Mail of mode `test` never leaves and uses no quota. */
export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]

/** Policies for a recipient of whom no reply to the final dot came. */
export const unknownPolicies = ['retry', 'hold'] as const
export type UnknownPolicy = (typeof unknownPolicies)[number]

/** Decisions of a person about recipients of whom no reply came. */
export const resolutions = ['delivered', 'failed', 'retry'] as const
export type Resolution = (typeof resolutions)[number]

/** The fields that name recipients. */
export const recipientKinds = ['to', 'cc', 'bcc'] as const
export type RecipientKind = (typeof recipientKinds)[number]

/** Outcomes of an attempt. `lost`: its worker ended without a result. */
export const attemptOutcomes = ['delivered', 'deferred', 'bounced', 'partial', 'unknown', 'lost'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** One email with everything that happened to it. Times are milliseconds since the epoch. */
export type Email = {
  id: string
  workspace: string
  mode: Mode
  /**
   * The family of the API key that sent it: the id of the first of the keys that replaced each other. Empty for a
   * session.
   */
  keyId: string
  requestId: string
  category: Lane
  topic: string | null
  createdAt: number
  scheduledAt: number | null
  /** No attempt starts after this time. */
  expiresAt: number | null
  onUnknown: UnknownPolicy
  from: Mailbox
  /** Return path of the envelope: of the domain `domainId` if its records were verified, else of the platform. */
  envelopeFrom: string
  replyTo: Mailbox[]
  subject: string
  templateId: string | null
  templateVersion: number | null
  /** The verified domain of `from`, which signs; null: the shared sender. */
  domainId: string | null
  tags: Record<string, string>
  metadata: Record<string, string>
  messageId: string
  notices: string[]
  recipients: Recipient[]
  attempts: Attempt[]
  events: EmailEvent[]
  /** Recipients whose sends are still to be returned to the ledger. */
  owed: number[]
  /** True for live mail, which counts against the quota. */
  counted: boolean
  /** Upper bound of the finished message's size; absent in records written before this field existed. */
  messageBytes?: number
  /** About how many bytes a store needs for it; absent in records written before this field existed. */
  storedBytes?: number
  /** Trace of the request that sent the email (W3C Trace Context §3.2); absent when it is not traced. */
  traceparent?: string
  /** Why it waits without an attempt, and since when; absent: it does not. */
  held?: { reason: string; since: number }
  /**
   * The batch that it was accepted with, and its index in it; absent: it was accepted alone. `at`: time of the
   * reservation.
   */
  batch?: { id: string; number: number; at: number }
  /** How long its content is stored; absent: the installation's time. */
  retention?: Retention
  /** When its attachments, or its whole content, were removed; absent: they were not. */
  attachmentsRemovedAt?: number
  contentRemovedAt?: number
  /** The offset of the test clock of its workspace (testClock.ts); absent: its times are those of the store. */
  clock?: ClockOffsets
}

/**
 * Offset of a test clock from the store's clock, in milliseconds: when the mail was accepted, and when `nextAt` was
 * last stored.
 */
export type ClockOffsets = { accepted: number; offset: number }

export type Recipient = Mailbox & {
  kind: RecipientKind
  status: RecipientStatus
  class: ReplyClass | null
  /** The last reply or reason, for people. */
  reply: string | null
  /** When the recipient is due; null when its status is final or a person has to decide. */
  nextAt: number | null
  /** How many tries of the retry schedule are used. */
  tries: number
}

export type Attempt = {
  id: string
  at: number
  host: string
  /** Numbers of the recipients it covers. */
  recipients: number[]
  /** Null while the attempt runs. After its worker's death it stays null until the next claim. */
  outcome: AttemptOutcome | null
  reply: string | null
  possibleDuplicate: boolean
  /**
   * Recipients the server accepted, written right before the final dot: only they can be in doubt. Null when no dot was
   * sent.
   */
  committed: number[] | null
  steps: SmtpStep[]
  /** This and what follows is absent in attempts that version 0.1 recorded. */
  route?: ChosenMailRoute
  /** Milliseconds from its start to its outcome. */
  durationMs?: number
  /** Absent: no server was connected. */
  connection?: ConnectionFacts
  phases?: SendPhases
  /** Absent: every recipient was accepted. */
  refusals?: RefusalVerdict[]
}

/** One command and its reply. Credentials are replaced by `***`. */
export type SmtpStep = { name: string; command: string; reply: string; duration_ms: number }

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
  'email.complained',
  'email.opened',
  'email.clicked',
  'email.unsubscribed',
] as const

export type EmailEventType = (typeof emailEventTypes)[number]

/** `sequence` counts up from 1 within an email. `recipient` is null when the event is about all recipients. */
export type EmailEvent = {
  id: string
  sequence: number
  type: EmailEventType
  at: number
  recipient: number | null
  reply?: string
  class?: ReplyClass
  /** Its time by the test clock, if that was moved; then `at` is the store's time, which orders feeds. */
  clockAt?: number
  /** Absent in events that version 0.1 wrote. */
  cause?: EventCause
}

/** Reasons for which the service itself decided. */
export const systemReasons = [
  'expired',
  'suppressed',
  'held',
  'hold_ended',
  'worker_died',
  'gate_closed',
  'tried_alone',
  'simulated',
] as const
export type SystemReason = (typeof systemReasons)[number]

/**
 * Reason why an event happened.
 * - `request`: a caller requested it. `actor`: a user or key id, `operator`, or `system`.
 * - `attempt`: an attempt reached this point.
 * - `reply`: a server replied in this attempt. `code`: of SMTP; `enhanced`: the enhanced status code (RFC 3463).
 * - `connection`: an attempt ended without a reply.
 * - `system`: the service decided it without a server.
 */
export type EventCause =
  | { kind: 'request'; actor: string }
  | { kind: 'attempt'; attempt: string }
  | { kind: 'reply'; attempt: string; code: number; enhanced?: string }
  | { kind: 'connection'; attempt: string }
  | { kind: 'system'; reason: SystemReason; attempt?: string }

export type Content = {
  html: string | null
  text: string | null
  /** Custom header fields, in the order of the request. */
  headers: Record<string, string>
  attachments: Attachment[]
}

export type Attachment = { filename: string; contentType: string; contentId: string | null; content: Uint8Array }

/** An email with its position in the queue. `fence` grows with every claim and change. */
export type StoredEmail = {
  email: Email
  nextAt: number | null
  leaseUntil: number | null
  fence: number
  /** How many leases of this email ended without an outcome; see `leases.ts`. */
  deaths: number
}

/** An email under a lease. Its content stays in the store until it is needed. */
export type ClaimedEmail = Pick<StoredEmail, 'email' | 'fence' | 'deaths'>
