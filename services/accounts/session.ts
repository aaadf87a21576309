import { createHash, createHmac } from 'node:crypto'
import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { accountPseudonym, familiarNetwork } from '@postrider/domain/accounts/logInLimits.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { hasPassedTotp, hasTotp, isValidSession } from '@postrider/domain/accounts/users.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { hourMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import type { OpenSession, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import { deviceOf, noticeDevice } from './device.ts'
import { sessionCaller } from './records.ts'

const tokenBytes = 32
const tokenShape = /^[A-Za-z0-9_-]{43}$/
/** Resolution of the time of last use: one write a minute, not one per request. */
const touchEveryMs = 60_000

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Derived from the session's token, which a page cannot read, so it ends with its session. It changes with the
 * workspace of the session: a page that shows another workspace cannot change this one.
 */
const csrfToken = (token: string, salt: string): string =>
  createHmac('sha256', token).update(`csrf${salt}`).digest('base64url')

/** Writes when a user was seen, to the hour, after the response. */
const noteSeen = ({ accounts, deferWrite }: Pick<Deps, 'accounts' | 'deferWrite'>, user: string, at: number): void => {
  const hour = at - (at % hourMs)
  deferWrite(`seen ${user}`, hour, () => accounts.touchUser(user, hour))
}

/**
 * Returns the id of a session. It is derived, so that sessions of an earlier release have one too, and from a digest of
 * what the store has, so that it reveals nothing of it.
 */
export const sessionId = ({ hash, createdAt }: Pick<StoredSession, 'hash' | 'createdAt'>): string =>
  derivedId('ses', createdAt, 'session id', hash)

type NewSession = {
  /** The user at the time when the person proved who they are: with a code, if the user had a second factor then. */
  user: User
  role: Role
  workspace: StoredWorkspace
  clientAddress: string
  userAgent: string
}

/** Stores a session with a new token. An earlier session is never used again, which prevents session fixation. */
const insertSession = async (
  { accounts, now, random, deferWrite }: Deps,
  { user, workspace, totpEnabledAt, ...client }: Omit<NewSession, 'role'> & Pick<StoredSession, 'totpEnabledAt'>,
) => {
  const at = now()
  const token = Buffer.from(random(tokenBytes)).toString('base64url')
  const session: StoredSession = {
    hash: hashToken(token),
    user: user.id,
    workspace: workspace.id,
    csrfSalt: '',
    // A clock that was set back must not end the session immediately.
    createdAt: Math.max(at, user.sessionsSince),
    seenAt: at,
    device: deviceOf(client.userAgent),
    address: client.clientAddress,
    totpEnabledAt,
  }
  const act = { workspace: workspace.id, action: 'session.open' as const, target: user.id }
  await accounts.insertSession(session, newEntry({ actor: user.id, clientAddress: client.clientAddress, at }, act))
  noteSeen({ accounts, deferWrite }, user.id, at)
  return { token, session }
}

type SessionOfPerson = Pick<NewSession, 'role' | 'workspace' | 'user'> & { token: string; session: StoredSession }

const replyOf = async (
  { accounts }: Pick<Deps, 'accounts'>,
  { token, session, user, role, workspace }: SessionOfPerson,
): Promise<SessionReply> => ({
  token,
  csrf_token: csrfToken(token, session.csrfSalt),
  email: user.email,
  email_confirmed: user.emailConfirmedAt !== null,
  totp_enabled: hasTotp(user),
  totp_passed: hasPassedTotp(session, user),
  operator: ((await accounts.findUser(user.id))?.operatorSince ?? null) !== null,
  caller: sessionCaller(user.id, role, workspace, hasTotp(user)),
})

/** Ends a session, with its entry of the audit log. */
const closeSession = (
  { accounts, now }: Pick<Deps, 'accounts' | 'now'>,
  { hash, user, workspace }: StoredSession,
  clientAddress: string | undefined,
): Promise<boolean> => {
  const act = { workspace, action: 'session.close' as const, target: user }
  return accounts.deleteSession(hash, newEntry({ actor: user, clientAddress, at: now() }, act))
}

/**
 * Opens a session.
 * @throws Fault `unauthenticated`: the password was changed since the user was read
 */
export const openSession = async (deps: Deps, given: NewSession): Promise<SessionReply> => {
  const { accounts, limiter, now, limits } = deps
  const { user, clientAddress } = given
  const at = now()
  await accounts.deleteStaleSessions({ createdBefore: at - limits.sessionAgeMs, seenBefore: at - limits.sessionIdleMs })
  const { token, session } = await insertSession(deps, { ...given, totpEnabledAt: user.totp?.enabledAt ?? null })
  // A change of the password ends the stored sessions. A session that is stored later finds the new password here.
  if ((await deps.users.user(user.id))?.passwordHash !== user.passwordHash) {
    await closeSession(deps, session, clientAddress)
    throw new Fault('unauthenticated', 'The password was changed at the same time; log in with the new one.')
  }
  // Otherwise a person could have enough sessions that ending all of them blocks the process.
  await accounts.deleteExcessSessions(user.id, limits.sessionsOfUser)
  await noticeDevice(deps, session)
  await limiter.take([familiarNetwork(accountPseudonym(user.email), clientAddress)], 1, at)
  return replyOf(deps, { ...given, token, session })
}

type SessionDeps = Pick<Deps, 'accounts' | 'now' | 'limits'>

/** Returns the open session of a token; null: there is none, or it has ended. */
export const sessionOf = async ({ accounts, now, limits }: SessionDeps, token: string): Promise<OpenSession | null> => {
  const open = tokenShape.test(token) ? await accounts.session(hashToken(token)) : null
  return open !== null && isValidSession(open.session, open, now(), limits) ? open : null
}

/** @throws Fault `unauthenticated`: there is no such session, or it has ended; the text is the same for both */
const validSession = async (deps: SessionDeps, token: string): Promise<OpenSession> => {
  const open = await sessionOf(deps, token)
  if (open !== null) return open
  throw new Fault('unauthenticated', notAuthenticated)
}

/**
 * Returns the caller that a session's token belongs to.
 * @throws Fault `unauthenticated`
 */
export const authenticateSession = async (
  deps: Deps,
  { token, client_address: address = '' }: SessionRequest__Output,
): Promise<SessionReply> => {
  const { accounts, now, deferWrite } = deps
  const open = await validSession(deps, token)
  const at = now()
  const { hash, seenAt, user, address: lastAddress } = open.session
  if (at - seenAt >= touchEveryMs)
    deferWrite(Buffer.from(hash).toString('base64url'), at - (at % touchEveryMs), () =>
      accounts.touchSession(hash, at, address || lastAddress),
    )
  noteSeen({ accounts, deferWrite }, user, at)
  return replyOfOpen(open, { token: '', csrfToken: csrfToken(token, open.session.csrfSalt) })
}

/** @param token empty: the client has it already */
const replyOfOpen = (
  { session, role, workspace, ...user }: OpenSession,
  tokens: { token: string; csrfToken: string },
): SessionReply => ({
  token: tokens.token,
  csrf_token: tokens.csrfToken,
  email: user.email,
  email_confirmed: user.isEmailConfirmed,
  totp_enabled: user.hasTotp,
  totp_passed: user.hasPassedTotp,
  operator: user.isOperator,
  caller: sessionCaller(session.user, role, workspace, user.hasTotp),
})

const saltBytes = 16

type Move = { token: string; open: OpenSession; workspace: string; clientAddress: string }

/**
 * Moves a session to another workspace of its user. Only the token for changes is new: the cookie stays, and so does
 * the age of the session.
 * @throws Fault `not_found`: the user is not a member of the workspace
 */
export const moveSession = async (
  deps: Pick<Deps, 'accounts' | 'now' | 'random' | 'limits'>,
  { token, open, workspace, clientAddress }: Move,
): Promise<SessionReply> => {
  const { accounts, now, random } = deps
  const { hash, user } = open.session
  const csrfSalt = Buffer.from(random(saltBytes)).toString('base64url')
  const act = { workspace, action: 'session.switch' as const, target: user }
  const entry = newEntry({ actor: user, clientAddress, at: now() }, act)
  const isMoved = await accounts.moveSession(hash, { user, workspace, csrfSalt }, entry)
  const moved = isMoved ? await accounts.session(hash) : null
  if (moved === null) throw new Fault('not_found', 'You are not a member of a workspace with this id.')
  return replyOfOpen(moved, { token, csrfToken: csrfToken(token, csrfSalt) })
}

/** Ends a session in the store, not only in the browser. An unknown token changes nothing. */
export const logOut = async (deps: Deps, { token, client_address: clientAddress }: SessionRequest__Output) => {
  const open = tokenShape.test(token) ? await deps.accounts.session(hashToken(token)) : null
  if (open !== null) await closeSession(deps, open.session, clientAddress)
  return {}
}

/** A session and its user, for changes of the user's own account. */
export type OwnSession = { open: OpenSession; user: User }

/** @throws Fault `unauthenticated` */
export const ownSession = async (deps: Deps, token: string): Promise<OwnSession> => {
  const open = await validSession(deps, token)
  return { open, user: await sessionUser(deps, open.session.user) }
}

/** Returns the user of a session. @throws Fault `unauthenticated`: the user was deleted after the session was read */
export const sessionUser = async ({ users }: Pick<Deps, 'users'>, id: string): Promise<User> => {
  const user = await users.user(id)
  if (user === null) throw new Fault('unauthenticated', notAuthenticated)
  return user
}

type OwnAct = {
  user: string
  action: AuditAction
  clientAddress?: string | undefined
  /** Absent: the first workspace of the user. */
  workspace?: string
  /** Absent: the user. */
  target?: string
} & Partial<Pick<AuditEntry, 'before' | 'after'>>

/** Returns the entry of a change of the user's own account. */
export const ownEntry = async (
  { accounts, now }: Pick<Deps, 'accounts' | 'now'>,
  { user, clientAddress, workspace, ...act }: OwnAct,
): Promise<AuditEntry> => {
  const home = workspace ?? (await accounts.memberships(user))[0]?.workspace ?? ''
  return newEntry({ actor: user, clientAddress, at: now() }, { target: user, ...act, workspace: home })
}

type Renewal = OwnSession & {
  endOthers: boolean
  clientAddress: string
  userAgent: string
  /** When the second factor was enabled that the request gave a code of; absent: what the session has passed stays. */
  totpEnabledAt?: number
}

/** Replaces the token of a session, because what the session may do has changed. @param renewal `user` as it is now */
export const renewSession = async (deps: Deps, renewal: Renewal): Promise<SessionReply> => {
  const { open, user, endOthers, clientAddress, userAgent, totpEnabledAt = open.session.totpEnabledAt } = renewal
  const { role, workspace } = open
  const { token, session } = await insertSession(deps, { user, workspace, clientAddress, userAgent, totpEnabledAt })
  await closeSession(deps, open.session, clientAddress)
  if (endOthers) {
    const own = { user: user.id, clientAddress, workspace: workspace.id }
    await deps.users.deleteSessionsOf(user.id, session.hash, await ownEntry(deps, { ...own, action: 'session.revoke' }))
  }
  return replyOf(deps, { token, session, user, role, workspace })
}
