import type { AcceptInvitationRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AcceptInvitationRequest.ts'
import type { ReadInvitationRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ReadInvitationRequest.ts'
import type { InvitationOffer, SessionReply } from '@postrider/contracts/services.ts'
import { linkHash, linkLifeMs, linkSubject } from '@postrider/domain/accounts/links.ts'
import {
  acceptInvitation as accepted,
  type Invitation,
  isPending,
  memberOf,
  type People,
} from '@postrider/domain/accounts/people.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { durationText } from '@postrider/domain/time.ts'
import { Fault, hasCode, invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { busyFault } from '@postrider/kit/retryOnConflict.ts'
import type { OpenSession, User } from '@postrider/ports/accounts.ts'
import { newEntry } from './auditEntries.ts'
import { refuseNewUser } from './closedSignUp.ts'
import type { Deps } from './deps.ts'
import { confirmProven } from './emailAddress.ts'
import { invitationState } from './invitations.ts'
import { identify } from './logIn.ts'
import { newPasswordProblems } from './ownPassword.ts'
import { changePeople } from './people.ts'
import { limitGuesses } from './rateLimits.ts'
import { moveSession, openSession, sessionOf } from './session.ts'

/*
 * Accepting an invitation:
 *
 * 1. Find the invitation that the link is about. The link alone decides nothing: reading it changes nothing.
 * 2. Find who accepts: the user of the session, the user with the password, or a new user.
 * 3. Confirm the address of an existing user: they read its mail.
 * 4. Write the member and the end of the invitation as one change. Of several requests with one link, one succeeds.
 * 5. Open a session in the workspace, or move the person's session there.
 *
 * The link stays until it expires, so that a person whose response was lost gets it again; see `enterAgain`. It makes
 * no second member, because the invitation has ended.
 */

type Found = { workspace: string; invitation: Invitation; people: People }

/** One text for all links that cannot be used, so that a guess learns nothing. */
const unusableLinkFault = (): Fault =>
  invalid({
    path: 'token',
    code: 'invalid_link',
    message: `This link is unknown, used, replaced, revoked, or older than ${durationText(linkLifeMs.invitation)}; ask for a new invitation.`,
  })

/** @throws Fault `validation_failed` at `token` */
const findInvitation = async ({ accounts, links, now }: Deps, token: string): Promise<Found> => {
  const hash = linkHash(token)
  const link = hash === null ? null : await links.link(hash, 'invitation', now())
  if (link === null) throw unusableLinkFault()
  const [workspace = ''] = link.subject.split('/')
  const people = await accounts.people(workspace)
  const invitation = people?.invitations.find(({ id }) => linkSubject(workspace, id) === link.subject)
  // Only the newest link counts: a crash, or two people who send it again at the same time, can leave a former one.
  const isUsable = invitation && isPending(invitation, now()) && invitation.sentAt === link.createdAt
  if (!people || !isUsable) throw unusableLinkFault()
  return { workspace, invitation, people }
}

/** Returns what a link offers. It changes nothing: programs that scan mail open links too. */
export const readInvitation = async (
  deps: Deps,
  { token, client_address: clientAddress = '' }: ReadInvitationRequest__Output,
): Promise<InvitationOffer> => {
  const { workspace, invitation } = await limitGuesses(deps, clientAddress, () => findInvitation(deps, token))
  const [home, [inviter], user] = await Promise.all([
    deps.accounts.workspace(workspace),
    deps.accounts.users([invitation.invitedBy]),
    deps.accounts.userByEmail(invitation.email),
  ])
  return {
    workspace_name: home?.name ?? '',
    inviter: inviter?.email ?? '',
    role: invitation.role,
    email: invitation.email,
    has_account: user !== null,
    expires_at: invitation.expiresAt,
  }
}

type Person = { user: User; session: OpenSession | null }

/**
 * @throws Fault `validation_failed`: the caller expects that the password or the code is checked, and the session
 * suffices
 */
const refuseUnusedSecrets = ({ password, code }: AcceptInvitationRequest__Output): void =>
  refuseAny(
    Object.entries({ password, code }).flatMap(([path, text]) =>
      text
        ? { path, code: 'not_used', message: `You are logged in, so \`${path}\` is not checked; leave it out.` }
        : [],
    ),
  )

const passwordMissingFault = (message: string): Fault => invalid({ path: 'password', code: 'missing', message })

/** Returns who accepts the invitation; a user who does not exist yet is stored. */
const personOf = async (
  deps: Deps,
  { email }: Invitation,
  request: AcceptInvitationRequest__Output,
): Promise<Person> => {
  const { accounts } = deps
  const session = request.session_token === '' ? null : await sessionOf(deps, request.session_token)
  if (session !== null && session.email !== email) {
    const detail =
      'You are logged in with another address than the invited one; log out, or log in with the invited one.'
    throw new Fault('forbidden', detail)
  }
  const user = await accounts.userByEmail(email)
  if (user !== null) return existingPerson(deps, user, session, request)
  const created = await createUser(deps, email, request)
  if (created !== null) return { user: created, session: null }
  // A request with the same link was faster; the user exists now.
  const other = await accounts.userByEmail(email)
  if (other === null) throw busyFault('account of this address')
  return existingPerson(deps, other, null, request)
}

/** The session of the user proves who they are, and so does their password. */
const existingPerson = async (
  deps: Deps,
  user: User,
  session: OpenSession | null,
  request: AcceptInvitationRequest__Output,
): Promise<Person> => {
  const { password, client_address, code } = request
  if (session !== null) {
    refuseUnusedSecrets(request)
    return { user, session }
  }
  if (password === '') throw passwordMissingFault('This address has an account: send its password, or log in first.')
  return { user: await identify(deps, { email: user.email, password, client_address, code }), session: null }
}

/** Stores the user of an address that the link proves. @returns null: the address has a user by now */
const createUser = async (
  deps: Deps,
  email: string,
  { password, code, client_address: clientAddress }: AcceptInvitationRequest__Output,
): Promise<User | null> => {
  const { accounts, passwords, now } = deps
  refuseNewUser(deps)
  if (password === '') throw passwordMissingFault('Choose the password of your new account.')
  const message = 'A new account has no two-factor authentication, so no code is checked; leave `code` out.'
  const unusedCode = code ? [{ path: 'code', code: 'not_used', message }] : []
  refuseAny([...newPasswordProblems('password', password, email), ...unusedCode])
  const passwordHash = await passwords.hash(password, clientAddress)
  const at = now()
  // The link was mailed to the address, so its use confirms it.
  const user: User = { ...newUser({ id: newId('usr'), email, passwordHash, createdAt: at }), emailConfirmedAt: at }
  const act = { workspace: '', action: 'user.create' as const, target: user.id }
  const entry = newEntry({ actor: user.id, clientAddress, at }, act)
  return (await accounts.insertUser(user, entry)) ? user : null
}

/**
 * Responds to a request whose first response was lost: the invitation has ended and its person is a member. Their
 * session proves who they are. The password does so only in a repeated call for one HTTP request: a link that is used
 * again opens no session.
 * @returns null: this is not such a request
 */
const enterAgain = async (deps: Deps, request: AcceptInvitationRequest__Output): Promise<SessionReply | null> => {
  const { accounts, links, now } = deps
  const { session_token: token, password, client_address: clientAddress, code } = request
  const hash = linkHash(request.token)
  const link = hash && (await links.link(hash, 'invitation', now()))
  if (!link) return null
  const [workspace = ''] = link.subject.split('/')
  const people = await accounts.people(workspace)
  const isOpen = people?.invitations.some(({ id }) => linkSubject(workspace, id) === link.subject)
  const invited = await accounts.userByEmail(link.address)
  if (!people || isOpen || invited === null || memberOf(people, invited.id) === null) return null
  const open = token === '' ? null : await sessionOf(deps, token)
  if (open !== null) {
    if (open.session.user !== invited.id) return null
    refuseUnusedSecrets(request)
    return moveSession(deps, { token, open, workspace, clientAddress })
  }
  if (request.is_repeat !== true || password === '') return null
  const user = await identify(deps, { email: invited.email, password, client_address: clientAddress, code })
  return enter(deps, people, { user, workspace, clientAddress, userAgent: request.user_agent ?? '' })
}

const isUnusable = (thrown: unknown): boolean =>
  thrown instanceof Fault && thrown.problems?.some(({ code }) => code === 'invalid_link')

/**
 * Makes the invited person a member.
 * @throws Fault `validation_failed` at `token`, also for the second use of a link; at `password`: it is missing or too
 *   weak; at `password` or `code`: it is not needed here; `unauthenticated`: the password is wrong; `forbidden`: the
 *   session is another person's, or new users are not accepted
 */
export const acceptInvitation = async (deps: Deps, request: AcceptInvitationRequest__Output): Promise<SessionReply> => {
  try {
    return await acceptOnce(deps, request)
  } catch (thrown) {
    const again = isUnusable(thrown) ? await enterAgain(deps, request) : null
    if (again === null) throw thrown
    return again
  }
}

const acceptOnce = async (deps: Deps, request: AcceptInvitationRequest__Output): Promise<SessionReply> => {
  const find = () => findInvitation(deps, request.token)
  const { workspace, invitation } = await limitGuesses(deps, request.client_address, find)
  const { id, sentAt } = invitation
  const { user: person, session } = await personOf(deps, invitation, request)
  // The link was mailed to the address, and the person proved that the account is theirs.
  const user = await confirmProven(deps, person, request.client_address)
  const people = await changePeople(deps, workspace, {
    decide: (from) => accepted(from, { id, sentAt, user: user.id, now: deps.now() }),
    entryOf: () => ({
      actor: user.id,
      clientAddress: request.client_address,
      action: 'invitation.accept',
      target: id,
      before: invitationState(invitation),
      after: { role: invitation.role, member: user.id },
    }),
  }).catch((thrown: unknown) => {
    throw hasCode(thrown, 'not_found') ? unusableLinkFault() : thrown
  })
  if (session !== null)
    return moveSession(deps, {
      token: request.session_token,
      open: session,
      workspace,
      clientAddress: request.client_address,
    })
  const userAgent = request.user_agent ?? ''
  return enter(deps, people, { user, workspace, clientAddress: request.client_address, userAgent })
}

/** @throws Fault `validation_failed` at `token`: the workspace was deleted, or the member removed, at the same time */
const enter = async (
  deps: Deps,
  people: People,
  { user, workspace: id, ...client }: { user: User; workspace: string; clientAddress: string; userAgent: string },
): Promise<SessionReply> => {
  const [workspace, member] = [await deps.accounts.workspace(id), memberOf(people, user.id)]
  if (workspace === null || member === null) throw unusableLinkFault()
  return openSession(deps, { user, role: member.role, workspace, ...client })
}
