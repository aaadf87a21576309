/** Formats milliseconds since the epoch as RFC 3339 in UTC with milliseconds, the only form of a time in the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

const rfc3339 = /^(\d{4}-\d{2}-(\d{2}))[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Reads an RFC 3339 time as milliseconds since the epoch; null: unreadable, or a day that its month does not have. */
export const parseTime = (text: string): number | null => {
  const [, date, day] = rfc3339.exec(text) ?? []
  if (date === undefined) return null
  const at = Date.parse(text.toUpperCase())
  // JavaScript reads the 30th of February as the 2nd of March.
  return Number.isNaN(at) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day) ? null : at
}
