import { createRequire } from 'node:module'
import { lazy } from '@postrider/mail/lazy.ts'

const fold = (text: string): string => text.toWellFormed().normalize('NFKC').toLowerCase()

/**
 * Returns 49,000 passwords of leaked lists. They are loaded at first use, because that takes 25 ms and few processes
 * check passwords.
 */
const commonWords = lazy((): ReadonlySet<string> => {
  const load = (): typeof import('@zxcvbn-ts/language-common') =>
    createRequire(import.meta.url)('@zxcvbn-ts/language-common')
  return new Set(load().dictionary['passwords-common'].map((word) => fold(String(word))))
})

/** Returns whether a password is among the first that a guesser tries; case does not matter. */
export const isCommonPassword = (password: string): boolean => commonWords().has(fold(password))
