/* Money is a whole number of US cents. Text with two decimals occurs at the edges only. */

/** Formats US cents as dollars with two decimals: `-1` is `-0.01`. */
export const usdText = (cents: number): string => {
  const size = Math.abs(cents)
  return `${cents < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}

/** Returns dollars with at most two decimals as cents. */
export const centsOf = (usd: number): number => Math.round(usd * 100)

/** Reads dollars with at most two decimals, such as `-12.5`, as cents; null: it is not an amount. */
export const parseUsd = (text: string): number | null => {
  const [, sign, dollars = '', decimals = ''] = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (dollars === '') return null
  const cents = Number(dollars) * 100 + Number(decimals.padEnd(2, '0'))
  // Without a negative zero.
  return sign === '-' && cents > 0 ? -cents : cents
}

/** Returns the price of some days of a month in cents. The product is rounded once, and half a cent up. */
export const prorated = (priceCents: number, days: number, ofDays: number): number =>
  Math.floor((2 * priceCents * days + ofDays) / (2 * ofDays))

/** The highest spending cap of a workspace. */
export const maxCapCents = 100_000_000

/** The text about an amount that is no spending cap. */
export const capRule = `Must be an amount in US dollars and whole cents, from 0 to ${maxCapCents / 100}.`

/** Returns a spending cap in cents; null: the text is `none`. @returns undefined: the text is not a cap */
export const parseCap = (text: string): number | null | undefined => {
  if (text === 'none') return null
  const cents = text.startsWith('-') ? null : parseUsd(text)
  return cents !== null && cents <= maxCapCents ? cents : undefined
}
