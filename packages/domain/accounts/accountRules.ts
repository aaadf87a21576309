import { addressKey, parseMailbox } from '@postrider/mail/address.ts'
import { nameProblem } from '@postrider/mail/text.ts'

type Problem = { path: string; code: string; message: string }

/** Longest name of a workspace, in characters. */
export const longestWorkspaceName = 100

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

/** An account's address in the one spelling it is looked up by, or what is wrong with it. */
export const normaliseEmail = (text: string): { email: string } | { code: string; message: string } => {
  const parsed = parseMailbox(text)
  if (!parsed.ok) return { code: parsed.code, message: parsed.message }
  if (parsed.mailbox.name !== '')
    return { code: 'invalid_address', message: 'An account has an address without a name.' }
  return { email: addressKey(parsed.mailbox.address) }
}
