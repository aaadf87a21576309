/** Rate limits: GCRA over a key (the generic cell rate algorithm, ITU-T I.371). */
export type Limiter = {
  /**
   * Takes `cost` from every bucket, or from none. Admitted when one request would be, so a batch may go below zero;
   * a cost of 0 asks the same and takes nothing.
   * @param now milliseconds; an adapter with a clock of its own uses that
   */
  take(buckets: readonly Bucket[], cost: number, now: number): Promise<Verdict>
}

/**
 * `rate` requests a second, `burst` at once. Buckets of one take have the same `key` up to its first slash: a store of
 * several servers keeps those together.
 */
export type Bucket = { key: string; rate: number; burst: number }

export type Verdict = {
  admitted: boolean
  /** The bucket with the least left. */
  tightest: Bucket
  remaining: number
  /** Until the tightest bucket is full again, in milliseconds. */
  resetMs: number
  /** Until a lone retry is admitted, in milliseconds; 0 when admitted. */
  retryAfterMs: number
}
