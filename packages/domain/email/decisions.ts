import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import { waitingRecipients } from './due.ts'
import type { Attempt, Email, EventCause, Recipient, Resolution, StoredEmail, SystemReason } from './email.ts'
import { maxDeaths } from './leases.ts'
import { withRefund } from './sends.ts'
import { cancelableStatuses, type EmailStatus, statusAt } from './status.ts'

/** Fails the recipients that still wait when the email has expired: an expired one-time code is useless. */
export const expire = (email: Email, at: number): Email => {
  if (email.expiresAt === null || email.expiresAt > at) return email
  const numbers = waitingRecipients(email)
  if (numbers.length === 0) return email
  const why = email.held === undefined ? '' : ` ${email.held.reason}`
  return endUnsent(email, numbers, at, {
    reply: `Not delivered before expires_in had passed.${why}`,
    reason: 'expired',
  })
}

/** Reason why the service decides something: a text for people, and the rule. */
export type Reason = { reply: string; reason: SystemReason }

/** Fails recipients. Their sends are returned to the quota if there was no attempt. */
export const endUnsent = (email: Email, numbers: number[], at: number, { reply, reason }: Reason): Email =>
  fail(email, numbers, at, reply, { kind: 'system', reason })

const fail = (email: Email, numbers: number[], at: number, reply: string, cause: EventCause): Email => {
  const ended = endRecipients(email, numbers, at, { status: 'failed', reply }, cause)
  return email.attempts.length === 0 ? withRefund(ended, numbers) : ended
}

/**
 * Returns whether a stored email is parked: recipients wait, and no worker gets it because too many died while they had
 * it.
 */
export const isParked = ({ email, nextAt, leaseUntil, deaths }: StoredEmail): boolean =>
  nextAt === null && leaseUntil === null && deaths >= maxDeaths && waitingRecipients(email).length > 0

/**
 * Returns whether a recipient of parked mail that waits may have the message: the final dot was sent, and no reply was
 * seen.
 */
export const mayHaveArrived = (email: Email): boolean => mayRepeat(endOrphans(email, 0), waitingRecipients(email))

/**
 * Fails the recipients of parked mail that still wait. First it ends the attempts that dead workers left, as a claim
 * would: under `hold` a recipient that may have the message becomes `unknown`, and its sender decides.
 * @param actor who requested it; see `EventCause`
 */
export const dropped = (email: Email, at: number, actor: string): Email => {
  const ended = endOrphans(email, at)
  const numbers = waitingRecipients(ended)
  if (numbers.length === 0) return ended
  const doubt = mayRepeat(ended, numbers) ? ' The message may have been delivered.' : ''
  const reply = `Our workers stopped repeatedly while they had this email, so the operator ended it.${doubt}`
  return fail(ended, numbers, at, reply, { kind: 'request', actor })
}

/** Returns whether the email was canceled. The email's status does not show it when another recipient is suppressed. */
export const isCanceled = ({ recipients }: Email): boolean => recipients.some(({ status }) => status === 'canceled')

const cancelable: ReadonlySet<EmailStatus> = new Set(cancelableStatuses)

/**
 * Returns whether the email may still be canceled or moved to another time: it has no attempt, it is not leased, and
 * it waits.
 */
export const isCancelable = (stored: StoredEmail, now: number): boolean => {
  const isLeased = stored.leaseUntil !== null && stored.leaseUntil > now
  return stored.email.attempts.length === 0 && !isLeased && cancelable.has(statusAt(stored, now))
}

/**
 * Cancels the recipients that still wait and returns their sends to the quota.
 * @param actor who requested it; see `EventCause`
 */
export const canceled = (email: Email, at: number, actor: string): Email => {
  const numbers = waitingRecipients(email)
  return withRefund(endRecipients(email, numbers, at, { status: 'canceled' }, { kind: 'request', actor }), numbers)
}

/** Returns the numbers of the recipients that wait for a person: sent to, with no reply seen. */
export const unknownRecipients = ({ recipients }: Email): number[] =>
  recipients.flatMap(({ status }, number) => (status === 'unknown' ? [number] : []))

