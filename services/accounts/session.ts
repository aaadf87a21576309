import { createHash, createHmac } from 'node:crypto'
import type { SessionReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { accountPseudonym, familiarNetwork } from '@postrider/domain/accounts/logInLimits.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { auditNetwork } from '@postrider/domain/network.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { OpenSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { sessionCaller } from './records.ts'

const tokenBytes = 32
const tokenShape = /^[A-Za-z0-9_-]{43}$/
/** Resolution of the time of last use: one write a minute, not one per request. */
const touchEveryMs = 60_000

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Derived from the session's token, which a page cannot read: it needs no storage and ends with its session. */
const csrfToken = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url')

type NewSession = { user: User; role: Role; workspace: StoredWorkspace; clientAddress: string }

/** Opens a session with a new token and never reuses an earlier session, which prevents session fixation. */
export const openSession = async (
  { accounts, audit, limiter, now, random, limits }: Deps,
  { user, role, workspace, clientAddress }: NewSession,
): Promise<SessionReply__Output> => {
  const at = now()
  const token = Buffer.from(random(tokenBytes)).toString('base64url')
  await accounts.deleteStaleSessions({ createdBefore: at - limits.sessionAgeMs, seenBefore: at - limits.sessionIdleMs })
  await accounts.insertSession({
    hash: hashToken(token),
    user: user.id,
    workspace: workspace.id,
    createdAt: at,
    seenAt: at,
  })
  await limiter.take([familiarNetwork(accountPseudonym(user.email), clientAddress)], 1, at)
  const detail = { network: auditNetwork(clientAddress) }
  await audit.record({ workspace: workspace.id, at, actor: user.id, action: 'session.open', target: user.id, detail })
  return {
    token,
    csrf_token: csrfToken(token),
    email: user.email,
    caller: sessionCaller(user.id, role, workspace),
  }
}

const hasEnded = ({ session }: OpenSession, at: number, limits: Deps['limits']): boolean =>
  at - session.createdAt >= limits.sessionAgeMs || at - session.seenAt >= limits.sessionIdleMs

/**
 * Returns the caller that a session's token belongs to.
 * @throws Fault `unauthenticated`: there is no such session, or it has ended; the text is the same for both
 */
export const authenticateSession = async (
  { accounts, now, limits, deferWrite }: Deps,
  { token }: SessionRequest__Output,
): Promise<SessionReply__Output> => {
  const open = tokenShape.test(token) ? await accounts.session(hashToken(token)) : null
  const at = now()
  if (open === null || hasEnded(open, at, limits)) throw new Fault('unauthenticated', notAuthenticated)
  const { hash, seenAt } = open.session
  if (at - seenAt >= touchEveryMs)
    deferWrite(Buffer.from(hash).toString('base64url'), at - (at % touchEveryMs), () => accounts.touchSession(hash, at))
  return {
    token: '',
    csrf_token: csrfToken(token),
    email: open.email,
    caller: sessionCaller(open.session.user, open.role, open.workspace),
  }
}

/** Ends a session in the store, not only in the browser. An unknown token changes nothing. */
export const logOut = async ({ accounts, audit, now }: Deps, { token }: SessionRequest__Output) => {
  const open = tokenShape.test(token) ? await accounts.session(hashToken(token)) : null
  if (open !== null && (await accounts.deleteSession(open.session.hash))) {
    const { user, workspace } = open.session
    await audit.record({ workspace, at: now(), actor: user, action: 'session.close', target: user, detail: {} })
  }
  return {}
}
