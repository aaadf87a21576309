import { withEvents, withRecipients } from '@postrider/ports/changeEmail.ts'
import type { Attempt, Email } from '@postrider/ports/emails.ts'

/** Recipients an attempt leaves in doubt: its final dot may have gone out, and no reply was seen. */
const doubtful = ({ outcome, committed }: Attempt): readonly number[] =>
  outcome === null || outcome === 'unknown' ? (committed ?? []) : []

/** Whether sending to these recipients now might be the second time. */
export const mayRepeat = (email: Email, numbers: readonly number[]): boolean =>
  email.attempts.some((attempt) => doubtful(attempt).some((number) => numbers.includes(number)))

const orphaned = ({ outcome, committed }: Attempt): boolean => outcome === null && committed !== null

/**
 * An attempt without an outcome is a dead worker's. Under `hold` those of its recipients that may have been sent to are
 * `unknown` from now on; under `retry` they are due at once, and a worker's death is no try of the schedule.
 */
export const holdOrphans = (email: Email, at: number): Email => {
  if (email.onUnknown !== 'hold') return email
  const waiting = email.attempts
    .filter(orphaned)
    .flatMap(({ committed }) => committed ?? [])
    .filter((number) => (email.recipients[number]?.nextAt ?? null) !== null)
  if (waiting.length === 0) return email
  const reply = 'The worker stopped after the final dot and before the reply.'
  const held = withRecipients(email, waiting, (recipient) => ({
    ...recipient,
    status: 'unknown',
    class: 'unknown',
    reply,
    nextAt: null,
  }))
  const drafts = waiting.map((recipient) => ({ type: 'email.unknown' as const, recipient, reply }))
  return withEvents(held, at, drafts)
}
