/**
 * The state machine of an idempotency key. A record is created by the first request and is in flight until that request
 * has an answer; then it is answered until the answer expires.
 *
 * | record | request | result |
 * |---|---|---|
 * | none, or its answer has expired | any | creates the record: claimed |
 * | any other | another body | mismatch |
 * | answered | same body | replay |
 * | in flight, lease not over | same body | in flight |
 * | in flight, lease over: the claimant died | same body | renews the lease: claimed, with the first id and time |
 */
export type KeyRecord = {
  fingerprint: Uint8Array
  emailId: string
  acceptedAt: number
  leaseUntil: number
  /** Null while the first request runs. */
  answer: { status: number; body: string; expiresAt: number } | null
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
}

/** What a request may do. */
export type Claim =
  /** `acceptedAt` fixes the month and day that the sends are counted in. */
  | { kind: 'claimed'; emailId: string; acceptedAt: number; takenOver: boolean }
  | { kind: 'replay'; emailId: string; status: number; body: string }
  | { kind: 'in_flight' }
  | { kind: 'mismatch' }

/** What a claim is and the write it depends on. If the record changed since it was read, decide again. */
export type Decision =
  | { write: 'create'; record: KeyRecord; claim: Claim }
  | { write: 'renew'; leaseUntil: number; claim: Claim }
  | { write: null; claim: Claim }

/** How long after its lease an unanswered record is stored: its process died and its client did not repeat it. */
export const abandonedMs = 86_400_000

/** The end of a lease that is over at any time. */
export const noLease = 0

/** Decides what a request with a known or new key may do. */
export const decide = (record: KeyRecord | null, request: ClaimRequest): Decision => {
  const { fingerprint, formerFingerprint = fingerprint, emailId, at, leaseMs } = request
  const leaseUntil = at + leaseMs
  const answer = record?.answer ?? null
  if (record === null || (answer !== null && answer.expiresAt <= at)) {
    return {
      write: 'create',
      record: { fingerprint, emailId, acceptedAt: at, leaseUntil, answer: null },
      claim: { kind: 'claimed', emailId, acceptedAt: at, takenOver: false },
    }
  }
  const isOf = (body: Uint8Array): boolean => Buffer.compare(record.fingerprint, body) === 0
  if (!isOf(fingerprint) && !isOf(formerFingerprint)) return { write: null, claim: { kind: 'mismatch' } }
  if (answer !== null) {
    const { status, body } = answer
    return { write: null, claim: { kind: 'replay', emailId: record.emailId, status, body } }
  }
  if (record.leaseUntil > at) return { write: null, claim: { kind: 'in_flight' } }
  const { emailId: firstId, acceptedAt } = record
  return { write: 'renew', leaseUntil, claim: { kind: 'claimed', emailId: firstId, acceptedAt, takenOver: true } }
}
