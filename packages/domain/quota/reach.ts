import type { Entry, MonthUsage } from './entries.ts'
import type { Allowance } from './plans.ts'
import { newCrossings, type QuotaCrossing, type Threshold, thresholdsAhead, thresholdsOf } from './thresholds.ts'

/**
 * The thresholds that an update of a month reaches. The update stores their events, so it must reach them and no
 * others, although other processes add sends at the same time. A number must be in its range after the update;
 * otherwise the update is not made, and planned again. So the only sends that write an event, or are planned twice, are
 * those that meet at a threshold.
 */
export type Reach = {
  /** Each threshold once. */
  crossings: QuotaCrossing[]
  /**
   * Ranges by the path of a number in `MonthUsage`. After the update the number is at least `min`, and less than
   * `below`.
   */
  ranges: ReadonlyMap<string, { min?: number; below?: number }>
}

/** What a month is without thresholds. */
const nothing: Reach = { crossings: [], ranges: new Map() }

type ReachOptions = {
  workspace: string
  allowance: Allowance
  /** Marks of thresholds that were reached before. */
  noticed: readonly string[]
  entries: readonly Pick<Entry, 'at' | 'day'>[]
  /** The numbers after the update. */
  after: MonthUsage
}

/** Returns the thresholds of the month and the days of some entries that the numbers reach. Every send calls it. */
export const reachOf = ({ workspace, allowance, noticed, entries, after }: ReachOptions): Reach => {
  const thresholds = thresholdsOf(allowance)
  if (thresholds.length === 0) return nothing
  const crossings = new Map<string, QuotaCrossing>()
  const ranges = new Map<string, { min?: number; below?: number }>()
  for (const [day, at] of new Map(entries.map((entry) => [entry.day, entry.at]))) {
    const used = { month: after.used, day: after.days[day] ?? 0 }
    const state = { workspace, thresholds, used, at, isKnown: (mark: string) => noticed.includes(mark) }
    const pathOf = ({ period }: Threshold): string => (period === 'monthly' ? 'used' : `days.${day}`)
    for (const crossing of newCrossings(state)) {
      const { threshold, mark } = crossing
      // The thresholds of the month are the same on each of its days.
      crossings.set(mark, crossing)
      const range = ranges.get(pathOf(threshold))
      ranges.set(pathOf(threshold), { ...range, min: Math.max(range?.min ?? 0, threshold.sends) })
    }
    for (const threshold of thresholdsAhead(state)) {
      const range = ranges.get(pathOf(threshold))
      const below = Math.min(range?.below ?? Number.POSITIVE_INFINITY, threshold.sends)
      ranges.set(pathOf(threshold), { ...range, below })
    }
  }
  return { crossings: [...crossings.values()], ranges }
}
