import type { Claim, ClaimRequest, Lease } from '@postrider/domain/idempotency/claim.ts'
import type { Steps } from '@postrider/mail/steps.ts'

/**
 * Returns what replaces a stored response, in steps: a response to a batch may have 10 MB. It runs again if another
 * change of the response wins.
 */
export type ResponseChange = (stored: string) => Steps<string>

/** A key whose request has no stored response. `emailId`: the email or the batch that the first claim has fixed. */
export type KeyInFlight = { scope: string; key: string; emailId: string; acceptedAt: number }

/** The records of requests with an `Idempotency-Key`. The decisions are in `decide` (domain/idempotency/claim.ts). */
export type IdempotencyStore = {
  /**
   * Claims a key for `leaseMs`, or returns why not. A claim returns the email id and the time of acceptance that the
   * first claim stored, so a request that takes over after a crash finds the effect instead of repeating it.
   */
  claim(request: ClaimRequest): Promise<Claim>
  /** Returns whether a key has a response that repeated requests get at this time. It claims nothing. */
  hasResponse(key: { scope: string; key: string }, now: number): Promise<boolean>
  /** Replaces the email id of an in-flight record when `from` turned out to be void.
   * @returns false: the record has another id now, or is not in flight */
  replaceEmail(request: { scope: string; key: string; from: string; to: string }): Promise<boolean>
  /** Stores the response until `expiresAt`. A record that already has a response does not change. */
  finish(request: {
    scope: string
    key: string
    emailId: string
    status: number
    body: string
    expiresAt: number
  }): Promise<void>
  /** Deletes the record of a claim that accepted nothing, so that the key is free again. Does nothing if the record is
   * finished or another request has the claim. */
  release(claim: Lease & { emailId: string }): Promise<void>
  /**
   * Ends the lease of a claim whose request failed, so that the next request takes over immediately. The record stays.
   * Does nothing if the record is finished or another request has the claim.
   */
  endLease(lease: Lease): Promise<void>
  /** Ends all leases. Only for a composition whose other processes are known to be gone.
   * @returns the number of records in flight */
  releaseAbandoned(): Promise<number>
  /**
   * Returns the keys of a workspace that are in flight. An email or batch that exists, and that none of them has, never
   * has one again: then its response is stored, or there is none. It reads all keys in flight: for rare use.
   */
  inFlight(workspace: string): Promise<KeyInFlight[]>
  /**
   * Changes stored responses about emails or batches of a workspace, one after the other. A change that failed in the
   * middle can be repeated. MongoDB reads all keys of the workspace: for rare use.
   */
  replaceResponses(workspace: string, changes: readonly { emailId: string; change: ResponseChange }[]): Promise<void>
  /**
   * Changes some stored responses of a scope, one after the other: the next `limit` after a key, in the order of keys.
   * An empty key is before all others. A response that is stored later under an earlier key is not read.
   * @returns the last key; null: no more follow
   */
  changeResponses(scope: string, page: { after: string; limit: number }, change: ResponseChange): Promise<string | null>
  /** Deletes expired and abandoned records. @returns how many */
  sweep(now: number, limit: number): Promise<number>
}
