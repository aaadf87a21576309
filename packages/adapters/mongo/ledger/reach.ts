import type { Entry, MonthUsage } from '@postrider/domain/quota/entries.ts'
import type { Allowance } from '@postrider/domain/quota/plans.ts'
import { crossingOf, isReached, markOf, thresholdsOf } from '@postrider/domain/quota/thresholds.ts'
import type { NewWorkspaceEvent } from '@postrider/ports/workspaceEvents.ts'
import { quotaEvent } from '../../quotaEvents.ts'

/**
 * The thresholds that an update of a month reaches. The update stores their events, so it must reach them and no others,
 * although other processes add sends at the same time. A number must be in its range after the update; otherwise the update
 * is not made, and planned again. So the only sends that write an event, or are planned twice, are those that meet at a threshold.
 */
export type Reach = {
  marks: string[]
  events: NewWorkspaceEvent[]
  /** By the path of a number. After the update it is at least `least`, and less than `below`. */
  ranges: ReadonlyMap<string, { least?: number; below?: number }>
}

/** What a month is without thresholds. */
const nothing: Reach = { marks: [], events: [], ranges: new Map() }

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
  const events = new Map<string, NewWorkspaceEvent>()
  const ranges = new Map<string, { least?: number; below?: number }>()
  for (const [day, at] of new Map(entries.map((entry) => [entry.day, entry.at]))) {
    const used = { month: after.used, day: after.days[day] ?? 0 }
    for (const threshold of thresholds) {
      if (noticed.length > 0 && noticed.includes(markOf(threshold, at))) continue
      const path = threshold.period === 'monthly' ? 'used' : `days.${day}`
      const { least = 0, below = Number.POSITIVE_INFINITY } = ranges.get(path) ?? {}
      const isNew = isReached(threshold, used)
      // The thresholds of the month are the same on each of its days.
      if (isNew) events.set(markOf(threshold, at), quotaEvent(crossingOf(workspace, threshold, used, at)))
      const { sends } = threshold
      ranges.set(path, isNew ? { below, least: Math.max(least, sends) } : { least, below: Math.min(below, sends) })
    }
  }
  return { marks: [...events.keys()], events: [...events.values()], ranges }
}
