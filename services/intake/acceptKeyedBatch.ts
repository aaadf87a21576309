import { hash } from 'node:crypto'
import type { Idempotency, StagedBatch, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { responseExpiresAt } from '@postrider/domain/idempotency/claim.ts'
import { hasCode } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { isWithinKey } from './acceptance.ts'
import {
  type AcceptedBatch,
  acceptBatch,
  allRefusals,
  type BatchOutcome,
  lostPartFault,
  type Run,
  responseTo,
  sendsIn,
} from './acceptBatch.ts'
import type { Deps } from './acceptEmail.ts'
import { batchFault } from './batchMails.ts'
import { claimKey, endFailedClaim, keyScope, otherRunsFault, replaceId, storeResponse } from './claimKey.ts'
import { discardStaged } from './discardStaged.ts'
import type { LeasedKey } from './keyLeases.ts'
import { commitSends, reserveSends } from './sends.ts'

/** Accepts a batch under its `Idempotency-Key`, or returns the stored response of the first request with it. */
export const acceptKeyedBatch = async (run: Run, { key, fingerprint }: Idempotency): Promise<BatchOutcome> => {
  const { deps, request } = run
  const { caller, requestId, staged, operation, isRepeat = false } = request
  await refuseBeyondKey(run)
  const at = deps.now()
  const own = staged ?? { id: newId('bat'), at }
  const claimRequest = {
    scope: keyScope(caller, operation),
    key,
    fingerprint: keyedFingerprint(run, fingerprint),
    emailId: own.id,
    at,
    leaseMs: deps.limits.claimLeaseMs,
    requestId,
    isRepeat,
  }
  const claim = await claimKey(deps, claimRequest, 'batch')
  if (claim.kind === 'replay') {
    await deps.durable.synced()
    return { emails: [], reply: claim.reply, isNew: false }
  }
  const { leased, takenOver, emailId: id, acceptedAt } = claim
  return underKey(run, { leased, own, earlier: takenOver ? { id, at: acceptedAt } : null })
}

/** Refuses what the key may not send before its `Idempotency-Key` is read; see submit.ts. */
const refuseBeyondKey = async (run: Run): Promise<void> => {
  const { caller, mails, isPermissive } = run.request
  const beyond = isPermissive ? [] : mails.filter(({ mail }) => !isWithinKey({ caller, mail }))
  const refusals = beyond.length === 0 ? [] : await allRefusals(run, beyond)
  if (refusals.length > 0) throw batchFault(refusals)
}

/**
 * A limited key may get another result for the same permissive batch, so that the response to another key is not for
 * it.
 */
const keyedFingerprint = ({ request: { caller, isPermissive } }: Run, fingerprint: Uint8Array): Uint8Array => {
  const { domains, recipients } = caller
  if (!isPermissive || domains.length + recipients.length === 0) return fingerprint
  const limits = JSON.stringify([domains.toSorted(), recipients.toSorted()])
  return hash('sha256', Buffer.concat([fingerprint, Buffer.from(limits)]), 'buffer')
}

/** `own`: the batch of this run. `earlier`: that of the run whose claim was taken over. */
type ClaimedBatch = { leased: LeasedKey; own: StagedBatch; earlier: StagedBatch | null }

/** Accepts the batch of a claimed key and stores the response, or ends the claim. */
const underKey = async (run: Run, { leased, own, earlier }: ClaimedBatch): Promise<BatchOutcome> => {
  const { deps, request } = run
  let id = earlier?.id ?? own.id
  const replace = async (next: StagedBatch): Promise<StagedBatch> => {
    await replaceId(deps, leased, { from: id, to: next.id })
    id = next.id
    return next
  }
  let isBegun = earlier !== null
  const begun = (): void => {
    isBegun = true
  }
  const acceptNew = async (): Promise<AcceptedBatch> => {
    if (earlier !== null) {
      await releaseSends(deps, request, earlier)
      await discardStaged(deps, earlier)
      // The staged messages were part of the batch that is void now.
      if (earlier.id === request.staged?.id) throw lostPartFault()
      await replace(own)
    }
    return acceptBatch(run, own, () => replace({ id: newId('bat'), at: deps.now() }), begun)
  }
  try {
    const isAccepted = earlier !== null && !(await deps.emails.voidBatch(earlier.id, deps.now()))
    const accepted = isAccepted ? await responseOfEarlier(run, id) : await acceptNew()
    await storeResponse(deps, leased, {
      emailId: id,
      status: accepted.reply.status,
      body: accepted.storedJson,
      expiresAt: responseExpiresAt(own.at, accepted.emails.map(scheduledInStore), deps.limits.idempotencyMs),
    })
    return accepted
  } catch (thrown) {
    await endFailedClaim(deps, { leased, emailId: id, isBegun, thrown })
    throw thrown
  }
}

/** Releases the sends of a void batch immediately: they may be the last of the quota. */
const releaseSends = async (deps: Deps, { caller }: SubmitBatchRequest, earlier: StagedBatch): Promise<void> => {
  if (caller.mode !== 'live') return
  const at = (await deps.emails.batch(earlier.id))?.at ?? earlier.at
  const entry = { workspace: caller.workspace, id: earlier.id, count: 1, at }
  try {
    // A repeated reservation returns the first one's token. If there was none, this one is released.
    const { token } = await deps.quota.Reserve(entry)
    await deps.quota.Settle({ pending: { ...entry, token }, there: false })
  } catch (thrown) {
    if (!hasCode(thrown, 'quota_exceeded')) throw thrown
  }
}

/** Completes the accepted batch of an earlier run and returns its response. */
const responseOfEarlier = async ({ deps, request }: Run, id: string): Promise<AcceptedBatch> => {
  const batch = await deps.emails.completeBatch(id, deps.now())
  if (batch === null) throw otherRunsFault()
  const { workspace } = request.caller
  const reserved = await reserveSends(deps, { workspace, id, count: sendsIn(batch.items), at: batch.at })
  await commitSends(deps, reserved)
  const emails = await deps.emails.batchEmails({ id, workspace }, batch.items)
  return responseTo(deps, workspace, { batch, emails, reserved })
}
