import { createRequire } from 'node:module'
import { lazy } from '@postrider/mail/lazy.ts'
import type { Problem } from './fault.ts'

const fold = (text: string): string => text.toWellFormed().normalize('NFKC').toLowerCase()

/**
 * Returns 49,000 passwords of leaked lists. They are loaded at first use, because that takes 25 ms and few processes check
 * passwords.
 */
const commonWords = lazy((): ReadonlySet<string> => {
  const load = (): typeof import('@zxcvbn-ts/language-common') =>
    createRequire(import.meta.url)('@zxcvbn-ts/language-common')
  return new Set(load().dictionary['passwords-common'].map((word) => fold(String(word))))
})

/** Returns whether a password is among the first that a guesser tries; case does not matter. */
export const isCommonPassword = (password: string): boolean => commonWords().has(fold(password))

/** Returns the problem of a common password. */
export const commonPasswordProblems = (path: string, password: string): Problem[] =>
  isCommonPassword(password)
    ? [
        {
          path,
          code: 'common_password',
          message:
            'This password is on lists of common passwords, which guessers try first; use another one, such as some random words.',
        },
      ]
    : []
