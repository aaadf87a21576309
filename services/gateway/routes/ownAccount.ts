import { SessionRecord } from '@postrider/contracts/http/account.ts'
import {
  ChangeEmail,
  ChangePassword,
  ConfirmEmail,
  ConfirmTotp,
  DisableTotp,
  EmailAddressRecord,
  RequestedMail,
  RequestPasswordReset,
  ResetPassword,
  RevokedSessions,
  SessionEntries,
  type SessionEntry,
  TotpEnabledRecord,
  TotpSecretRecord,
} from '@postrider/contracts/http/ownAccount.ts'
import { Id, Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { SessionInfo } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { newSession } from '../callers/session.ts'
import { passwordRules } from '../checks/passwordRules.ts'
import { listPage } from '../lists.ts'
import { openRoute, sessionRoute } from '../route.ts'

const tag = 'Accounts'

const requested = (detail: string) => ({ object: 'mail_request' as const, detail })

const linkText =
  'A link works once; an unknown, used, replaced or expired one is refused with `invalid_link` at `token`.'

export const confirmEmail = openRoute({
  name: 'confirmEmail',
  method: 'POST',
  path: '/api/v1/auth/email/confirm',
  open: true,
  tag,
  summary: 'Use a link that confirms an email address',
  description: `The link was mailed after the sign-up, or by a change of the address, which takes effect here. ${linkText} The page that the mail links to does the same when a person presses its button; opening it changes nothing.`,
  limit: null,
  body: ConfirmEmail,
  reply: { status: 200, body: EmailAddressRecord, description: 'The address is confirmed.' },
  errors: ['conflict', 'rate_limited', 'csrf'],
  handle: async ({ body, clientAddress }, { accounts }) => {
    const { email } = await accounts.ConfirmEmail({ token: body.token, purposes: [], client_address: clientAddress })
    return { json: { object: 'email_address' as const, email, email_confirmed: true } }
  },
})

export const resendConfirmation = sessionRoute({
  name: 'resendConfirmation',
  method: 'POST',
  path: '/api/v1/auth/email/resend',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Mail the link that confirms your email address again',
  description:
    'The earlier link ends. At most 10 emails an hour, and 10 a day to one address. Refused with `conflict` if the address is confirmed.',
  limit: 'write',
  reply: { status: 202, body: RequestedMail, description: 'The mail is sent.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ session }, { accounts }) => {
    await accounts.ResendConfirmation({ token: session.token })
    return { json: requested('An email with a new link is sent to your email address.') }
  },
})

export const changeEmail = sessionRoute({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/v1/auth/email',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Request another email address',
  description:
    'Emails a link to the new address, which works for 24 hours, and a notice to the present one. The address changes when the link is used; until then the present one stays. At most 10 emails an hour, and 10 a day to one address.',
  limit: 'write',
  body: ChangeEmail,
  reply: { status: 202, body: RequestedMail, description: 'The emails are sent.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ body, session, clientAddress }, { accounts }) => {
    await accounts.ChangeEmail({ token: session.token, ...body, client_address: clientAddress })
    return { json: requested('An email with a link is sent to the new address; it changes when the link is used.') }
  },
})

export const requestPasswordReset = openRoute({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/api/v1/auth/password-reset',
  open: true,
  tag,
  summary: 'Request an email with a link that sets a new password',
  description:
    'The response is the same whether the address has an account or not. The link works once, for 30 minutes, and replaces earlier ones. At most 5 requests an hour for each address, and 60 for each client address.',
  limit: null,
  body: RequestPasswordReset,
  reply: { status: 202, body: RequestedMail, description: 'If the address has an account, an email is sent to it.' },
  errors: ['rate_limited', 'csrf'],
  handle: async ({ body, clientAddress }, { accounts }) => {
    await accounts.RequestPasswordReset({ email: body.email, client_address: clientAddress })
    return { json: requested('If this address has an account, an email with a link was sent to it.') }
  },
})

export const resetPassword = openRoute({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/v1/auth/password-reset/confirm',
  open: true,
  tag,
  summary: 'Set a new password by a link from an email',
  description: `Ends all sessions of the person, and opens none: log in with the new password, and with a code if two-factor authentication is on. The use of the link confirms the address; if it was not confirmed before, two-factor authentication is switched off, because another person may have created the account. ${linkText} A refused password leaves the link. A user whom the operator disabled is refused with the reason.`,
  limit: null,
  body: ResetPassword,
  rules: passwordRules,
  reply: { status: 204, description: 'The password is set.' },
  errors: ['forbidden', 'rate_limited', 'csrf'],
  handle: async ({ body, clientAddress }, { accounts }) => {
    await accounts.ResetPassword({ ...body, client_address: clientAddress })
    return { empty: true }
  },
})

export const changePassword = sessionRoute({
  name: 'changePassword',
  method: 'POST',
  path: '/api/v1/auth/password',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Change your password',
  description:
    'Ends your other sessions. This one continues with a new cookie and a new `csrf_token`, because the former cookie may have been stolen.',
  limit: 'write',
  body: ChangePassword,
  rules: passwordRules,
  reply: { status: 200, body: SessionRecord, description: 'The session; its new cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ body, session, clientAddress, userAgent, secure }, deps) => {
    const client = { client_address: clientAddress, user_agent: userAgent }
    return newSession(deps, await deps.accounts.ChangePassword({ token: session.token, ...body, ...client }), secure)
  },
})

export const startTotp = sessionRoute({
  name: 'startTotp',
  method: 'POST',
  path: '/api/v1/auth/totp',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Begin with two-factor authentication',
  description:
    'Makes a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Logins do not require it until it is confirmed with a code; each call makes a new one.',
  limit: 'write',
  reply: { status: 200, body: TotpSecretRecord, description: 'The secret, also as a QR code. It is shown this once.' },
  errors: ['conflict'],
  handle: async ({ session, clientAddress: client_address }, { accounts }) => ({
    json: { object: 'totp' as const, ...(await accounts.StartTotp({ token: session.token, client_address })) },
  }),
})

export const confirmTotp = sessionRoute({
  name: 'confirmTotp',
  method: 'POST',
  path: '/api/v1/auth/totp/confirm',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Switch two-factor authentication on',
  description:
    'Logins need a code from now on. The session continues with a new cookie and a new `csrf_token`. At most 20 codes an hour can be tried. While the email address is not confirmed, a new password by an email switches it off again: confirm the address.',
  limit: 'write',
  body: ConfirmTotp,
  reply: {
    status: 200,
    body: TotpEnabledRecord,
    description: 'The recovery codes, and the session with its new cookie.',
  },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ body, session, clientAddress, userAgent, secure }, deps) => {
    const client = { client_address: clientAddress, user_agent: userAgent }
    const enabled = await deps.accounts.ConfirmTotp({ token: session.token, code: body.code, ...client })
    const { json, headers } = await newSession(deps, enabled.session, secure)
    return { json: { object: 'totp' as const, recovery_codes: enabled.recovery_codes, ...json }, headers }
  },
})

