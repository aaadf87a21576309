import type { QuotaEventData, StoredEvent } from '../events/event.ts'
import { dayEnd, dayOf, dayStart, isoTime, monthEnd, monthOf, monthStart } from '../time.ts'
import { type Allowance, limitsOf } from './plans.ts'
import type { Used } from './quota.ts'

/** A number of sends at which the members of a workspace are notified once in a period. */
export type Threshold = {
  period: QuotaEventData['period']
  percent: (typeof percents)[number]
  /** The limit that it belongs to; another limit in the same period has its own thresholds. */
  limit: number
  /** Number of used sends at which it is reached. */
  sends: number
}

/** Used percentage of a limit from which on a workspace is warned. */
export const warningPercent = 80

const percents = [warningPercent, 100] as const

const ofLimit = (period: Threshold['period'], limit: number | null): Threshold[] =>
  // A limit of 0 allows nothing that could be used up.
  limit === null || limit === 0
    ? []
    : percents.map((percent) => ({
        period,
        percent,
        limit,
        sends: Math.ceil((limit * percent) / 100),
      }))

/**
 * Returns the thresholds of a month and of a day. Under a spending cap that allows sends past the included
 * ones, the sends at which the ledger refuses are a further threshold of 100 %.
 */
export const thresholdsOf = (allowance: Allowance): Threshold[] => {
  const { monthly, daily } = limitsOf(allowance)
  const cap = monthly.max === monthly.limit ? [] : ofLimit('monthly', monthly.max)
  return [
    ...ofLimit('monthly', monthly.limit),
    ...cap.filter(({ percent }) => percent === 100),
    ...ofLimit('daily', daily.limit),
  ]
}

/** Returns the name of a threshold within its workspace: the period of a time, the limit and the percentage. */
export const markOf = ({ period, limit, percent }: Threshold, at: number): string =>
  `${period === 'monthly' ? monthOf(at) : dayOf(at)} ${limit} ${percent}`

/** Returns whether these sends reach a threshold. */
export const isReached = ({ period, sends }: Threshold, used: Used): boolean =>
  (period === 'monthly' ? used.month : used.day) >= sends

/** A threshold that was reached, with its event. */
export type QuotaCrossing = {
  threshold: Threshold
  /** Names what caused it within the workspace. */
  mark: string
  /** What the id of the event is derived from: the time is the beginning of the period. */
  derivation: { at: number; cause: string }
  event: Omit<StoredEvent, 'id' | 'at'>
}

/** Returns the event of a threshold that was reached at a time. */
export const crossingOf = (workspace: string, threshold: Threshold, used: Used, at: number): QuotaCrossing => {
  const { period, percent, limit } = threshold
  const isMonth = period === 'monthly'
  const startsAt = isMonth ? monthStart(at) : dayStart(at)
  const sends = isMonth ? used.month : used.day
  const data: QuotaEventData = {
    period,
    starts_at: isoTime(startsAt),
    resets_at: isoTime(isMonth ? monthEnd(at) : dayEnd(at)),
    limit,
    used: sends,
    remaining: Math.max(limit - sends, 0),
    threshold_percent: percent,
  }
  const mark = markOf(threshold, at)
  const type = percent === 100 ? 'quota.exhausted' : 'quota.warning'
  return {
    threshold,
    mark,
    derivation: { at: startsAt, cause: `quota ${workspace} ${mark}` },
    event: { type, workspace, mode: 'live', data },
  }
}

/** The numbers of a workspace at a time, and which thresholds were reached before, by their marks. */
export type QuotaState = {
  workspace: string
  thresholds: readonly Threshold[]
  used: Used
  at: number
  isKnown(mark: string): boolean
}

/** Returns the thresholds that the sends reach and that were not reached before. */
export const newCrossings = ({ workspace, thresholds, used, at, isKnown }: QuotaState): QuotaCrossing[] =>
  thresholds
    .filter((threshold) => isReached(threshold, used) && !isKnown(markOf(threshold, at)))
    .map((threshold) => crossingOf(workspace, threshold, used, at))

/** Returns the thresholds that further sends can reach for the first time. */
export const thresholdsAhead = ({ thresholds, used, at, isKnown }: QuotaState): Threshold[] =>
  thresholds.filter((threshold) => !isReached(threshold, used) && !isKnown(markOf(threshold, at)))
