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

/** Time is counted in whole microseconds, so nothing drifts; 2^53 of them reach beyond the year 2200. */
export const microseconds = 1_000

/** From one request of a bucket to the next. Rounded up: never more than the rate. */
export const intervalOf = ({ rate }: Bucket): number => Math.ceil(1_000_000 / rate)

/** One more request is admitted while the debt is no greater. */
export const mostDebtOf = (bucket: Bucket): number => (bucket.burst - 1) * intervalOf(bucket)

const toMs = (us: number): number => Math.ceil(us / microseconds)

/** One bucket at a moment: `debt` is how far its theoretical arrival time lies ahead, 0 when it is full. */
type State = { bucket: Bucket; interval: number; debt: number }

/** How long until one request is admitted. */
const waitOf = ({ bucket, debt }: State): number => Math.max(debt - mostDebtOf(bucket), 0)

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
 * Judges one take. A store keeps nothing but theoretical arrival times; all else follows from how far they lie ahead.
 * @param debts of the buckets before it, in microseconds and in their order
 * @returns the verdict and the debts after it; a refusal leaves them as they were
 */
export const judge = (
  buckets: readonly Bucket[],
  debts: readonly number[],
  cost: number,
): { verdict: Verdict; debts: number[] } => {
  const states = buckets.map((bucket, at) => ({ bucket, interval: intervalOf(bucket), debt: debts[at] ?? 0 }))
  const waitUs = Math.max(...states.map(waitOf))
  if (waitUs === 0) for (const state of states) state.debt += cost * state.interval
  return { verdict: verdictOf(states, waitUs), debts: states.map(({ debt }) => debt) }
}
