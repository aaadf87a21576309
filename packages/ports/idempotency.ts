/** What is kept of a request with an `Idempotency-Key`. A key belongs to one workspace, mode and operation (`scope`). */
export type IdempotencyStore = {
  /**
   * Claims a key for `leaseMs`, or tells why not. Who claims gets the email id and the time of acceptance that the
   * first claim fixed, so a taker-over after a crash finds the effect instead of repeating it.
   */
  claim(request: {
    scope: string
    key: string
    fingerprint: Uint8Array
    /** Used where the key is new; a taken-over key keeps its own. */
    emailId: string
    at: number
    leaseMs: number
  }): Promise<Claim>
  /** Puts another email id into a claimed record, where `from` was met as a void one. @returns false: somebody else's now */
  replaceEmail(request: { scope: string; key: string; from: string; to: string }): Promise<boolean>
  /** Keeps the first answer until `expiresAt`. Repeating it changes nothing. */
  finish(request: {
    scope: string
    key: string
    emailId: string
    status: number
    body: string
    expiresAt: number
  }): Promise<void>
  /** Forgets a claim that accepted nothing, so the key is free again. */
  release(request: { scope: string; key: string; emailId: string }): Promise<void>
  /** Ends every claim that can't have an owner any more; for a composition that knows it is alone. */
  releaseAbandoned(): Promise<number>
  /** Forgets what has expired. @returns how many */
  sweep(now: number, limit: number): Promise<number>
}

export type Claim =
  /** `acceptedAt`: milliseconds, fixes the month and day the send is counted in. */
  | { kind: 'claimed'; emailId: string; acceptedAt: number; takenOver: boolean }
  | { kind: 'replay'; emailId: string; status: number; body: string }
  | { kind: 'in_flight' }
  | { kind: 'mismatch' }
