import { withEvents, withRecipients } from './changes.ts'
import type { Attempt, Email } from './email.ts'

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
