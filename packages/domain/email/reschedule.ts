import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import { waitingRecipients } from './due.ts'
import type { Email, Recipient } from './email.ts'
import { acceptedAt } from './testClock.ts'
import { withoutHold } from './waiting.ts'

/**
 * Returns an email that waits with another time, or the same email if it has that time already. Each recipient that
 * waits becomes `scheduled`, also for a time that has come: the dispatcher then sends it immediately. The time in which
 * it may be sent (`expires_in`) begins at the new time.
 * @param dueAt not before `at`; both by the clock of the email (`emailTime`)
 * @param actor who requested it; see `EventCause`
 */
export const rescheduled = (email: Email, dueAt: number, at: number, actor: string): Email => {
  const numbers = waitingRecipients(email)
  const isSame = email.scheduledAt === dueAt && numbers.every((number) => isDueAt(email.recipients[number], dueAt))
  if (isSame) return email
  const wait = (recipient: Recipient): Recipient => ({ ...recipient, status: 'scheduled', reply: null, nextAt: dueAt })
  const moved = {
    ...withRecipients(withoutHold(email), numbers, wait),
    scheduledAt: dueAt,
    expiresAt: expiryOf(email, dueAt),
  }
  return withEvents(moved, at, drafts(email, numbers, actor))
}

const isDueAt = (recipient: Recipient | undefined, dueAt: number): boolean =>
  recipient?.status === 'scheduled' && recipient.nextAt === dueAt

const expiryOf = (email: Email, dueAt: number): number | null =>
  email.expiresAt === null ? null : dueAt + (email.expiresAt - (email.scheduledAt ?? acceptedAt(email)))

/** One event for all, unless some recipients do not wait: an event without a recipient is about each of them. */
const drafts = ({ recipients }: Email, numbers: readonly number[], actor: string): EventDraft[] => {
  const event = { type: 'email.scheduled', cause: { kind: 'request', actor } } as const
  return numbers.length === recipients.length
    ? [{ ...event, recipient: null }]
    : numbers.map((recipient) => ({ ...event, recipient }))
}
