import type { Problem } from '@postrider/kit/fault.ts'
import { nameProblem } from '@postrider/mail/text.ts'

const length = (text: string): number => [...text].length

/** What is wrong with a text that people will read: `max` in characters; empty is refused unless `optional`. */
export const textProblems = (
  path: string,
  text: string,
  rule: { max: number; optional?: boolean; lines?: boolean },
): Problem[] => {
  if (text.trim() === '' && !(rule.optional && text === ''))
    return [{ path, code: 'empty', message: 'This must not be empty.' }]
  if (length(text) > rule.max) return [{ path, code: 'too_long', message: `This has at most ${rule.max} characters.` }]
  const problem = nameProblem(rule.lines ? text.replaceAll(/\r?\n/g, ' ') : text)
  return problem === null ? [] : [{ path, ...problem }]
}

const fewest = 8
const most = 256

/** Length alone: rules about kinds of characters make passwords worse (NIST SP 800-63B). */
export const passwordProblems = (path: string, password: string): Problem[] => {
  if (length(password) < fewest)
    return [{ path, code: 'too_short', message: `A password has at least ${fewest} characters.` }]
  if (length(password) > most)
    return [{ path, code: 'too_long', message: `A password has at most ${most} characters.` }]
  if (!password.isWellFormed()) return [{ path, code: 'lone_surrogate', message: 'A password is valid Unicode.' }]
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
