import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { afterFailure, maySpanDays } from '@postrider/domain/idempotency/claim.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { type AcceptOutcome, acceptEmail, countStored, type Deps } from './acceptEmail.ts'
import type { Submission } from './composeEmail.ts'

/** `isNamed`: the caller has chosen the id, and repeats the call with it if no response arrives. */
type Unkeyed = { isRepeat: boolean; isNamed: boolean }

/**
 * Accepts mail without an `Idempotency-Key`. A repeated call has the id of the first, so it finds the email that the first has
 * inserted. If there is none, the first may still be running: both use one id, so that one of them inserts the email and both
 * reserve the same sends. A void id stays unused, because a repeated call could not find the email under another one.
 */
export const acceptUnkeyed = async (deps: Deps, submission: Submission, unkeyed: Unkeyed): Promise<AcceptOutcome> => {
  const outcome = await acceptOrFind(deps, submission, unkeyed)
  // The gateway does not wait again.
  await deps.durable.settled()
  return outcome
}

const acceptOrFind = async (
  deps: Deps,
  submission: Submission,
  { isRepeat, isNamed }: Unkeyed,
): Promise<AcceptOutcome> => {
  const { id, at } = submission
  if (isRepeat) {
    const inserted = await deps.emails.get(id)
    if (inserted) return countAgain(deps, inserted)
    // The first call may have reserved its sends on the day before, and its day is not known here.
    if (maySpanDays(at, deps.limits.claimLeaseMs)) throw unknownOutcome()
  }
  const onVoid = async (): Promise<void> => {
    throw tookTooLong()
  }
  try {
    return await acceptEmail(deps, submission, { onVoid: isNamed ? onVoid : undefined })
  } catch (thrown) {
    const end = afterFailure(thrown instanceof Fault ? thrown.code : null)
    if (!isRepeat || end !== 'release') throw thrown
    // After a refusal the first call must not accept the mail. If it has, this call was refused for no reason.
    if (await deps.emails.tombstone(id)) throw thrown
    const inserted = await deps.emails.get(id)
    if (inserted === null) throw thrown
    return countAgain(deps, inserted)
  }
}

/** The process that inserted the email has announced it; if it died before that, the sweep does. */
const countAgain = async (deps: Deps, inserted: StoredEmail): Promise<AcceptOutcome> => ({
  ...(await countStored(deps, inserted)),
  email: null,
})

const unknownOutcome = (): Fault =>
  new Fault('unavailable', 'Part of the service is unavailable; try again in a few seconds.', { retryAfterMs: 1_000 })

const tookTooLong = (): Fault =>
  new Fault('unavailable', 'The request took too long and was not accepted; send it again.', { retryAfterMs: 1_000 })
