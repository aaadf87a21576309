import { gcra, microseconds, steadyTime } from '@postrider/domain/rateLimit/gcra.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'

/** Limits the memory that many different keys can take; past it the bucket created first is dropped. */
const defaultMostBuckets = 200_000

/** Buckets checked for being full at each call. More than one call can create, so full buckets do not accumulate. */
const checkedPerCall = 4

export type MemoryLimiterOptions = {
  maxBuckets?: number
  /** The clock of the limiter; absent: the `now` of each call, and all callers use the same clock. */
  elapsed?: Monotonic
}

/** GCRA in memory. It stores the theoretical arrival time of each bucket, and nothing for a full one. */
export const memoryLimiter = ({ maxBuckets = defaultMostBuckets, elapsed }: MemoryLimiterOptions = {}): Limiter => {
  /** Theoretical arrival times in microseconds, in the order in which the buckets were created. */
  const arrivals = new Map<string, number>()
  const steady = steadyTime()
  let next = arrivals.entries()

  const dropFull = (nowUs: number): void => {
    for (let checked = 0; checked < checkedPerCall; checked++) {
      const { done, value } = next.next()
      if (done) {
        next = arrivals.entries()
        return
      }
      const [key, arrival] = value
      if (arrival <= nowUs) arrivals.delete(key)
    }
  }

  const store = (key: string, arrival: number): void => {
    arrivals.set(key, arrival)
    if (arrivals.size <= maxBuckets) return
    const [oldest] = arrivals.keys()
    if (oldest !== undefined) arrivals.delete(oldest)
  }

  return {
    take: async (buckets, cost, now) => {
      const nowUs = Math.floor((elapsed?.() ?? steady(now)) * microseconds)
      dropFull(nowUs)
      const before = buckets.map(({ key }) => Math.max((arrivals.get(key) ?? nowUs) - nowUs, 0))
      const { verdict, debts } = gcra(buckets, before, cost)
      if (cost > 0 && verdict.admitted)
        for (const [at, { key }] of buckets.entries()) store(key, nowUs + (debts[at] ?? 0))
      return verdict
    },
  }
}
