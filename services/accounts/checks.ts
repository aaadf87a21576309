import type { Problem } from '@postrider/kit/fault.ts'

/** Control characters; line breaks where they are allowed have been taken out before. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u
/** Unicode's explicit directional formatting: it makes a text read as another one. */
const bidi = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

const length = (text: string): number => [...text].length

/** What is wrong with a text that people will read: `max` in characters; empty is refused unless `optional`. */
export const textProblems = (
  path: string,
  text: string,
  rule: { max: number; optional?: boolean; lines?: boolean },
): Problem[] => {
  if (text.trim() === '' && !(rule.optional && text === ''))
    return [{ path, code: 'required', message: 'must not be empty' }]
  if (length(text) > rule.max)
    return [{ path, code: 'too_long', message: `must not be longer than ${rule.max} characters` }]
  const inOneLine = rule.lines ? text.replaceAll(/\r?\n/g, ' ') : text
  if (!text.isWellFormed() || control.test(inOneLine) || bidi.test(text))
    return [{ path, code: 'forbidden_character', message: 'must not contain control or bidirectional characters' }]
  return []
}

const fewest = 8
const most = 256

/** Length alone: rules about kinds of characters make passwords worse (NIST SP 800-63B). */
export const passwordProblems = (path: string, password: string): Problem[] => {
  if (length(password) < fewest)
    return [{ path, code: 'too_short', message: `must have at least ${fewest} characters` }]
  if (length(password) > most) return [{ path, code: 'too_long', message: `must not have over ${most} characters` }]
  if (!password.isWellFormed()) return [{ path, code: 'forbidden_character', message: 'must be valid Unicode' }]
  return []
}

const rfc3339 = /^\d{4}-\d{2}-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/

/** A time with its offset in milliseconds; null: unreadable, or a day the month doesn't have. */
export const parseTime = (text: string): number | null => {
  const day = rfc3339.exec(text)?.[1]
  if (day === undefined) return null
  const at = Date.parse(text.toUpperCase())
  // JavaScript reads the 30th of February as the 2nd of March.
  const sameDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day)
  return Number.isNaN(at) || !sameDay ? null : at
}
