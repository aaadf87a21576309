import { ConfirmTotp, DisableTotp, TotpEnabledRecord, TotpSecretRecord } from '@postrider/contracts/http/ownAccount.ts'
import { newSession } from '../callers/session.ts'
import { sessionRoute } from '../route.ts'

const tag = 'Accounts'

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
