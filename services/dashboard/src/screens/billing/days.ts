import type { Usage } from '../../api/stats.ts'
import { dayMs } from '../../ui/times.ts'

/** A day of the month (UTC). `sends` null: it has not begun. `total`: sends of the month up to its end. */
export type Day = { at: string; sends: number | null; total: number | null }

/** Returns every day of the month. @param now in milliseconds */
export const daysOf = ({ period, history }: Pick<Usage, 'period' | 'history'>, now: number): Day[] => {
  const known = new Map(history.map(({ date, sends }) => [date, sends]))
  const [start, end] = [Date.parse(period.start), Date.parse(period.end)]
  let total = 0
  return Array.from({ length: Math.round((end - start) / dayMs) }, (_, day) => {
    const at = new Date(start + day * dayMs).toISOString()
    const sends = known.get(at.slice(0, 10)) ?? 0
    // The clock of this computer may be behind that of the service.
    if (start + day * dayMs > now && sends === 0) return { at, sends: null, total: null }
    total += sends
    return { at, sends, total }
  })
}

/** Returns the sum of the days. */
export const sumOf = (days: readonly Day[]): number => days.reduce((sum, { sends }) => sum + (sends ?? 0), 0)

/** Returns the days so far as CSV (RFC 4180). */
export const daysCsv = (days: readonly Day[]): string => {
  const rows = days.flatMap(({ at, sends }) => (sends === null ? [] : [`${at.slice(0, 10)},${sends}`]))
  return ['date,sends', ...rows].map((row) => `${row}\r\n`).join('')
}
