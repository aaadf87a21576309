import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import { waitingRecipients } from './due.ts'
import type { Attempt, Email, Recipient, StoredEmail } from './email.ts'
import { statusAt } from './status.ts'

/** Fails the recipients that still wait when the email has expired: a one-time code is worthless tomorrow. */
export const expire = (email: Email, at: number): Email => {
  if (email.expiresAt === null || email.expiresAt > at) return email
  const numbers = waitingRecipients(email)
  if (numbers.length === 0) return email
  const reply = 'Not delivered before expires_in had passed.'
  const ended = endRecipients(email, numbers, at, { status: 'failed', reply })
  return email.attempts.length === 0 ? withRefund(ended, numbers) : ended
}

/** Whether the email was cancelled. The email's status does not show it when another recipient is suppressed. */
export const isCanceled = ({ recipients }: Email): boolean => recipients.some(({ status }) => status === 'canceled')

/** Whether the email may still be cancelled: it has no attempt, no worker holds it, and it waits. */
export const isCancelable = (stored: StoredEmail, now: number): boolean => {
  const isHeld = stored.leaseUntil !== null && stored.leaseUntil > now
  const status = statusAt(stored, now)
  return stored.email.attempts.length === 0 && !isHeld && (status === 'queued' || status === 'scheduled')
}

/** Cancels the recipients that still wait and returns their sends to the quota. */
export const canceled = (email: Email, at: number): Email => {
  const numbers = waitingRecipients(email)
  return withRefund(endRecipients(email, numbers, at, { status: 'canceled' }), numbers)
}

/** How a person may resolve recipients in doubt. */
export const resolutions = ['delivered', 'failed', 'retry'] as const
export type Resolution = (typeof resolutions)[number]

/** Returns the numbers of the recipients that wait for a person: sent to, with no reply seen. */
export const unknownRecipients = ({ recipients }: Email): number[] =>
  recipients.flatMap(({ status }, number) => (status === 'unknown' ? [number] : []))

/** Applies a person's decision to every recipient in doubt. `retry` makes them due at once. */
export const resolved = (email: Email, as: Resolution, at: number): Email => {
  const numbers = unknownRecipients(email)
  if (as !== 'retry') return endRecipients(email, numbers, at, { status: as, reply: `Resolved by a person: ${as}.` })
  const reply = 'Resolved by a person: sent again.'
  const change = (recipient: Recipient): Recipient => ({ ...recipient, status: 'deferred', reply, nextAt: at })
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply }))
  return withEvents(withRecipients(email, numbers, change), at, drafts)
}

type Ending = { status: 'delivered' | 'failed' | 'canceled'; reply?: string }

/** Gives recipients a final status, with an event for each. */
const endRecipients = (email: Email, numbers: readonly number[], at: number, ending: Ending): Email => {
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, ...ending, nextAt: null }))
  const { status, ...rest } = ending
  const drafts = numbers.map((recipient): EventDraft => ({ type: `email.${status}`, recipient, ...rest }))
  return withEvents(after, at, drafts)
}

/** Records that the sends of these recipients are to be returned to the ledger. Mail that is not counted owes nothing. */
const withRefund = (email: Email, numbers: number[]): Email => (email.counted ? { ...email, owed: numbers } : email)

/** Recipients that an attempt left in doubt: its final dot may have been sent, and no reply was seen. */
const inDoubtAfter = ({ outcome, committed }: Attempt): readonly number[] =>
  outcome === 'unknown' ? (committed ?? []) : []

/** Whether an attempt to these recipients may deliver the message a second time. */
export const mayRepeat = (email: Email, numbers: readonly number[]): boolean =>
  email.attempts.some((attempt) => inDoubtAfter(attempt).some((number) => numbers.includes(number)))

const workerDied = 'Our worker stopped after the final dot and before the reply.'

/**
 * Ends the attempts that a dead worker left without an outcome. Their recipients that may have been sent to become
 * `unknown` under `hold`; under `retry` they are due at once, and no try of the schedule is used. An attempt ends only
 * once, so a recipient that a person resolved as `retry` does not become `unknown` again.
 */
export const endOrphans = (email: Email, at: number): Email => {
  const orphans = email.attempts.filter(({ outcome }) => outcome === null)
  if (orphans.length === 0) return email
  const ended = {
    ...email,
    attempts: email.attempts.map((attempt) => (orphans.includes(attempt) ? endOrphan(attempt) : attempt)),
  }
  const committed = new Set(orphans.flatMap((orphan) => orphan.committed ?? []))
  const waiting = [...committed].filter((number) => (email.recipients[number]?.nextAt ?? null) !== null)
  return email.onUnknown === 'hold' ? hold(ended, waiting, at) : postpone(ended, waiting, at, workerDied)
}

const endOrphan = (attempt: Attempt): Attempt => ({
  ...attempt,
  outcome: attempt.committed === null ? 'lost' : 'unknown',
  reply: workerDied,
})

const hold = (email: Email, numbers: readonly number[], at: number): Email => {
  const reason = { reply: workerDied, class: 'unknown' } as const
  const held = withRecipients(email, numbers, (recipient) => ({
    ...recipient,
    ...reason,
    status: 'unknown',
    nextAt: null,
  }))
  const drafts = numbers.map((recipient) => ({ type: 'email.unknown' as const, recipient, ...reason }))
  return withEvents(held, at, drafts)
}

/**
 * Makes recipients `deferred` for a reason of ours. They stay due and use no try of the schedule. The event is needed
 * because an earlier one made them `sending`.
 */
export const postpone = (email: Email, numbers: readonly number[], at: number, reply: string): Email => {
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, status: 'deferred', reply }))
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply }))
  return withEvents(after, at, drafts)
}
