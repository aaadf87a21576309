import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'

/** Rate limits: GCRA over a key (the generic cell rate algorithm, ITU-T I.371). */
export type Limiter = {
  /**
   * Takes `cost` from every bucket, or from none. Admitted when one request would be, so a batch may go below zero;
   * a cost of 0 asks the same and takes nothing.
   * @param now milliseconds; an adapter with a clock of its own uses that
   */
  take(buckets: readonly Bucket[], cost: number, now: number): Promise<Verdict>
}
