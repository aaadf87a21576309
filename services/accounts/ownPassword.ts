import type { ChangePasswordRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ChangePasswordRequest.ts'
import type { PasswordResetRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/PasswordResetRequest.ts'
import type { ResetPasswordRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ResetPasswordRequest.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import { accountPseudonym } from '@postrider/domain/accounts/logInLimits.ts'
import {
  addressPasswordProblems,
  commonPasswordProblems,
  normalizeEmail,
  passwordProblems,
} from '@postrider/domain/accounts/textRules.ts'
import { type User, unprovenFactor } from '@postrider/domain/accounts/users.ts'
import { isCommonPassword } from '@postrider/kit/commonPasswords.ts'
import { Fault, invalid, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'
import { invalidLinkFault, issueLink, readLink, takeLink } from './links.ts'
import { mailNotice, resetPasswordMail } from './mails.ts'
import { requireEnabled } from './operatorUsers.ts'
import { limitLinks, limitPasswordChecks, limitResets } from './rateLimits.ts'
import { ownEntry, ownSession, renewSession } from './session.ts'

/** Returns the problems of a new password of the account with this address. */
export const newPasswordProblems = (path: string, password: string, email: string): Problem[] => {
  const ofText = passwordProblems(path, password)
  const problems = ofText.length > 0 ? ofText : commonPasswordProblems(path, password, isCommonPassword)
  return problems.length > 0 ? problems : addressPasswordProblems(path, password, email)
}

type GivenPassword = { path: string; password: string; clientAddress: string }

/** @throws Fault `validation_failed` at `path`: it is not the password of the user; `rate_limited` */
export const requireOwnPassword = async (
  deps: Deps,
  user: User,
  { path, password, clientAddress }: GivenPassword,
): Promise<void> => {
  await limitPasswordChecks(deps, user.id)
  if (await deps.passwords.verify(user.passwordHash, password, clientAddress, true)) return
  throw invalid({ path, code: 'wrong_password', message: 'This is not your current password.' })
}

/** Links that a person with the former password may have requested. */
const endLinks = async ({ links }: Deps, { id }: User): Promise<void> => {
  for (const purpose of ['reset_password', 'change_email'] as const) await links.deleteLinks(purpose, id)
}

/**
 * Sets another password. One write changes it and ends all earlier sessions (`sessionsSince`). The session of this
 * request continues with a new token, because the former one may have been stolen together with the password.
 */
export const changePassword = async (deps: Deps, request: ChangePasswordRequest__Output): Promise<SessionReply> => {
  const { user, open } = await ownSession(deps, request.token)
  const clientAddress = request.client_address
  refuseAny(newPasswordProblems('password', request.password, user.email))
  await requireOwnPassword(deps, user, { path: 'current', password: request.current, clientAddress })
  const passwordHash = await deps.passwords.hash(request.password, clientAddress, true)
  const change = { passwordHash, sessionsSince: deps.now() }
  const audit = await ownEntry(deps, {
    user: user.id,
    action: 'user.change_password',
    clientAddress,
    workspace: open.session.workspace,
  })
  if ((await deps.users.changeUser(user.id, change, { passwordHash: user.passwordHash }, audit)) !== 'changed')
    throw new Fault('conflict', 'Your password was changed by another request at the same time; log in again.')
  await endLinks(deps, user)
  mailNotice(deps, user, 'password_changed')
  return renewSession(deps, {
    open,
    user: { ...user, ...change },
    endOthers: true,
    clientAddress,
    userAgent: request.user_agent,
  })
}

/**
 * Emails a link, if the address has an account. Whether it has is read after the response, so neither the response nor
 * its time depends on it.
 */
export const requestPasswordReset = async (deps: Deps, request: PasswordResetRequest__Output) => {
  const address = normalizeEmail(request.email)
  if (!('email' in address)) throw invalid({ path: 'email', ...address })
  const { email } = address
  await limitResets(deps, accountPseudonym(email), request.client_address)
  deps.mails.post(async () => {
    const user = await deps.accounts.userByEmail(email)
    if (user === null || (await deps.accounts.findUser(user.id))?.disabled) return []
    return [
      resetPasswordMail(email, await issueLink(deps, { purpose: 'reset_password', subject: user.id, address: email })),
    ]
  })
  return {}
}

/**
 * Sets a password by a link from an email, and ends all sessions. It opens none: a person with a second factor needs a
 * code to log in, as before, unless the address was not confirmed. The use of the link also confirms the address.
 */
export const resetPassword = async (deps: Deps, request: ResetPasswordRequest__Output) => {
  await limitLinks(deps, request.client_address)
  const link = await readLink(deps, request.token, ['reset_password'])
  const user = await deps.users.user(link.subject)
  if (user === null || user.email !== link.address) throw invalidLinkFault()
  await requireEnabled(deps, user.id)
  // A refused password leaves the link, so that the person can try another one.
  refuseAny(newPasswordProblems('password', request.password, user.email))
  const passwordHash = await deps.passwords.hash(request.password, request.client_address)
  await takeLink(deps, link)
  const at = deps.now()
  const own = { user: user.id, clientAddress: request.client_address }
  const factor = unprovenFactor(user)
  const change = { passwordHash, sessionsSince: at, emailConfirmedAt: user.emailConfirmedAt ?? at, ...factor.change }
  const totp = factor.isRemoved ? { before: { totp_enabled: true }, after: { totp_enabled: false } } : {}
  const audit = await ownEntry(deps, { ...own, action: 'user.reset_password', ...totp })
  if ((await deps.users.changeUser(user.id, change, { email: link.address }, audit)) !== 'changed')
    throw invalidLinkFault()
  await endLinks(deps, user)
  await deps.users.deleteSessionsOf(user.id, null, await ownEntry(deps, { ...own, action: 'session.revoke' }))
  mailNotice(deps, user, factor.isRemoved ? 'password_reset_totp' : 'password_reset')
  return {}
}