/** Applies a decision by `actor` to every recipient in doubt. `retry` makes them due immediately. */
export const resolved = (email: Email, as: Resolution, at: number, actor: string): Email => {
  const numbers = unknownRecipients(email)
  const cause = { kind: 'request', actor } as const
  if (as !== 'retry')
    return endRecipients(email, numbers, at, { status: as, reply: `Resolved by a person: ${as}.` }, cause)
  const reply = 'Resolved by a person: sent again.'
  const change = (recipient: Recipient): Recipient => ({ ...recipient, status: 'deferred', reply, nextAt: at })
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply, cause }))
  return withEvents(withRecipients(email, numbers, change), at, drafts)
}

type Ending = { status: 'delivered' | 'failed' | 'canceled'; reply?: string }

/** Gives recipients a final status, with an event for each. */
const endRecipients = (
  email: Email,
  numbers: readonly number[],
  at: number,
  ending: Ending,
  cause: EventCause,
): Email => {
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, ...ending, nextAt: null }))
  const { status, ...rest } = ending
  const drafts = numbers.map((recipient): EventDraft => ({ type: `email.${status}`, recipient, ...rest, cause }))
  return withEvents(after, at, drafts)
}

/** Recipients that an attempt left in doubt: its final dot may have been sent, and no reply was seen. */
const inDoubtAfter = ({ outcome, committed }: Attempt): readonly number[] =>
  outcome === 'unknown' ? (committed ?? []) : []

/** Returns whether an attempt to these recipients may deliver the message a second time. */
export const mayRepeat = (email: Email, numbers: readonly number[]): boolean =>
  email.attempts.some((attempt) => inDoubtAfter(attempt).some((number) => numbers.includes(number)))

const workerDied = 'Our worker stopped after the final dot and before the reply.'

/**
 * Ends the attempts that a dead worker left without an outcome. Their recipients that may have been sent to become
 * `unknown` under `hold`; under `retry` they are due immediately, and no try of the schedule is used. An attempt ends
 * only once, so a recipient that a person resolved as `retry` does not become `unknown` again.
 */
export const endOrphans = (email: Email, at: number): Email => {
  const orphans = email.attempts.filter(({ outcome }) => outcome === null)
  if (orphans.length === 0) return email
  const ended = {
    ...email,
    attempts: email.attempts.map((attempt) => (orphans.includes(attempt) ? endOrphan(attempt) : attempt)),
  }
  return orphans.reduce((after, { id, committed }) => {
    const waiting = (committed ?? []).filter((number) => (after.recipients[number]?.nextAt ?? null) !== null)
    return email.onUnknown === 'hold'
      ? leftUnknown(after, waiting, at, id)
      : postpone(after, waiting, at, { reply: workerDied, reason: 'worker_died', attempt: id })
  }, ended)
}

const endOrphan = (attempt: Attempt): Attempt => ({
  ...attempt,
  outcome: attempt.committed === null ? 'lost' : 'unknown',
  reply: workerDied,
})

const leftUnknown = (email: Email, numbers: readonly number[], at: number, attempt: string): Email => {
  const cause = { kind: 'system', reason: 'worker_died', attempt } as const
  const reason = { reply: workerDied, class: 'unknown' } as const
  const held = withRecipients(email, numbers, (recipient) => ({
    ...recipient,
    ...reason,
    status: 'unknown',
    nextAt: null,
  }))
  const drafts = numbers.map((recipient) => ({ type: 'email.unknown' as const, recipient, ...reason, cause }))
  return withEvents(held, at, drafts)
}

/**
 * Makes recipients `deferred` for a reason of ours. They stay due and use no try of the schedule. The event is needed
 * because an earlier one made them `sending`.
 */
export const postpone = (
  email: Email,
  numbers: readonly number[],
  at: number,
  { reply, reason, attempt }: Reason & { attempt: string },
): Email => {
  const cause = { kind: 'system', reason, attempt } as const
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, status: 'deferred', reply }))
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply, cause }))
  return withEvents(after, at, drafts)
}
