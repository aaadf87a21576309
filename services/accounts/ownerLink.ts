import type { SignInRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SignInRequest.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import { hasTotp, type User } from '@postrider/domain/accounts/users.ts'
import type { Deps } from './deps.ts'
import { invalidLinkFault, issueLink, readLink, takeLink } from './links.ts'
import { membershipOf } from './logIn.ts'
import { requireEnabled } from './operatorUsers.ts'
import { limitLinks } from './rateLimits.ts'
import { openSession } from './session.ts'
import { firstOwnerEmail } from './signUp.ts'

/*
 * The link that a start of the single process prints. It opens a session of the owner that the first start created, so
 * that no password has to be copied. It works once and for 15 minutes. An owner who has set a password or a second
 * factor uses the account: no link is made for them, and an earlier link has no effect. The same applies to an owner
 * whom the operator disabled, even after the operator enabled them again.
 */

const isAsMade = ({ email, sessionsSince, totp }: User): boolean =>
  email === firstOwnerEmail && sessionsSince === 0 && !hasTotp({ totp })

/** Makes the link; earlier ones end. @returns null: the owner of the first start has taken the account over */
export const issueOwnerLink = async (deps: Deps): Promise<string | null> => {
  const owner = await deps.accounts.userByEmail(firstOwnerEmail)
  if (owner === null || !isAsMade(owner)) return null
  return (await issueLink(deps, { purpose: 'sign_in', subject: owner.id, address: owner.email })).url
}

/**
 * Uses the link: opens a session.
 * @throws Fault `validation_failed` at `token`; `forbidden`: the operator disabled the user
 */
export const signInByLink = async (deps: Deps, request: SignInRequest__Output): Promise<SessionReply> => {
  const { client_address: clientAddress, user_agent: userAgent } = request
  await limitLinks(deps, clientAddress)
  const link = await readLink(deps, request.token, ['sign_in'])
  const user = await deps.users.user(link.subject)
  if (user === null || !isAsMade(user)) throw invalidLinkFault()
  await requireEnabled(deps, user.id)
  const membership = await membershipOf(deps, user)
  if (membership === null) throw invalidLinkFault()
  await takeLink(deps, link)
  return openSession(deps, { user, ...membership, clientAddress, userAgent })
}
