import { withEvents, withRecipients } from './changes.ts'
import type { Attempt, Email, Recipient } from './email.ts'

/** Recipients an attempt left in doubt: its final dot may have gone out, and no reply was seen. */
const doubtful = ({ outcome, committed }: Attempt): readonly number[] =>
  outcome === 'unknown' ? (committed ?? []) : []

/** Whether sending to these recipients now might be the second time. */
export const mayRepeat = (email: Email, numbers: readonly number[]): boolean =>
  email.attempts.some((attempt) => doubtful(attempt).some((number) => numbers.includes(number)))

const isWaiting = (recipient: Recipient | undefined): boolean => (recipient?.nextAt ?? null) !== null

/**
 * Ends the attempts that a dead worker left without an outcome. Those of their recipients that may have been sent to
 * are `unknown` from now on under `hold`; under `retry` they are due at once, and a worker's death is no try of the
 * schedule. An attempt ends once only: who says `retry` to an `unknown` recipient isn't asked again about it.
 */
export const endOrphans = (email: Email, at: number): Email => {
  const orphans = email.attempts.filter(({ outcome }) => outcome === null)
  if (orphans.length === 0) return email
  const ended = {
    ...email,
    attempts: email.attempts.map((attempt) => (orphans.includes(attempt) ? end(attempt) : attempt)),
  }
  const committed = new Set(orphans.flatMap((orphan) => orphan.committed ?? []))
  const waiting = [...committed].filter((number) => isWaiting(email.recipients[number]))
  return email.onUnknown === 'hold' ? hold(ended, waiting, at) : putOff(ended, waiting, at, workerDied)
}

const workerDied = 'Our worker stopped after the final dot and before the reply.'

const end = (attempt: Attempt): Attempt => ({
  ...attempt,
  outcome: attempt.committed === null ? 'lost' : 'unknown',
  reply: workerDied,
})

const hold = (email: Email, numbers: readonly number[], at: number): Email => {
  const change = { status: 'unknown', class: 'unknown', reply: workerDied } as const
  const held = withRecipients(email, numbers, (recipient) => ({ ...recipient, ...change, nextAt: null }))
  const drafts = numbers.map((recipient) => ({
    type: 'email.unknown' as const,
    recipient,
    reply: workerDied,
    class: change.class,
  }))
  return withEvents(held, at, drafts)
}

/**
 * Recipients who were told to be sent to, and go again at once for a reason of ours: no try of the schedule is used.
 * The event says so, or whoever folds the events would call them `sending` still.
 */
export const putOff = (email: Email, numbers: readonly number[], at: number, reply: string): Email => {
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, status: 'deferred', reply }))
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply }))
  return withEvents(after, at, drafts)
}
