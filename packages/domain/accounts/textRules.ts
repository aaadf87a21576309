import { addressKey, needsSmtpUtf8, parseMailbox } from '@postrider/mail/address.ts'
import { readsAsAddress } from '@postrider/mail/lookAlikes.ts'
import { emptyText, tooLong } from '@postrider/mail/problemTexts.ts'
import { hasEncodedWord, isDrawn, nameProblem } from '@postrider/mail/text.ts'
import type { Problem } from '../problem.ts'

/** Maximum length of the name of a workspace, in characters. */
export const maxWorkspaceNameLength = 100
/** Maximum length of the display name of a sender, in characters. */
const maxSenderNameLength = 100
/** Shortest and longest password, in characters. */
const [minPasswordLength, maxPasswordLength] = [8, 256]

const length = (text: string): number => [...text].length

/**
 * Returns the problems of a text that people read.
 * @param rule `max` in characters; `optional`: it may be empty; `lines`: it may have line breaks
 */
export const textProblems = (
  path: string,
  text: string,
  rule: { max: number; optional?: boolean; lines?: boolean },
): Problem[] => {
  if (!isDrawn(text) && !(rule.optional && text === '')) return [{ path, ...emptyText }]
  if (length(text) > rule.max) return [{ path, ...tooLong(rule.max) }]
  const problem = nameProblem(rule.lines ? text.replaceAll(/\r?\n/g, ' ') : text)
  return problem === null ? [] : [{ path, ...problem }]
}

/**
 * Returns the problems of a new password. Length alone counts: rules about kinds of characters make passwords worse
 * (NIST SP 800-63B).
 */
export const passwordProblems = (path: string, password: string): Problem[] => {
  if (length(password) < minPasswordLength)
    return [{ path, code: 'too_short', message: `A password needs at least ${minPasswordLength} characters.` }]
  if (length(password) > maxPasswordLength) return [{ path, ...tooLong(maxPasswordLength) }]
  if (!password.isWellFormed())
    return [{ path, code: 'lone_surrogate', message: 'Must be valid Unicode, without lone surrogates.' }]
  return []
}

/**
 * Returns the problem of a common password.
 * @param isCommon returns whether a password is on the lists that guessers use
 */
export const commonPasswordProblems = (
  path: string,
  password: string,
  isCommon: (password: string) => boolean,
): Problem[] => {
  if (!isCommon(password)) return []
  const message =
    'This password is on lists of common passwords, which guessers try first; use another one, such as some random words.'
  return [{ path, code: 'common_password', message }]
}

/** Returns the problem of a password that is the address of its account, or one side of it. */
export const addressPasswordProblems = (path: string, password: string, email: string): Problem[] => {
  const [local = '', domain = ''] = email.split('@')
  if (![email, local, domain].includes(password.trim().toLowerCase())) return []
  const message =
    'This password is part of the email address and easy to guess; use another one, such as several random words.'
  return [{ path, code: 'common_password', message }]
}

/** Returns the one spelling of an account's address that it is stored and looked up by, or what is wrong with it. */
export const normalizeEmail = (text: string): { email: string } | { code: string; message: string } => {
  const parsed = parseMailbox(text)
  if (!parsed.ok) return { code: parsed.code, message: parsed.message }
  if (parsed.mailbox.name !== '')
    return { code: 'invalid_address', message: 'Must be only an address, without a display name.' }
  if (needsSmtpUtf8(parsed.mailbox.address)) {
    const message = 'Characters outside ASCII before the “@” are not supported in the address of an account.'
    return { code: 'eai_unsupported', message }
  }
  return { email: addressKey(parsed.mailbox.address) }
}

/** Returns the problems of the display name that a workspace chose for the shared sender. */
export const senderNameProblems = (path: string, name: string): Problem[] => {
  const problems = textProblems(path, name, { max: maxSenderNameLength, optional: true })
  if (problems.length > 0) return problems
  if (hasEncodedWord(name)) {
    const message = 'Must not contain an encoded word (=?…?=); send the name as plain UTF-8.'
    return [{ path, code: 'encoded_word', message }]
  }
  if (!readsAsAddress(name)) return []
  const message = 'Must not read as an email address or a domain name; use a plain name.'
  return [{ path, code: 'looks_like_address', message }]
}

/**
 * Returns the display name of a workspace on the shared sender: the chosen one, else its own name; empty if both read
 * as addresses. A name that an earlier release accepted may read as one.
 */
export const senderNameOf = ({ name, senderName }: { name: string; senderName: string }): string =>
  [senderName, name].find((text) => text !== '' && isSenderName(text)) ?? ''

const isSenderName = (text: string): boolean =>
  nameProblem(text) === null && !hasEncodedWord(text) && !readsAsAddress(text)
