import { dayMs } from '../time.ts'

/**
 * Counts of durations in intervals that grow by a constant factor, so that a percentile has a bounded relative error
 * and histograms can be added. By the number of the interval: number `n` holds durations above `growth ** (n - 1)` and
 * up to `growth ** n` milliseconds, number 0 those up to 1 ms.
 */
export type Histogram = Map<number, number>

/** Maximum relative error of a percentile, before it is rounded to three digits. */
const error = 0.04
const growth = (1 + error) / (1 - error)
const logGrowth = Math.log(growth)
/** The interval of a year. Longer durations are counted in it. */
const last = Math.ceil(Math.log(366 * dayMs) / logGrowth)

/** Returns the number of the interval of a duration. @param ms at least 0 */
export const intervalOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(last, Math.ceil(Math.log(ms) / logGrowth - 1e-9))

/** Adds the counts of one histogram to another. */
export const addCounts = (to: Histogram, from: ReadonlyMap<number, number>): void => {
  for (const [interval, count] of from) to.set(interval, (to.get(interval) ?? 0) + count)
}

/** The value whose relative distance to both ends of the interval is the same, with three digits. */
const durationOf = (interval: number): number =>
  interval === 0 ? 1 : Number(((2 * growth ** interval) / (growth + 1)).toPrecision(3))

/** Percentiles of durations in milliseconds; null: there are none. */
export type Percentiles = { count: number; p50: number | null; p95: number | null; p99: number | null }

/** Returns percentiles by the nearest rank, each with a relative error of at most 5 %; durations up to 1 ms are 1. */
export const percentilesOf = (histogram: ReadonlyMap<number, number>): Percentiles => {
  const sorted = [...histogram].toSorted(([one], [other]) => one - other)
  const count = sorted.reduce((sum, [, each]) => sum + each, 0)
  const at = (part: number): number | null => {
    const rank = Math.ceil(count * part)
    let seen = 0
    for (const [interval, each] of sorted) {
      seen += each
      if (seen >= rank) return durationOf(interval)
    }
    return null
  }
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
