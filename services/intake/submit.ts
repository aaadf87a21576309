import type { Idempotency, Intake } from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { afterFailure, maySpanDays, responseExpiresAt } from '@postrider/domain/idempotency/claim.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import { checkMessage, isWithinKey, refuseSuspended } from './acceptance.ts'
import {
  type AcceptedEmail,
  type AcceptOutcome,
  acceptEmail,
  countStored,
  type Deps,
  type SubmitDeps,
} from './acceptEmail.ts'
import {
  claimKey,
  endFailedClaim,
  type KeyResponse,
  keyInFlightFault,
  keyScope,
  replaceId,
  storeResponse,
} from './claimKey.ts'
import type { Submission } from './composeEmail.ts'
import { storedRecordJson } from './emailRecord.ts'
import { keyLeases, type LeasedKey } from './keyLeases.ts'
import { clockOffsetsOf, followAccepted } from './testClocks.ts'

/**
 * Accepts an email or refuses it. A suspended workspace is refused first. Each step may be repeated by another request
 * after a crash. A request that fails ends its claim before the response (`afterFailure`), so the repeated request
 * takes over immediately:
 *
 * 1. claim the `Idempotency-Key`: the claim fixes the email's id and the time of acceptance. A full queue refuses new
 *    mail only, so a repeated request gets its response;
 * 2. render, and check what depends on the store and on that time: a refusal releases the key;
 * 3. reserve the sends under the email's id;
 * 4. insert the email under that id: dispatchers claim it when it is due;
 * 5. write the line of the ledger; if that is not possible now, the sweep writes it;
 * 6. store the response under the key, wait until everything is on disk, and send the due notification.
 *
 * Steps 2 to 5 are acceptEmail.ts, with the checks of acceptance.ts and the sends of sends.ts. Steps 1 and 6 are
 * `acceptKeyed`; `acceptUnkeyed` replaces them for mail without a key.
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
      ...(await clockOffsetsOf(deps, caller)),
    }
    const { email, reply } =
      idempotency === null
        ? await acceptUnkeyed(deps, submission, { isRepeat, isNamed: emailId !== undefined })
        : await acceptKeyed(deps, submission, { operation, isRepeat, ...idempotency })
    if (email) {
      await followAccepted(deps, [email])
      deps.accepted(email)
      deps.doorbell.ring(email.category, [dueOf(email)])
    }
    return reply
  }
}

/** `isNamed`: the caller has chosen the id, and repeats the call with it if no response arrives. */
type Unkeyed = { isRepeat: boolean; isNamed: boolean }

/**
 * Accepts mail without an `Idempotency-Key`. A repeated call has the id of the first, so it finds the email that the
 * first has inserted. If there is none, the first may still be running: both use one id, so that one of them inserts
 * the email and both reserve the same sends. A void id stays unused, because a repeated call could not find the email
 * under another one.
 */
const acceptUnkeyed = async (deps: Deps, submission: Submission, unkeyed: Unkeyed): Promise<AcceptOutcome> => {
  const outcome = await acceptOrFind(deps, submission, unkeyed)
  // The gateway does not wait again.
  await deps.durable.synced()
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
    if (maySpanDays(at, deps.limits.claimLeaseMs)) throw unknownOutcomeFault()
  }
  const onVoid = async (): Promise<void> => {
    throw tookTooLongFault()
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

const unknownOutcomeFault = (): Fault =>
  new Fault('unavailable', 'Part of the service is unavailable; try again in a few seconds.', { retryAfterMs: 1_000 })

const tookTooLongFault = (): Fault =>
  new Fault('unavailable', 'The request took too long; send it again.', {
    retryAfterMs: 1_000,
    accepted: 'no',
  })

/**
 * Accepts an email under its `Idempotency-Key`, or returns the stored response of the first request with it.
 * @throws Fault of the refusal; `idempotency_in_flight`; `idempotency_mismatch`
 */
const acceptKeyed = async (
  deps: Deps,
  fresh: Submission,
  { fingerprint, formerFingerprint, operation, key, isRepeat }: { operation: string; isRepeat: boolean } & Idempotency,
): Promise<AcceptOutcome> => {
  await refuseBeyondKey(deps, fresh)
  const { caller, id: emailId, at, requestId } = fresh
  const scope = keyScope(caller, operation)
  const fingerprints = { fingerprint, ...(formerFingerprint && { formerFingerprint }) }
  const lease = { leaseMs: deps.limits.claimLeaseMs, requestId, isRepeat }
  const claim = await claimKey(deps, { scope, key, ...fingerprints, emailId, at, ...lease }, 'message')
  if (claim.kind === 'replay') {
    // The response may belong to a transaction that is still open.
    await deps.durable.synced()
    return { email: null, reply: claim.reply }
  }
  const { leased, takenOver } = claim
  return underKey(deps, { leased, takenOver, submission: { ...fresh, id: claim.emailId, at: claim.acceptedAt } })
}

/**
 * Refuses what the key may not send before its `Idempotency-Key` is read: the response to another key's request is not
 * for it.
 * @throws Fault `forbidden`, `validation_failed` with all problems
 */
const refuseBeyondKey = async (deps: Deps, submission: Submission): Promise<void> => {
  if (!isWithinKey(submission)) await checkMessage(deps, submission)
}

type ClaimedSend = { leased: LeasedKey; takenOver: boolean; submission: Submission }

/** Accepts the email of a claimed key and stores the response, or ends the claim. */
const underKey = async (deps: Deps, { leased, takenOver, submission }: ClaimedSend): Promise<AcceptOutcome> => {
  let { id: emailId } = submission
  const onVoid = async (from: string, to: string): Promise<void> => {
    emailId = to
    await replaceId(deps, leased, { from, to })
  }
  let isBegun = takenOver
  const onBegin = (): void => {
    isBegun = true
  }
  try {
    const existing = takenOver ? await deps.emails.get(emailId) : null
    const accepted = existing
      ? await countStored(deps, existing)
      : await acceptEmail(deps, submission, { onBegin, onVoid })
    await storeResponse(deps, leased, responseOf(deps, submission, accepted))
    return accepted
  } catch (thrown) {
    const beforeRelease = () => (takenOver ? preventEmail(deps, emailId) : Promise.resolve())
    await endFailedClaim(deps, { leased, emailId, isBegun, thrown, beforeRelease })
    throw thrown
  }
}

/**
 * The response to a repeated request outlives content that is stored for a shorter time, so it is stored without that.
 */
const responseOf = ({ limits, now }: Deps, { at }: Submission, { email, reply }: AcceptedEmail): KeyResponse => ({
  emailId: reply.id,
  status: reply.status,
  body: email.retention === undefined ? reply.bodyJson : storedRecordJson(email, now()),
  expiresAt: responseExpiresAt(at, [scheduledInStore(email)], limits.idempotencyMs),
})

/**
 * Makes an id void before its key is released: an earlier run of the request may still insert its email, and the next
 * request with the key would be a second one.
 * @throws Fault `idempotency_in_flight`: the email exists
 */
const preventEmail = async ({ emails }: Deps, id: string): Promise<void> => {
  if (await emails.tombstone(id)) return
  throw keyInFlightFault('An earlier request with this Idempotency-Key was accepted; repeat this one for its response.')
}