export const disableTotp = sessionRoute({
  name: 'disableTotp',
  method: 'DELETE',
  path: '/api/v1/auth/totp',
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'Switch two-factor authentication off',
  description:
    'Needs a code of the app, or a recovery code. Possible even while the workspace requires two-factor authentication, to change the device: its operations are refused until it is on again.',
  limit: 'write',
  body: DisableTotp,
  reply: { status: 204, description: 'Logins need the password only.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ body, session, clientAddress, userAgent }, { accounts }) => {
    const client = { client_address: clientAddress, user_agent: userAgent }
    await accounts.DisableTotp({ token: session.token, code: body.code, ...client })
    return { empty: true }
  },
})

const sessionsPath = '/api/v1/auth/sessions'

const sessionEntry = (session: SessionInfo) =>
  ({
    object: 'session',
    id: session.id,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    device: session.device || null,
    address: session.address || null,
    current: session.current,
  }) satisfies RecordOf<typeof SessionEntry>

export const listSessions = sessionRoute({
  name: 'listSessions',
  method: 'GET',
  path: sessionsPath,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'List your sessions',
  description:
    'The newest first, with the device and the client address of the last use; at most the 100 that were used last.',
  limit: 'read',
  query: Page,
  reply: { status: 200, body: SessionEntries, description: 'A page of your sessions.' },
  handle: async ({ query, session, caller }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, `${sessionsPath} ${caller.userId}`, caller.workspace, query)
    const { sessions } = await accounts.ListSessions({ token: session.token })
    const newest = sessions.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    const older = before === '' ? newest : newest.filter(({ id }) => id < before)
    return { json: body(older.slice(0, limit).map(sessionEntry), older.length > limit) }
  },
})

export const revokeSession = sessionRoute({
  name: 'revokeSession',
  method: 'DELETE',
  path: `${sessionsPath}/:id`,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'End one of your sessions',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The session has ended.' },
  handle: async ({ params: { id }, session, clientAddress }, { accounts }) => {
    await accounts.RevokeSession({ token: session.token, id, client_address: clientAddress })
    return { empty: true }
  },
})

export const revokeOtherSessions = sessionRoute({
  name: 'revokeOtherSessions',
  method: 'DELETE',
  path: sessionsPath,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'End all your sessions but this one',
  limit: 'write',
  reply: { status: 200, body: RevokedSessions, description: 'How many sessions have ended.' },
  handle: async ({ session, clientAddress: client_address }, { accounts }) => {
    const revoked = await accounts.RevokeOtherSessions({ token: session.token, client_address })
    return { json: { object: 'revoked_sessions' as const, ...revoked } }
  },
})
