import type { Period } from '../../api/statsParameters.ts'
import { duration } from '../../ui/times.ts'

const whole = new Intl.NumberFormat('en')

/** Returns a count with separators of thousands. */
export const count = (value: number): string => whole.format(value)

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns a count in at most five characters, for the axis of a chart. */
export const shortCount = (value: number): string => short.format(value)

/**
 * Returns a share for people: `0 %`, `1.5 %`, `0.08 %`; null is a dash. A share that is not whole never becomes 0 or
 * 100 %.
 */
export const percent = (value: number | null): string => {
  if (value === null) return '–'
  if (value > 0 && value < 0.01) return '< 0.01 %'
  if (value > 99.99 && value < 100) return '> 99.99 %'
  return `${Number(value.toFixed(value >= 10 && value < 99.9 ? 1 : 2))} %`
}

/** Returns milliseconds for people; null is a dash. */
export const latency = (ms: number | null): string => (ms === null ? '–' : duration(ms))

/** Returns how a value compares with the one before: `+12 %`, `−3 %`, `same`, `new`. */
export const change = (value: number, before: number): string => {
  if (value === before) return 'same'
  if (before === 0) return 'new'
  const ratio = Math.round((100 * (value - before)) / before)
  if (ratio === 0) return value > before ? '< +1 %' : '> −1 %'
  return `${ratio > 0 ? '+' : '−'}${whole.format(Math.abs(ratio))} %`
}

const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const hourOfDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const wholeDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** Returns the label of a bucket on the axis. Days are days of UTC; hours are shown in the zone of the viewer. */
export const axisTime = (at: string, bucket: Period['bucket']): string =>
  (bucket === 'hour' ? hour : day).format(new Date(at))

/** Returns the name of a bucket: `Mon, 23 Nov, 10:00`, or `Mon, 23 Nov` of UTC. */
export const bucketTime = (at: string, bucket: Period['bucket']): string =>
  (bucket === 'hour' ? hourOfDay : wholeDay).format(new Date(at))
