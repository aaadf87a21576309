import { withEvents, withRecipients } from './changes.ts'
import type { Email, StoredEmail } from './email.ts'
import { statusAt } from './status.ts'

/** Whether the email was cancelled. Its status does not show it: with a suppressed recipient it is `suppressed`. */
export const isCanceled = ({ recipients }: Email): boolean => recipients.some(({ status }) => status === 'canceled')

/** Whether the email can still be cancelled: no attempt was made and no worker holds it. */
export const canCancel = (stored: StoredEmail, now: number): boolean => {
  const { email, leaseUntil } = stored
  const held = leaseUntil !== null && leaseUntil > now
  const status = statusAt(stored, now)
  return email.attempts.length === 0 && !held && (status === 'queued' || status === 'scheduled')
}

/** Returns the email with every waiting recipient cancelled; for counted mail their sends are owed to the ledger. */
export const cancel = (email: Email, at: number): Email => {
  const numbers = email.recipients.flatMap(({ nextAt }, number) => (nextAt === null ? [] : [number]))
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, status: 'canceled', nextAt: null }))
  const drafts = numbers.map((recipient) => ({ type: 'email.canceled' as const, recipient }))
  return { ...withEvents(after, at, drafts), owed: email.counted ? numbers : [] }
}
