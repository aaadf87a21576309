import type { Problem } from '../problem.ts'
import { hasTotp, type User } from './users.ts'

/* Who may be marked as an operator. A session of an operator may use the operator's routes. */

const problem = (code: string, message: string): Problem => ({ path: 'email', code, message })

/** The problem of an address that no user has. */
export const unknownUser = problem(
  'unknown_user',
  'No user has this address. Ask them to sign up or to accept an invitation, then retry.',
)

/**
 * Returns why a user cannot become an operator; null: they can. The second factor must be on before: otherwise a stolen
 * password or session would be enough to enroll another device and to act as the operator. A user who is an operator
 * already stays one, with or without it.
 * @param since when the user became an operator, milliseconds since the epoch; null: they are not one
 */
export const operatorProblem = (
  user: Pick<User, 'emailConfirmedAt' | 'totp'>,
  since: number | null,
): Problem | null => {
  if (user.emailConfirmedAt === null)
    return problem(
      'unconfirmed_address',
      'The user has not confirmed this address. Ask them to open the link in the confirmation email, then retry.',
    )
  if (since === null && !hasTotp(user))
    return problem(
      'totp_required',
      'The user has no two-factor authentication; the person must switch it on first: in the dashboard under Settings, Two-factor.',
    )
  return null
}
