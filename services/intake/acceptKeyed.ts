import type { Idempotency } from '@postrider/contracts/services.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { responseExpiresAt } from '@postrider/domain/idempotency/claim.ts'
import { withoutShortLived } from '@postrider/domain/retention/purge.ts'
import { checkMessage, isWithinKey } from './acceptance.ts'
import { type AcceptedEmail, type AcceptOutcome, acceptEmail, countStored, type Deps } from './acceptEmail.ts'
import { claimKey, endFailedClaim, inFlight, type KeyResponse, keyScope, replaceId, storeResponse } from './claimKey.ts'
import type { Submission } from './composeEmail.ts'
import { emailRecord } from './emailRecord.ts'
import type { HeldKey } from './keyLeases.ts'

/**
 * Accepts an email under its `Idempotency-Key`, or returns the stored response of the first request with it.
 * @throws Fault of the refusal; `idempotency_in_flight`; `idempotency_mismatch`
 */
export const acceptKeyed = async (
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
    await deps.durable.settled()
    return { email: null, reply: claim.reply }
  }
  const { held, takenOver } = claim
  return underKey(deps, { held, takenOver, submission: { ...fresh, id: claim.emailId, at: claim.acceptedAt } })
}

/**
 * Refuses what the key may not send before its `Idempotency-Key` is read: the response to another key's request is not for it.
 * @throws Fault `forbidden`, `validation_failed` with all problems
 */
const refuseBeyondKey = async (deps: Deps, submission: Submission): Promise<void> => {
  if (!isWithinKey(submission)) await checkMessage(deps, submission)
}

type ClaimedSend = { held: HeldKey; takenOver: boolean; submission: Submission }

/** Accepts the email of a claimed key and stores the response, or ends the claim. */
const underKey = async (deps: Deps, { held, takenOver, submission }: ClaimedSend): Promise<AcceptOutcome> => {
  let { id: emailId } = submission
  const onVoid = async (from: string, to: string): Promise<void> => {
    emailId = to
    await replaceId(deps, held, { from, to })
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
    await storeResponse(deps, held, responseOf(deps, submission, accepted))
    return accepted
  } catch (thrown) {
    const beforeRelease = () => (takenOver ? preventEmail(deps, emailId) : Promise.resolve())
    await endFailedClaim(deps, { held, emailId, isBegun, thrown, beforeRelease })
    throw thrown
  }
}

/** The response to a repeated request outlives content that is stored for a shorter time, so it is stored without that. */
const responseOf = ({ limits, now }: Deps, { at }: Submission, { email, reply }: AcceptedEmail): KeyResponse => ({
  emailId: reply.id,
  status: reply.status,
  body:
    email.retention === undefined
      ? reply.bodyJson
      : JSON.stringify(emailRecord({ email: withoutShortLived(email), leaseUntil: null }, now())),
  expiresAt: responseExpiresAt(at, [scheduledInStore(email)], limits.idempotencyMs),
})

/**
 * Makes an id void before its key is released: an earlier run of the request may still insert its email, and the next
 * request with the key would be a second one.
 * @throws Fault `idempotency_in_flight`: the email exists
 */
const preventEmail = async ({ emails }: Deps, id: string): Promise<void> => {
  if (await emails.tombstone(id)) return
  throw inFlight('An earlier request with this Idempotency-Key was accepted; repeat this one for its response.')
}
