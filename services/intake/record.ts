import { isoTime } from '@postrider/kit/clock.ts'
import { emailStatus } from '@postrider/mail/status.ts'
import type {
  Attempt,
  Email,
  EmailEvent,
  EmailStatus,
  Mailbox,
  Recipient,
  RecipientStatus,
  StoredEmail,
} from '@postrider/ports/emails.ts'

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

/** `Name <address>` for people to read; never parsed again. */
const shown = ({ name, address }: Mailbox): string => (name === '' ? address : `${name} <${address}>`)

const waiting: ReadonlySet<RecipientStatus> = new Set(['scheduled', 'queued', 'deferred'])

/** While somebody holds the email, what is due of it is being sent. */
const shownStatus = (recipient: Recipient, inWorkAt: number | null): RecipientStatus =>
  inWorkAt !== null && waiting.has(recipient.status) && recipient.nextAt !== null && recipient.nextAt <= inWorkAt
    ? 'sending'
    : recipient.status

const recipientRecord = (recipient: Recipient, inWorkAt: number | null) => ({
  address: recipient.address,
  kind: recipient.kind,
  status: shownStatus(recipient, inWorkAt),
  class: recipient.class,
  reply: recipient.reply,
  next_at: isoOrNull(recipient.nextAt),
})

const ofKind = (email: Email, kind: Recipient['kind']): string[] =>
  email.recipients.filter((recipient) => recipient.kind === kind).map(shown)

const attemptRecord = (email: Email, attempt: Attempt) => ({
  id: attempt.id,
  at: isoTime(attempt.at),
  host: attempt.host,
  recipients: attempt.recipients.flatMap((number) => email.recipients[number]?.address ?? []),
  outcome: attempt.outcome,
  reply: attempt.reply,
  possible_duplicate: attempt.possibleDuplicate,
  steps: attempt.steps,
})

const eventRecord = (email: Email, event: EmailEvent) => ({
  id: event.id,
  type: event.type,
  timestamp: isoTime(event.at),
  sequence: event.sequence,
  recipient: event.recipient === null ? null : (email.recipients[event.recipient]?.address ?? null),
  reply: event.reply ?? null,
  class: event.class ?? null,
})

/** What a stored email's status is for a reader at `now`. */
export const statusAt = (stored: Pick<StoredEmail, 'email' | 'leaseUntil'>, now: number): EmailStatus => {
  const inWorkAt = stored.leaseUntil !== null && stored.leaseUntil > now ? now : null
  return emailStatus(stored.email.recipients.map((recipient) => shownStatus(recipient, inWorkAt)))
}

/** The email record of the API, as lists show it. */
export const emailRecord = (stored: Pick<StoredEmail, 'email' | 'leaseUntil'>, now: number) => {
  const { email } = stored
  const inWorkAt = stored.leaseUntil !== null && stored.leaseUntil > now ? now : null
  return {
    object: 'email' as const,
    id: email.id,
    status: statusAt(stored, now),
    mode: email.mode,
    created_at: isoTime(email.createdAt),
    scheduled_at: isoOrNull(email.scheduledAt),
    expires_at: isoOrNull(email.expiresAt),
    from_: shown(email.from),
    to: ofKind(email, 'to'),
    cc: ofKind(email, 'cc'),
    bcc: ofKind(email, 'bcc'),
    reply_to: email.replyTo.map(shown),
    subject: email.subject,
    template_id: email.templateId,
    template_version: email.templateVersion,
    domain_id: email.domainId,
    category: email.category,
    topic: email.topic,
    on_unknown: email.onUnknown,
    tags: email.tags,
    metadata: email.metadata,
    message_id: email.messageId,
    notices: email.notices,
    recipients: email.recipients.map((recipient) => recipientRecord(recipient, inWorkAt)),
  }
}

/** The record with its attempts, every SMTP step of them, and its events. */
export const emailRecordInFull = (stored: StoredEmail, now: number) => ({
  ...emailRecord(stored, now),
  attempts: stored.email.attempts.map((attempt) => attemptRecord(stored.email, attempt)),
  events: stored.email.events.map((event) => eventRecord(stored.email, event)),
})
