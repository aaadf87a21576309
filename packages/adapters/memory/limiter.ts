import type { Bucket, Limiter, Verdict } from '@postrider/ports/limiter.ts'
import { steadyTime } from './steadyTime.ts'

/** Buckets kept at most; past that the one made first is forgotten, so no flood of keys fills the memory. */
const defaultMostBuckets = 200_000

/** Buckets looked at for being full again at each call; more than a call can make. */
const lookedAt = 4

/** Time is counted in whole microseconds, so nothing drifts; 2^53 of them reach beyond the year 2200. */
const microseconds = 1_000

/** From one request of a bucket to the next. Rounded up: never more than the rate. */
const intervalOf = ({ rate }: Bucket): number => Math.ceil(1_000_000 / rate)

const toMs = (us: number): number => Math.ceil(us / microseconds)

/** One bucket at a moment: `debt` is how far its theoretical arrival time lies ahead, 0 when it is full. */
type State = { bucket: Bucket; interval: number; debt: number }

/** How long until one request is admitted. */
const waitOf = ({ bucket, interval, debt }: State): number => Math.max(debt - (bucket.burst - 1) * interval, 0)

const remainingOf = ({ bucket, interval, debt }: State): number =>
  Math.max(Math.floor((bucket.burst * interval - debt) / interval), 0)

const tightestOf = (states: readonly State[]): State =>
  states.reduce((tightest, state) => {
    const difference = remainingOf(state) - remainingOf(tightest) || waitOf(tightest) - waitOf(state)
    return difference < 0 ? state : tightest
  })

const verdictOf = (states: readonly State[], waitUs: number): Verdict => {
  const tightest = tightestOf(states)
  return {
    admitted: waitUs === 0,
    tightest: tightest.bucket,
    remaining: remainingOf(tightest),
    resetMs: toMs(tightest.debt),
    retryAfterMs: toMs(waitUs),
  }
}

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
      const states = buckets.map((bucket): State => {
        const debt = Math.max((arrivals.get(bucket.key) ?? nowUs) - nowUs, 0)
        return { bucket, interval: intervalOf(bucket), debt }
      })
      const waitUs = Math.max(...states.map(waitOf))
      if (waitUs > 0) return verdictOf(states, waitUs)
      const after = states.map((state) => ({ ...state, debt: state.debt + cost * state.interval }))
      if (cost > 0) for (const { bucket, debt } of after) keep(bucket.key, nowUs + debt)
      return verdictOf(after, 0)
    },
  }
}
