import { commonPasswordProblems, passwordProblems } from '@postrider/domain/accounts/textRules.ts'
import { isCommonPassword } from '@postrider/kit/commonPasswords.ts'
import type { Problem } from '@postrider/kit/fault.ts'

/**
 * Returns the problem of a common password in a body as received, so that one response names it with all others. The
 * accounts service refuses it too, and passwords that are parts of the address.
 */
export const passwordRules = ({ password }: Record<string, unknown>): Problem[] =>
  typeof password === 'string' && passwordProblems('password', password).length === 0
    ? commonPasswordProblems('password', password, isCommonPassword)
    : []
