import { dayMs, dayOf } from '../time.ts'

/**
 * The state machine of an idempotency key. A record is created by the first request and is in flight until that request
 * has a response; then repeated requests get it until it expires.
 *
 * | record | request | result |
 * |---|---|---|
 * | none, or its response has expired | any | creates the record: claimed |
 * | any other | another body | mismatch |
 * | answered | same body | replay |
 * | in flight, lease not over | same body | in flight |
 * | in flight, lease not over | same body, repeated by the gateway for the request that holds the lease | renews the lease: claimed |
 * | in flight, lease over: the claimant failed or died | same body | renews the lease: claimed, with the first id and time |
 *
 * A request that fails ends its claim itself (`afterFailure`); only the lease of a process that died expires.
 */
export type KeyRecord = {
  fingerprint: Uint8Array
  emailId: string
  acceptedAt: number
  leaseUntil: number
  /** The request that holds the lease; null: a process of an earlier release claimed the key. */
  requestId: string | null
  /** Null while the first request runs. */
  response: { status: number; body: string; expiresAt: number } | null
}

/** A request with an `Idempotency-Key`. A key belongs to one workspace, mode and operation (`scope`). */
export type ClaimRequest = {
  scope: string
  key: string
  /** Hash of the request's body. */
  fingerprint: Uint8Array
  /** The hash that release 0.1 stored for this body; absent: the same. */
  formerFingerprint?: Uint8Array
  /** Used when the record is created; later claims get the id of the first. */
  emailId: string
  /** The current time. A record stores it as the time of acceptance. */
  at: number
  leaseMs: number
  /** Id of the HTTP request. */
  requestId: string
  /** Whether the gateway repeats its call because the response to an earlier one was lost. Default: false. */
  isRepeat?: boolean
}

/**
 * Names one claim of a key: a write that ends a claim requires that the record still has both values. Each takeover
 * changes one of them.
 */
export type Lease = { scope: string; key: string; requestId: string; leaseUntil: number }

/** Result of a claim of a key by a request. */
export type Claim =
  /** `acceptedAt` fixes the month and day that the sends are counted in. */
  | { kind: 'claimed'; emailId: string; acceptedAt: number; takenOver: boolean; leaseUntil: number }
  | { kind: 'replay'; emailId: string; status: number; body: string }
  | { kind: 'in_flight' }
  | { kind: 'mismatch' }

/** Result of a claim, and the write on which it depends. If the record changed since it was read, decide again. */
export type Decision =
  | { write: 'create'; record: KeyRecord; claim: Claim }
  | { write: 'renew'; leaseUntil: number; requestId: string; claim: Claim }
  | { write: null; claim: Claim }

/**
 * Time for which an unanswered record is stored after its lease, in milliseconds: its process died and its client did
 * not repeat it.
 */
export const abandonedMs = dayMs

/**
 * Returns when an unanswered record may be deleted.
 * @param leaseUntil when the lease ends, or would have ended; release 0.1 stored 0 for an ended one, so its day counts
 *   from the acceptance
 */
export const forgetAt = ({ acceptedAt, leaseUntil }: Pick<KeyRecord, 'acceptedAt' | 'leaseUntil'>): number =>
  Math.max(acceptedAt, leaseUntil) + abandonedMs

/** The end of a lease that is over at any time. The store keeps when it would have ended, for `forgetAt`. */
export const endedLease = 0

/**
 * Decides what happens to the claim of a request that failed with a code of `Fault`; null: with any other error.
 * - `release`: the request was refused, so the record is deleted and the key is free. A request that took over makes
 *   the email's id void before, because an earlier run may still insert the email.
 * - `end`: the client is to repeat the request. Part of it may be done under the email's id, so the record stays
 *   and only its lease ends.
 * - `keep`: another request holds the lease.
 */
export const afterFailure = (code: string | null): 'release' | 'end' | 'keep' => {
  if (code === 'idempotency_in_flight') return 'keep'
  return code === null || code === 'internal' || code === 'unavailable' ? 'end' : 'release'
}

/**
 * Returns whether a call at `at` may repeat a first call of the day before, in UTC. A first call can run up to
 * `leaseMs` earlier, and its sends count on its own day.
 */
export const maySpanDays = (at: number, leaseMs: number): boolean => dayOf(at) !== dayOf(at - leaseMs)

/**
 * Returns when the response to a key expires: `keepMs` after acceptance, or after the last scheduled time of its mail
 * if that is later.
 * @param scheduledAts null: the email is sent immediately
 */
export const responseExpiresAt = (
  acceptedAt: number,
  scheduledAts: readonly (number | null)[],
  keepMs: number,
): number => {
  let last = acceptedAt
  for (const at of scheduledAts) if (at !== null && at > last) last = at
  return last + keepMs
}

/** Decides what a request with a known or new key may do. */
export const decide = (record: KeyRecord | null, request: ClaimRequest): Decision => {
  const { fingerprint, formerFingerprint = fingerprint, emailId, at, leaseMs, requestId, isRepeat = false } = request
  const response = record?.response ?? null
  if (record === null || (response !== null && response.expiresAt <= at)) {
    const leaseUntil = at + leaseMs
    return {
      write: 'create',
      record: { fingerprint, emailId, acceptedAt: at, leaseUntil, requestId, response: null },
      claim: { kind: 'claimed', emailId, acceptedAt: at, takenOver: false, leaseUntil },
    }
  }
  const isOf = (body: Uint8Array): boolean => Buffer.compare(record.fingerprint, body) === 0
  if (!isOf(fingerprint) && !isOf(formerFingerprint)) return { write: null, claim: { kind: 'mismatch' } }
  if (response !== null) {
    const { status, body } = response
    return { write: null, claim: { kind: 'replay', emailId: record.emailId, status, body } }
  }
  // Both runs use the first id, so they have one effect (rule 4 of docs/architecture.md).
  const isOwnRepeat = isRepeat && record.requestId === requestId
  if (record.leaseUntil > at && !isOwnRepeat) return { write: null, claim: { kind: 'in_flight' } }
  const { emailId: firstId, acceptedAt } = record
  // Later than the last one: the run that lost its lease must not end this one.
  const leaseUntil = Math.max(at + leaseMs, record.leaseUntil + 1)
  const claim: Claim = { kind: 'claimed', emailId: firstId, acceptedAt, takenOver: true, leaseUntil }
  return { write: 'renew', leaseUntil, requestId, claim }
}
