import type { Period } from '../../api/statsParameters.ts'
import { oneOf, present } from '../../app/search.ts'
import { dayMs, hourMs } from '../../ui/times.ts'

/** Spans of time up to now, in buckets of the API. */
export const ranges = {
  '24h': { label: '24 h', text: 'the last 24 hours', bucket: 'hour', count: 24 },
  '7d': { label: '7 d', text: 'the last 7 days', bucket: 'day', count: 7 },
  '30d': { label: '30 d', text: 'the last 30 days', bucket: 'day', count: 30 },
  '90d': { label: '90 d', text: 'the last 90 days', bucket: 'day', count: 90 },
} as const

export type RangeName = keyof typeof ranges
export const rangeNames = Object.keys(ranges) as RangeName[]
export const usualRange: RangeName = '24h'

/** Reads the choices in the URL of the screen. Unknown values are ignored. */
export const overviewSearch = (search: Record<string, unknown>) =>
  present({
    range: oneOf(search['range'], rangeNames),
    /** Whether the period before is shown too. */
    compare: search['compare'] === true || undefined,
    view: oneOf(search['view'], ['charts', 'table'] as const),
  })

export type OverviewSearch = ReturnType<typeof overviewSearch>

/** Returns the hours or days (UTC) of a range that ends with the current one. @param now in milliseconds */
export const periodOf = (range: RangeName, now: number): Period => {
  const { bucket, count } = ranges[range]
  const length = bucket === 'hour' ? hourMs : dayMs
  const to = (Math.floor(now / length) + 1) * length
  return { from: to - count * length, to, bucket }
}

/** Returns the period of the same length before a period. */
export const periodBefore = ({ from, to, bucket }: Period): Period => ({ from: from - (to - from), to: from, bucket })
