/*
 * The generic cell rate algorithm (ITU-T I.371) with several buckets per request. A store holds one number per bucket,
 * its theoretical arrival time; all else follows from the bucket's debt: how far that time lies in the future, 0 when
 * the bucket is full. Times and debts are whole microseconds, so rounding errors do not add up; 2^53 of them reach past
 * the year 2200.
 */

/**
 * A limit of `rate` requests per second with bursts of `burst`. The buckets of one request have the same `key` up to
 * the first slash, so that a store of several servers holds them on one server.
 */
export type RateBucket = { key: string; rate: number; burst: number }

export type Verdict = {
  admitted: boolean
  /** The bucket with the fewest requests left. */
  tightest: RateBucket
  remaining: number
  /** Milliseconds until the tightest bucket is full. */
  resetMs: number
  /** Milliseconds until a single request is admitted; 0 when this one was admitted. */
  retryAfterMs: number
}

/**
 * Returns the part of a bucket that one of several replicas applies while they cannot share it. A burst is at least 1:
 * with more replicas than that, together they admit one each.
 */
export const shareOfBucket = ({ key, rate, burst }: RateBucket, replicas: number): RateBucket => ({
  key,
  rate: rate / replicas,
  burst: Math.max(1, Math.floor(burst / replicas)),
})

/** Returns the verdict on shares of these buckets so that it names the caller's bucket instead of the share. */
export const verdictOnShares = (buckets: readonly RateBucket[], verdict: Verdict): Verdict => ({
  ...verdict,
  tightest: buckets.find(({ key }) => key === verdict.tightest.key) ?? verdict.tightest,
})

/** Microseconds per millisecond. */
export const microseconds = 1_000

/** Returns the microseconds between two requests of a bucket, rounded up so that the rate is never exceeded. */
export const emissionIntervalOf = ({ rate }: RateBucket): number => Math.ceil(1_000_000 / rate)

/** Returns the largest debt, in microseconds, with which one more request is admitted. */
export const maxDebtOf = (bucket: RateBucket): number => (bucket.burst - 1) * emissionIntervalOf(bucket)

type State = { bucket: RateBucket; interval: number; debt: number }

const toMs = (us: number): number => Math.ceil(us / microseconds)

const waitOf = ({ bucket, debt }: State): number => Math.max(debt - maxDebtOf(bucket), 0)

const remainingOf = ({ bucket, interval, debt }: State): number =>
  Math.max(Math.floor((bucket.burst * interval - debt) / interval), 0)

const tightestOf = (states: readonly State[]): State =>
  states.reduce((tightest, state) => {
    const difference = remainingOf(state) - remainingOf(tightest) || waitOf(tightest) - waitOf(state)
    return difference < 0 ? state : tightest
  })

/**
 * Decides one request.
 * @param debts debts of the buckets before the request, in the order of the buckets
 * @param cost taken from every bucket when the request is admitted
 * @returns the verdict and the debts after the request; a refusal changes none
 */
export const gcra = (
  buckets: readonly RateBucket[],
  debts: readonly number[],
  cost: number,
): { verdict: Verdict; debts: number[] } => {
  const states = buckets.map((bucket, at) => ({ bucket, interval: emissionIntervalOf(bucket), debt: debts[at] ?? 0 }))
  const waitUs = Math.max(...states.map(waitOf))
  if (waitUs === 0) for (const state of states) state.debt += cost * state.interval
  const tightest = tightestOf(states)
  const verdict = {
    admitted: waitUs === 0,
    tightest: tightest.bucket,
    remaining: remainingOf(tightest),
    resetMs: toMs(tightest.debt),
    retryAfterMs: toMs(waitUs),
  }
  return { verdict, debts: states.map(({ debt }) => debt) }
}

/** A larger step back means that the clock was set; a smaller one, that two readings arrived in the other order. */
const reorderedMs = 1_000

/**
 * Returns a function that turns clock readings into a time that never goes back. When the clock is set back, the time
 * continues from the last reading, so that no bucket waits until the clock has caught up.
 */
export const steadyTime = (): ((reading: number) => number) => {
  let last = Number.NEGATIVE_INFINITY
  let shift = 0
  return (reading) => {
    if (last - (reading + shift) > reorderedMs) shift = last - reading
    last = Math.max(last, reading + shift)
    return last
  }
}
