import type { Intake } from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { afterFailure } from '@postrider/domain/idempotency/claim.ts'
import { dayOf } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import { checked, isWithinKey, refuseSuspended } from './acceptance.ts'
import {
  acceptEmail,
  countStored,
  type Deps,
  enterQueue,
  inQueue,
  type Outcome,
  type SubmitDeps,
} from './acceptEmail.ts'
import { acceptKeyed } from './acceptKeyed.ts'
import type { Submission } from './composeEmail.ts'
import { keyLeases } from './keyLeases.ts'
import { followAccepted, placeOf } from './testClocks.ts'

/**
 * Accepts an email or refuses it. A suspended workspace is refused first. Each step may be repeated by another request
 * after a crash. A request that fails ends its claim before it is answered (`afterFailure`), so the repeated request takes
 * over immediately:
 *
 * 1. claim the `Idempotency-Key`: the claim fixes the email's id and the time of acceptance. A full queue refuses new
 *    mail only, so a repeated request gets its answer;
 * 2. render, and check what depends on the store and on that time: a refusal releases the key;
 * 3. reserve the sends under the email's id;
 * 4. insert the email under that id: dispatchers claim it when it is due;
 * 5. write the line of the ledger; if that is not possible now, the sweeper writes it;
 * 6. store the answer under the key, wait until everything is on disk, and ring the doorbell.
 *
 * Steps 2 to 5 are acceptEmail.ts, with the checks of acceptance.ts and the sends of sends.ts; 1 and 6 are acceptKeyed.ts.
 */
export const submit = (given: SubmitDeps, slices = makeSlices()): Intake['Submit'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async ({ caller, mail, emailId, idempotency, operation, requestId, isRepeat = false }) => {
    refuseSuspended(caller)
    const submission: Submission = {
      caller,
      mail,
      requestId,
      traceparent: recordedTraceparent(),
      id: emailId ?? newId('em'),
      at: deps.now(),
      ...(await placeOf(deps, caller)),
    }
    if (idempotency !== null) await refuseBeyondKey(deps, submission)
    const { email, reply } =
      idempotency === null
        ? await settled(deps, acceptUnkeyed(deps, submission, { isRepeat, isNamed: emailId !== undefined }))
        : await acceptKeyed(deps, submission, { operation, isRepeat, ...idempotency })
    if (email) {
      await followAccepted(deps, [email])
      deps.accepted(email)
      deps.doorbell.ring(email.category, [dueOf(email)])
    }
    return reply
  }
}

/**
 * Refuses what the key may not send before its `Idempotency-Key` is read: the answer to another key's request is not for it.
 * @throws Fault `forbidden`, `validation_failed` with all problems
 */
const refuseBeyondKey = async (deps: Deps, submission: Submission): Promise<void> => {
  if (!isWithinKey(submission)) await checked(deps, submission)
}

/** Waits until everything is on disk; the gateway does not wait again. `acceptKeyed` waits before it ends its claim. */
const settled = async ({ durable }: Deps, accepting: Promise<Outcome>): Promise<Outcome> => {
  const outcome = await accepting
  await durable.settled()
  return outcome
}

/** `isNamed`: the caller has chosen the id, and repeats the call with it if no answer arrives. */
type Unkeyed = { isRepeat: boolean; isNamed: boolean }

/**
 * Accepts mail without an `Idempotency-Key`. A repeated call has the id of the first, so it finds the email that the first has
 * inserted. If there is none, the first may still be running: both use one id, so that one of them inserts the email and both
 * reserve the same sends. A void id stays unused, because a repeated call could not find the email under another one.
 */
const acceptUnkeyed = async (deps: Deps, submission: Submission, { isRepeat, isNamed }: Unkeyed): Promise<Outcome> => {
  const { id, at } = submission
  if (isRepeat) {
    const inserted = await deps.emails.get(id)
    if (inserted) return countAgain(deps, inserted)
    // The reservation of the first call may belong to the day before, and its day is not known here.
    if (dayOf(at) !== dayOf(at - deps.limits.claimLeaseMs)) throw unknownOutcome()
  }
  const onVoid = async (): Promise<void> => {
    throw tookTooLong()
  }
  try {
    const leave = await enterQueue(deps, submission)
    return await inQueue(leave, () => acceptEmail(deps, submission, isNamed ? onVoid : undefined))
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

/** The process that inserted the email has announced it; if it died before that, the sweeper does. */
const countAgain = async (deps: Deps, inserted: StoredEmail): Promise<Outcome> => ({
  ...(await countStored(deps, inserted)),
  email: null,
})

const unknownOutcome = (): Fault =>
  new Fault('unavailable', 'Part of the service is unavailable; try again in a few seconds.', { retryAfterMs: 1_000 })

const tookTooLong = (): Fault =>
  new Fault('unavailable', 'The request took too long and was not accepted; send it again.', { retryAfterMs: 1_000 })
