import { judge, microseconds } from '@postrider/domain/rateLimit/gcra.ts'
import { steadyTime } from '@postrider/domain/rateLimit/steadyTime.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'

/** Buckets kept at most; past that the one made first is forgotten, so no flood of keys fills the memory. */
const defaultMostBuckets = 200_000

/** Buckets looked at for being full again at each call; more than a call can make. */
const lookedAt = 4

/**
 * GCRA in memory: of each bucket only its theoretical arrival time is kept, and nothing of one that is full.
 * A clock that is set back stops nobody; see `steadyTime`.
 */
export const memoryLimiter = ({ mostBuckets = defaultMostBuckets } = {}): Limiter => {
  /** Theoretical arrival times in microseconds, the oldest bucket first. */
  const arrivals = new Map<string, number>()
  const steady = steadyTime()
  let round = arrivals.entries()

  const forgetFull = (nowUs: number): void => {
    for (let looked = 0; looked < lookedAt; looked++) {
      const next = round.next()
      if (next.done) {
        round = arrivals.entries()
        return
      }
      const [key, arrival] = next.value
      if (arrival <= nowUs) arrivals.delete(key)
    }
  }

  const keep = (key: string, arrival: number): void => {
    arrivals.set(key, arrival)
    if (arrivals.size <= mostBuckets) return
    const [oldest] = arrivals.keys()
    if (oldest !== undefined) arrivals.delete(oldest)
  }

  return {
    take: async (buckets, cost, now) => {
      const nowUs = Math.floor(steady(now) * microseconds)
      forgetFull(nowUs)
      const debts = buckets.map(({ key }) => Math.max((arrivals.get(key) ?? nowUs) - nowUs, 0))
      const after = judge(buckets, debts, cost)
      if (cost > 0 && after.verdict.admitted)
        for (const [at, { key }] of buckets.entries()) keep(key, nowUs + (after.debts[at] ?? 0))
      return after.verdict
    },
  }
}
