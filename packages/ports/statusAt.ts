import { emailStatus } from '@postrider/mail/status.ts'
import type { EmailStatus, Recipient, RecipientStatus, StoredEmail } from './emails.ts'

const waiting: ReadonlySet<RecipientStatus> = new Set(['scheduled', 'queued', 'deferred'])

type Leased = Pick<StoredEmail, 'email' | 'leaseUntil'>

/** A recipient's status for a reader at `now`: while somebody holds the email, what is due of it is being sent. */
export const recipientStatusAt = (recipient: Recipient, { leaseUntil }: Pick<Leased, 'leaseUntil'>, now: number) =>
  leaseUntil !== null && leaseUntil > now && waiting.has(recipient.status) && (recipient.nextAt ?? Infinity) <= now
    ? 'sending'
    : recipient.status

/** An email's status for a reader at `now`. */
export const statusAt = (stored: Leased, now: number): EmailStatus =>
  emailStatus(stored.email.recipients.map((recipient) => recipientStatusAt(recipient, stored, now)))
