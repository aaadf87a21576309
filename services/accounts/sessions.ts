import type { RevokeSessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/RevokeSessionRequest.ts'
import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import type { SessionInfo } from '@postrider/contracts/services.ts'
import { isValidSession } from '@postrider/domain/accounts/users.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredSession } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { type OwnSession, ownEntry, ownSession, sessionId } from './session.ts'

/** Sessions of one person that are listed; more are not usual, and revoking all ends them too. */
const maxListed = 100

const validSessions = async (deps: Deps, { user, open }: OwnSession): Promise<StoredSession[]> => {
  const at = deps.now()
  const found = await deps.users.sessionsOf(user.id, at - deps.limits.sessionIdleMs, maxListed)
  return found.filter((session) => isValidSession(session, open, at, deps.limits))
}

const isSame = (a: StoredSession, b: StoredSession): boolean => Buffer.from(a.hash).equals(b.hash)

/** Returns the sessions of a person, the one of the request first, then the last used ones. */
export const listSessions = async (
  deps: Deps,
  { token }: SessionRequest__Output,
): Promise<{ sessions: SessionInfo[] }> => {
  const own = await ownSession(deps, token)
  const others = (await validSessions(deps, own)).filter((session) => !isSame(session, own.open.session))
  const sessions = [own.open.session, ...others].map((session) => ({
    id: sessionId(session),
    created_at: session.createdAt,
    last_used_at: session.seenAt,
    device: session.device,
    address: session.address,
    current: session === own.open.session,
  }))
  return { sessions }
}

/** Ends one session of the person; the one of the request too. @throws Fault `not_found` */
export const revokeSession = async (deps: Deps, request: RevokeSessionRequest__Output) => {
  const { token, id, client_address: clientAddress } = request
  const own = await ownSession(deps, token)
  const all = [own.open.session, ...(await validSessions(deps, own))]
  const found = all.find((session) => sessionId(session) === id)
  const { workspace } = own.open.session
  const audit = await ownEntry(deps, {
    user: own.user.id,
    action: 'session.revoke',
    clientAddress,
    workspace,
    target: id,
  })
  if (found === undefined || !(await deps.accounts.deleteSession(found.hash, audit)))
    throw new Fault('not_found', 'You have no session with this id.')
  return {}
}

/** Ends all sessions of the person except the one of the request. */
export const revokeOtherSessions = async (
  deps: Deps,
  { token, client_address: clientAddress }: SessionRequest__Output,
) => {
  const { user, open } = await ownSession(deps, token)
  const { workspace } = open.session
  const audit = await ownEntry(deps, { user: user.id, action: 'session.revoke', clientAddress, workspace })
  return { count: await deps.users.deleteSessionsOf(user.id, open.session.hash, audit) }
}
