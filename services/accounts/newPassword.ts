import { passwordProblems } from '@postrider/domain/accounts/textRules.ts'
import { commonPasswordProblems } from '@postrider/kit/commonPasswords.ts'
import type { Problem } from '@postrider/kit/fault.ts'

/** Returns the problems of a new password of the account with this address. */
export const newPasswordProblems = (path: string, password: string, email: string): Problem[] => {
  const ofText = passwordProblems(path, password)
  const problems = ofText.length > 0 ? ofText : commonPasswordProblems(path, password)
  if (problems.length > 0) return problems
  const [local = '', domain = ''] = email.split('@')
  if (![email, local, domain].includes(password.trim().toLowerCase())) return []
  const message =
    'This password is a part of the email address, which guessers try first; use another one, such as some random words.'
  return [{ path, code: 'common_password', message }]
}
