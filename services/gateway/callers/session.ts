import type { IncomingMessage } from 'node:http'
import type { SessionRecord } from '@postrider/contracts/http/account.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { Accounts, Quota, SessionCaller, SessionReply } from '@postrider/contracts/services.ts'
import { defaultAccountLimits } from '@postrider/domain/accounts/limits.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import type { GatewayConfig } from '../config.ts'
import type { Session, SessionIdentity } from '../deps.ts'
import { billedWorkspace } from '../records/workspaceRecords.ts'

/**
 * Returns the name of the cookie. With the prefix `__Host-` browsers require TLS, this host and the path `/` (RFC
 * 6265bis §4.1.3.2).
 */
export const cookieName = (secure: boolean): string => (secure ? '__Host-sid' : 'sid')

/** How long a browser stores the cookie. The accounts service ends the session itself. */
const cookieSeconds = defaultAccountLimits.sessionAgeMs / 1_000

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** Returns the cookie of a session. */
export const sessionCookie = (token: string, secure: boolean): string =>
  `${cookieName(secure)}=${token}; Max-Age=${cookieSeconds}; ${attributes(secure)}`

/** Returns the cookie that deletes the session's cookie. */
export const endedCookie = (secure: boolean): string => `${cookieName(secure)}=; Max-Age=0; ${attributes(secure)}`

/** Returns the session's token of a request; null: it has none. */
export const sessionToken = (request: IncomingMessage, secure: boolean): string | null => {
  const prefix = `${cookieName(secure)}=`
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const trimmed = pair.trim()
    if (trimmed.startsWith(prefix)) return trimmed.slice(prefix.length) || null
  }
  return null
}

type Person = Pick<Session, 'email' | 'isEmailConfirmed' | 'hasTotp' | 'isOperator'>

/** Returns what a session shows of its person. */
const personOf = (reply: SessionReply): Person => ({
  email: reply.email,
  isEmailConfirmed: reply.email_confirmed ?? false,
  hasTotp: reply.totp_enabled ?? false,
  isOperator: reply.operator ?? false,
})

/** Returns the identity of a request with a session. */
export const sessionIdentity = (token: string, reply: SessionReply): SessionIdentity => ({
  caller: requirePart(reply.caller, 'caller'),
  session: { token, csrfToken: reply.csrf_token, ...personOf(reply) },
})

export type SessionDeps = {
  accounts: Pick<Accounts, 'GetWorkspace'>
  quota: Pick<Quota, 'GetLimits'>
  config: Pick<GatewayConfig, 'sender' | 'operatorToken'>
}

/** Returns a session's record: the user, the workspace, the role, and the token for changes. */
export const sessionRecord = async (
  { accounts, quota, config }: SessionDeps,
  {
    caller,
    csrfToken,
    email,
    isEmailConfirmed,
    hasTotp,
    isOperator,
  }: Person & { caller: SessionCaller; csrfToken: string },
) => {
  // Without a token the operator's routes are off.
  const operator = isOperator && config.operatorToken !== null
  const { id, name, plan, require_totp = false } = await billedWorkspace({ accounts, quota }, caller.workspace)
  return {
    user: { id: caller.userId, email, email_confirmed: isEmailConfirmed, totp_enabled: hasTotp, operator },
    workspace: { id, name, plan, require_totp, sender: config.sender },
    role: caller.role,
    csrf_token: csrfToken,
  } satisfies RecordOf<typeof SessionRecord>
}

/** Returns the response for a session that was just opened, with its cookie. */
export const newSession = async (deps: SessionDeps, reply: SessionReply, secure: boolean) => ({
  json: await sessionRecord(deps, {
    caller: requirePart(reply.caller, 'caller'),
    csrfToken: reply.csrf_token,
    ...personOf(reply),
  }),
  headers: { 'Set-Cookie': sessionCookie(reply.token, secure) },
})
