import { isBatchId } from '@postrider/domain/email/batch.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { responseExpiresAt } from '@postrider/domain/idempotency/claim.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore, KeyInFlight } from '@postrider/ports/idempotency.ts'
import { batchResponse } from './batchResponse.ts'
import { storedRecordJson } from './emailRecord.ts'

export type FinishRunningDeps = {
  emails: Pick<EmailStore, 'get' | 'completeBatch' | 'batchEmails'>
  idempotency: Pick<IdempotencyStore, 'inFlight' | 'finish'>
  /** Time for which a response is stored, in milliseconds. */
  idempotencyMs: number
  now: Clock
  slices: Slices
}

/**
 * Stores the responses of requests that have accepted mail and still run, so that an erasure finds them: a request
 * composes its response before it stores it, and would store an address that was erased in between. Its own response
 * then changes nothing, because the first response to a key stays. A request that has not accepted mail yet is not
 * affected: it counts as sent after the erasure.
 * @param isAbout selects keys by the email or batch that they have fixed
 */
export const finishRunning = async (
  deps: FinishRunningDeps,
  workspace: string,
  isAbout: (emailId: string) => boolean,
): Promise<void> => {
  for (const key of await deps.idempotency.inFlight(workspace)) {
    if (!isAbout(key.emailId)) continue
    const accepted = await acceptedUnder(deps, workspace, key)
    if (accepted === null) continue
    const expiresAt = responseExpiresAt(key.acceptedAt, accepted.emails.map(scheduledInStore), deps.idempotencyMs)
    const { scope, key: name, emailId } = key
    await deps.idempotency.finish({ scope, key: name, emailId, status: 202, body: accepted.body, expiresAt })
  }
}

type Accepted = { emails: Email[]; body: string }

/** Returns what a key has accepted, with the response as it is stored; null: nothing yet. */
const acceptedUnder = async (
  deps: FinishRunningDeps,
  workspace: string,
  { emailId: id }: KeyInFlight,
): Promise<Accepted | null> => {
  const { emails, now, slices } = deps
  if (!isBatchId(id)) {
    const email = (await emails.get(id))?.email
    if (email === undefined) return null
    return {
      emails: [email],
      body: storedRecordJson(email, now()),
    }
  }
  const batch = await emails.completeBatch(id, now())
  if (batch === null) return null
  const accepted = await emails.batchEmails({ id, workspace }, batch.items)
  const { storedJson } = await slices.of(workspace).begin(batchResponse(accepted, batch.results, now()))
  return { emails: accepted, body: storedJson }
}
