import {
  addressPasswordProblems,
  commonPasswordProblems,
  passwordProblems,
} from '@postrider/domain/accounts/textRules.ts'
import { isCommonPassword } from '@postrider/kit/commonPasswords.ts'
import type { Problem } from '@postrider/kit/fault.ts'

/** Returns the problems of a new password of the account with this address. */
export const newPasswordProblems = (path: string, password: string, email: string): Problem[] => {
  const ofText = passwordProblems(path, password)
  const problems = ofText.length > 0 ? ofText : commonPasswordProblems(path, password, isCommonPassword)
  return problems.length > 0 ? problems : addressPasswordProblems(path, password, email)
}
