import { dictionary } from '@zxcvbn-ts/language-common'
import type { Problem } from './fault.ts'

const fold = (text: string): string => text.toWellFormed().normalize('NFKC').toLowerCase()

/** 49,000 passwords of leaked lists, the most frequent ones first. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'].map((word) => fold(String(word))))

/** Whether a password is among the first that a guesser tries; case does not matter. */
export const isCommonPassword = (password: string): boolean => common.has(fold(password))

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
