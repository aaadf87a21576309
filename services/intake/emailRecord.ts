import type { EmailDetail, EmailRecord } from '@postrider/contracts/http/email.ts'
import type { Attempt, Email, EmailEvent, Recipient, StoredEmail } from '@postrider/domain/email/email.ts'
import { recipientStatusAt, statusAt } from '@postrider/domain/email/status.ts'
import { acceptedAt, shownAt } from '@postrider/domain/email/testClock.ts'
import { shownCause } from '@postrider/domain/events/event.ts'
import { withoutShortLived } from '@postrider/domain/retention/purge.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { writeMailbox } from '@postrider/mail/address.ts'

type Shown = Pick<StoredEmail, 'email' | 'leaseUntil'>

const recipientRecord = (recipient: Recipient, stored: Shown, now: number) => ({
  address: recipient.address,
  kind: recipient.kind,
  status: recipientStatusAt(recipient, stored, now),
  class: recipient.class,
  reply: recipient.reply,
  next_at: isoTimeOrNull(recipient.nextAt),
})

const ofKind = (email: Email, kind: Recipient['kind']): string[] =>
  email.recipients.filter((recipient) => recipient.kind === kind).map(writeMailbox)

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
  timestamp: isoTime(shownAt(event)),
  sequence: event.sequence,
  recipient: event.recipient === null ? null : (email.recipients[event.recipient]?.address ?? null),
  reply: event.reply ?? null,
  class: event.class ?? null,
  cause: shownCause(event),
})

/** Returns the email record of the API, as lists show it. */
export const emailRecord = (stored: Shown, now: number) => {
  const { email } = stored
  return {
    object: 'email',
    id: email.id,
    status: statusAt(stored, now),
    mode: email.mode,
    created_at: isoTime(acceptedAt(email)),
    scheduled_at: isoTimeOrNull(email.scheduledAt),
    expires_at: isoTimeOrNull(email.expiresAt),
    from_: writeMailbox(email.from),
    to: ofKind(email, 'to'),
    cc: ofKind(email, 'cc'),
    bcc: ofKind(email, 'bcc'),
    reply_to: email.replyTo.map(writeMailbox),
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
    recipients: email.recipients.map((recipient) => recipientRecord(recipient, stored, now)),
    retention: email.retention ?? null,
    content_removed_at: isoTimeOrNull(email.contentRemovedAt ?? null),
    attachments_removed_at: isoTimeOrNull(email.attachmentsRemovedAt ?? null),
  } satisfies EmailRecord
}

/** Returns the record in JSON as a repeated request gets it: without what is stored for a shorter time. */
export const storedRecordJson = (email: Email, now: number): string =>
  JSON.stringify(emailRecord({ email: withoutShortLived(email), leaseUntil: null }, now))

/** Returns the record with its attempts, all their SMTP steps, and its events. */
export const emailRecordInFull = (stored: StoredEmail, now: number) =>
  ({
    ...emailRecord(stored, now),
    attempts: stored.email.attempts.map((attempt) => attemptRecord(stored.email, attempt)),
    events: stored.email.events.map((event) => eventRecord(stored.email, event)),
  }) satisfies EmailDetail
