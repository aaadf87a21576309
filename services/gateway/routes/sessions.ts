import { LogIn, SessionRecord, SignUp } from '@postrider/contracts/http/account.ts'
import { endedCookie, newSession, sessionRecord } from '../callers/session.ts'
import { passwordRules } from '../checks/passwordRules.ts'
import { openRoute, sessionRoute } from '../route.ts'

export const signUp = openRoute({
  name: 'signUp',
  method: 'POST',
  path: '/api/v1/auth/signup',
  open: true,
  tag: 'Accounts',
  summary: 'Create a user and a workspace, and log in',
  description:
    'An email with a link that confirms the address follows. The user can work before: an address that is not confirmed limits nothing.',
  limit: null,
  body: SignUp,
  reply: { status: 201, body: SessionRecord, description: 'The new session; its cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['conflict', 'forbidden', 'rate_limited', 'csrf'],
  rules: passwordRules,
  handle: async ({ body, clientAddress, userAgent, secure }, deps) => {
    const { code = '', ...given } = body
    const client = { client_address: clientAddress, user_agent: userAgent }
    return newSession(deps, await deps.accounts.SignUp({ ...given, code, ...client }), secure)
  },
})

export const logIn = openRoute({
  name: 'logIn',
  method: 'POST',
  path: '/api/v1/auth/login',
  open: true,
  tag: 'Accounts',
  summary: 'Open a session',
  description:
    'Limited to 60 a minute for each client address, and to 5 a minute for each account and client address. Failed logins lengthen the wait in `Retry-After`; no account is locked permanently. With two-factor authentication, a login without `code` and with the right password is refused with `totp_required` at `code`.',
  limit: null,
  body: LogIn,
  reply: { status: 200, body: SessionRecord, description: 'The session; its cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['unauthenticated', 'rate_limited', 'csrf'],
  handle: async ({ body, clientAddress, userAgent, secure }, deps) => {
    const { code = '', ...given } = body
    const client = { client_address: clientAddress, user_agent: userAgent }
    return newSession(deps, await deps.accounts.LogIn({ ...given, code, ...client }), secure)
  },
})

export const logOut = sessionRoute({
  name: 'logOut',
  method: 'POST',
  path: '/api/v1/auth/logout',
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'End the session',
  limit: 'write',
  reply: { status: 204, description: 'The session has ended, in the service and in the browser.' },
  handle: async ({ session, secure, clientAddress }, { accounts }) => {
    await accounts.LogOut({ token: session.token, client_address: clientAddress })
    return { empty: true, headers: { 'Set-Cookie': endedCookie(secure) } }
  },
})

export const getSession = sessionRoute({
  name: 'getSession',
  method: 'GET',
  path: '/api/v1/auth/session',
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'Read the current session',
  limit: 'read',
  reply: { status: 200, body: SessionRecord, description: 'The user, the workspace and the token for changes.' },
  handle: async ({ caller, session }, deps) => ({
    json: await sessionRecord(deps, { caller, ...session }),
  }),
})
