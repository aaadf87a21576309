import { dayMs, hourMs, minuteMs } from '@postrider/mail/units.ts'

export { dayMs, hourMs, minuteMs } from '@postrider/mail/units.ts'

/** Formats milliseconds since the epoch as RFC 3339 in UTC with milliseconds, the only form of a time in the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Formats a time as `isoTime` does; null: there is no such time. */
export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

/** Formats a time as `isoTime` does; undefined: there is no such time. */
export const isoTimeOrAbsent = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : isoTime(ms)

/** Formats a time as `isoTime` does, for messages between services: an empty text means no time. */
export const isoTimeOrEmpty = (ms: number | null): string => (ms === null ? '' : isoTime(ms))

/** Formats a duration for texts in the largest unit that it is a whole number of, but one day as `24 hours`. */
export const durationText = (ms: number): string => {
  const [size, unit] =
    ms % dayMs === 0 && ms !== dayMs ? [dayMs, 'day'] : ms % hourMs === 0 ? [hourMs, 'hour'] : [minuteMs, 'minute']
  const count = Math.round(ms / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns the UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10)

/** Returns the UTC month of a time, `YYYY-MM`. */
export const monthOf = (at: number): string => isoTime(at).slice(0, 7)

/** Returns the first millisecond of the UTC month of a time. */
export const monthStart = (at: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/** Returns the first millisecond after the UTC month of a time. */
export const monthEnd = (at: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Returns the first millisecond of a UTC month `YYYY-MM`. */
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`)

/** Returns the first millisecond after a UTC month `YYYY-MM`. */
export const endOfMonth = (month: string): number => monthEnd(startOfMonth(month))

/** Returns the month after a month, both `YYYY-MM`. */
export const monthAfter = (month: string): string => monthOf(endOfMonth(month))

/** Returns the number of days of a month `YYYY-MM`. */
export const daysOfMonth = (month: string): number => (endOfMonth(month) - startOfMonth(month)) / dayMs

/** Returns the first millisecond of the UTC day of a time. */
export const dayStart = (at: number): number => at - (at % dayMs)

/** Returns the first millisecond after the UTC day of a time. */
export const dayEnd = (at: number): number => dayStart(at) + dayMs

/**
 * A time that no clock reaches, for what is not due again. A number instead of null, so that it can be compared: no
 * upper bound matches it, and `$max` of MongoDB works.
 */
export const neverMs = Number.MAX_SAFE_INTEGER

/** The problem of a text that `parseTime` cannot read. */
export const invalidTime = {
  code: 'invalid_time',
  message: 'Must be an RFC 3339 timestamp with a UTC offset, such as 2030-01-31T12:00:00Z.',
} as const

const rfc3339 = /^(\d{4}-\d{2}-(\d{2}))[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Reads an RFC 3339 time as milliseconds since the epoch; null: unreadable, or a day that its month does not have. */
export const parseTime = (text: string): number | null => {
  const [, date, day] = rfc3339.exec(text) ?? []
  if (date === undefined) return null
  const at = Date.parse(text.toUpperCase())
  // JavaScript reads the 30th of February as the 2nd of March.
  return Number.isNaN(at) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day) ? null : at
}
