import type { ChangeEmailRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ChangeEmailRequest.ts'
import type { LinkReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/LinkReply.ts'
import type { LinkRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/LinkRequest.ts'
import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import { type LinkPurpose, linkPurposes } from '@postrider/domain/accounts/links.ts'
import { normalizeEmail } from '@postrider/domain/accounts/textRules.ts'
import type { User } from '@postrider/domain/accounts/users.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Deps } from './deps.ts'
import { type IssuedLink, invalidLinkFault, issueLink, readLink, takeLink } from './links.ts'
import { changeEmailMail, confirmEmailMail, mailNotice, noticeMail } from './mails.ts'
import { requireOwnPassword } from './ownPassword.ts'
import { limitLinks, limitMails, limitMailsTo } from './rateLimits.ts'
import { ownEntry, ownSession } from './session.ts'

/*
 * Addresses of users. A person works immediately after the sign-up. An address that is not confirmed limits nothing: it
 * is shown as such, and a new link can be requested.
 */

/** Emails a link that confirms the address of a user. */
export const postConfirmation = (deps: Deps, { id, email }: Pick<User, 'id' | 'email'>): void =>
  deps.mails.post(async () => [
    confirmEmailMail(email, await issueLink(deps, { purpose: 'confirm_email', subject: id, address: email })),
  ])

/** Emails the link again; the earlier one ends. */
export const resendConfirmation = async (deps: Deps, request: SessionRequest__Output) => {
  const { user } = await ownSession(deps, request.token)
  if (user.emailConfirmedAt !== null) throw new Fault('conflict', 'Your email address is already confirmed.')
  await limitMails(deps, user.id)
  await limitMailsTo(deps, user.email)
  postConfirmation(deps, user)
  return {}
}

const addressInUseFault = () => new Fault('conflict', 'This email address already has an account; use another address.')

const requestedAddress = (text: string): string => {
  const email = normalizeEmail(text)
  if ('email' in email) return email.email
  throw invalid({ path: 'email', ...email })
}

/** Emails a link to a new address, and a notice to the current one, which stays until the link is used. */
export const changeEmail = async (deps: Deps, request: ChangeEmailRequest__Output) => {
  const { user } = await ownSession(deps, request.token)
  const email = requestedAddress(request.email)
  await requireOwnPassword(deps, user, {
    path: 'password',
    password: request.password,
    clientAddress: request.client_address,
  })
  if (email === user.email) throw new Fault('conflict', 'This is already the email address of your account.')
  if ((await deps.accounts.userByEmail(email)) !== null) throw addressInUseFault()
  await limitMails(deps, user.id)
  await limitMailsTo(deps, email)
  const link = await issueChange(deps, user, email)
  const id = newId('evt')
  deps.mails.post(async () => [changeEmailMail(email, link), noticeMail(user.email, 'email_requested', id)])
  return {}
}

/**
 * Creates the link for a new address. A change of the password ends the stored links; a link that is stored later finds
 * the new password here, so a person with the former password gets no link.
 */
const issueChange = async (deps: Deps, { id, passwordHash }: User, address: string): Promise<IssuedLink> => {
  const link = await issueLink(deps, { purpose: 'change_email', subject: id, address })
  if ((await deps.users.user(id))?.passwordHash === passwordHash) return link
  await deps.links.deleteLinks('change_email', id)
  throw new Fault('conflict', 'Your password was changed by another request at the same time; log in again.')
}

const ofAddresses: readonly LinkPurpose[] = ['confirm_email', 'change_email']

/** Uses a link that confirms an address, or changes it. */
export const confirmEmail = async (deps: Deps, request: LinkRequest__Output): Promise<LinkReply__Output> => {
  await limitLinks(deps, request.client_address)
  const link = await readLink(deps, request.token, ofAddresses)
  const user = await deps.users.user(link.subject)
  if (user === null) throw invalidLinkFault()
  await takeLink(deps, link)
  const used = { address: link.address, clientAddress: request.client_address }
  await (link.purpose === 'change_email' ? useNewAddress(deps, user, used) : confirmAddress(deps, user, used))
  return { email: link.address, purpose: link.purpose }
}

/**
 * Confirms the address of a person who used a link of any purpose that was mailed to it.
 * @returns the user after it; of a user who has another address by now, nothing changes
 */
export const confirmProven = async (deps: Deps, user: User, clientAddress: string): Promise<User> => {
  if (user.emailConfirmedAt !== null) return user
  const audit = await ownEntry(deps, { user: user.id, action: 'user.confirm_email', clientAddress })
  const change = { emailConfirmedAt: deps.now() }
  const changed = await deps.users.changeUser(user.id, change, { email: user.email }, audit)
  return changed === 'changed' ? { ...user, ...change } : user
}

type UsedLink = { address: string; clientAddress: string }

const confirmAddress = async (deps: Deps, user: User, { address, clientAddress }: UsedLink): Promise<void> => {
  const audit = await ownEntry(deps, { user: user.id, action: 'user.confirm_email', clientAddress })
  const change = { emailConfirmedAt: deps.now() }
  if ((await deps.users.changeUser(user.id, change, { email: address }, audit)) !== 'changed') throw invalidLinkFault()
}

/** Links that were mailed to the former address end with it. */
const useNewAddress = async (deps: Deps, user: User, { address, clientAddress }: UsedLink): Promise<void> => {
  const audit = await ownEntry(deps, {
    user: user.id,
    action: 'user.change_email',
    clientAddress,
    before: { email: user.email },
    after: { email: address },
  })
  const change = { email: address, emailConfirmedAt: deps.now() }
  const changed = await deps.users.changeUser(user.id, change, { email: user.email }, audit)
  if (changed === 'taken') throw addressInUseFault()
  if (changed === 'lost') throw invalidLinkFault()
  for (const purpose of ['reset_password', 'confirm_email'] as const) await deps.links.deleteLinks(purpose, user.id)
  mailNotice(deps, user, 'email_changed')
}

/** Returns whom a link is for, for the page that uses it. */
export const readLinkOf = async (deps: Deps, request: LinkRequest__Output): Promise<LinkReply__Output> => {
  await limitLinks(deps, request.client_address)
  const wanted = linkPurposes.filter((purpose) => purpose !== 'invitation' && request.purposes.includes(purpose))
  const { address, purpose } = await readLink(deps, request.token, wanted)
  return { email: address, purpose }
}
