const seconds = /^\d{1,9}$/

/** IMF-fixdate, and the two obsolete forms that a recipient must accept (RFC 9110 §5.6.7). */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
]
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** Returns the milliseconds that a `Retry-After` requests (RFC 9110 §10.2.3), 0 for a date in the past; null: it is neither form. */
export const readRetryAfter = (text: string, now: number): number | null => {
  const value = text.trim()
  if (seconds.test(value)) return Number(value) * 1_000
  const isDate = httpDates.some((form) => form.test(value))
  const at = isDate ? Date.parse(value) : asctime.test(value) ? Date.parse(`${value} GMT`) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
