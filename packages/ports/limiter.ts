import type { RateBucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'

/** Rate limits by GCRA; the decision is `gcra` (domain/rateLimit/gcra.ts). */
export type Limiter = {
  /**
   * Takes `cost` from every bucket or from none. A request is admitted when a cost of 1 would be, so a batch may
   * overdraw a bucket. A cost of 0 returns the same verdict and changes no bucket.
   * @param now milliseconds, by one clock for all callers; an adapter that has a clock of its own uses that clock
   */
  take(buckets: readonly RateBucket[], cost: number, now: number): Promise<Verdict>
}
