import type { Caller, SubmitReply } from '@postrider/contracts/services.ts'
import { afterFailure, type ClaimRequest } from '@postrider/domain/idempotency/claim.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { KeyLeases, LeasedKey } from './keyLeases.ts'

/* How a send and a batch claim their `Idempotency-Key`, store the response under it, and end a claim that failed. */

/** Returns the scope of a key: each operation has keys of its own in a mode of a workspace. */
export const keyScope = ({ workspace, mode }: Pick<Caller, 'workspace' | 'mode'>, operation: string): string =>
  `${workspace} ${mode} ${operation}`

export type ClaimedKey = {
  kind: 'claimed'
  leased: LeasedKey
  /** The id that the first request with the key chose, and its time of acceptance. */
  emailId: string
  acceptedAt: number
  takenOver: boolean
}

/**
 * Claims a key for a request, or returns the stored response of the first request with it.
 * @throws Fault `idempotency_in_flight`; `idempotency_mismatch`
 */
export const claimKey = async (
  { leases }: { leases: Pick<KeyLeases, 'claim'> },
  request: ClaimRequest,
  noun: 'message' | 'batch',
): Promise<ClaimedKey | { kind: 'replay'; reply: SubmitReply }> => {
  const { claim, leased } = await leases.claim(request)
  switch (claim.kind) {
    case 'replay': {
      const { emailId: id, status, body: bodyJson } = claim
      return { kind: 'replay', reply: { id, status, bodyJson, replayed: true, quota: null } }
    }
    case 'in_flight':
      throw keyInFlightFault(
        'The first request with this Idempotency-Key is still running; repeat this one for its response.',
      )
    case 'mismatch': {
      const detail = `This Idempotency-Key was used with another body; use a new key for a new ${noun}.`
      throw new Fault('idempotency_mismatch', detail)
    }
    case 'claimed':
  }
  if (leased === null) throw new Error('a claim has no lease')
  const { emailId, acceptedAt, takenOver } = claim
  return { kind: 'claimed', leased, emailId, acceptedAt, takenOver }
}

export const keyInFlightFault = (detail: string): Fault =>
  new Fault('idempotency_in_flight', detail, { retryAfterMs: 1_000 })

export const otherRunsFault = (): Fault => keyInFlightFault('Another request with this Idempotency-Key is running.')

/**
 * Replaces the id that a claimed key has fixed, because it was made void while the request ran.
 * @throws Fault `idempotency_in_flight`: another request has taken over the key
 */
export const replaceId = async (
  { idempotency }: { idempotency: Pick<IdempotencyStore, 'replaceEmail'> },
  { lease }: LeasedKey,
  ids: { from: string; to: string },
): Promise<void> => {
  if (!(await idempotency.replaceEmail({ ...lease, ...ids }))) throw otherRunsFault()
}

export type KeyResponse = { emailId: string; status: number; body: string; expiresAt: number }

/** Stores the response under a claimed key, and ends the claim when everything is on disk. */
export const storeResponse = async (
  { idempotency, durable }: { idempotency: Pick<IdempotencyStore, 'finish'>; durable: Durable },
  leased: LeasedKey,
  response: KeyResponse,
): Promise<void> => {
  const { scope, key } = leased.lease
  await idempotency.finish({ scope, key, ...response })
  await durable.synced()
  leased.done()
}

export type FailedClaim = {
  leased: LeasedKey
  /** The id that the key has now. */
  emailId: string
  /** False: nothing was begun under the key, for example because the queue is full, so the key is free again. */
  isBegun: boolean
  thrown: unknown
  /** Runs before the key is released; absent: nothing has to. */
  beforeRelease?: () => Promise<void>
}

/** Releases the key of a refused request, or ends its lease if the client should repeat it. */
export const endFailedClaim = async (
  { idempotency }: { idempotency: Pick<IdempotencyStore, 'release'> },
  { leased, emailId, isBegun, thrown, beforeRelease = async () => {} }: FailedClaim,
): Promise<void> => {
  const end = afterFailure(thrown instanceof Fault ? thrown.code : null)
  try {
    if (end === 'release' || !isBegun) {
      await beforeRelease()
      await idempotency.release({ ...leased.lease, emailId })
    } else if (end === 'end') await leased.end()
    leased.done()
  } catch (failed) {
    await leased.end()
    throw failed
  }
}
