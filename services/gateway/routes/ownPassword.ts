import { SessionRecord } from '@postrider/contracts/http/account.ts'
import {
  ChangePassword,
  RequestedMail,
  RequestPasswordReset,
  ResetPassword,
} from '@postrider/contracts/http/ownAccount.ts'
import { linkLifeMs } from '@postrider/domain/accounts/links.ts'
import { durationText } from '@postrider/domain/time.ts'
import { newSession } from '../callers/session.ts'
import { passwordRules } from '../checks/passwordRules.ts'
import { openRoute, sessionRoute } from '../route.ts'
import { linkText, requestedMail } from './ownEmail.ts'

const tag = 'Accounts'

export const requestPasswordReset = openRoute({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/api/v1/auth/password-reset',
  open: true,
  tag,
  summary: 'Request an email with a link that sets a new password',
  description: `The response is the same whether the address has an account or not. The link works once, for ${durationText(linkLifeMs.reset_password)}, and replaces earlier ones. At most 5 requests an hour for each address, and 60 for each client address.`,
  limit: null,
  body: RequestPasswordReset,
  reply: { status: 202, body: RequestedMail, description: 'If the address has an account, an email is sent to it.' },
  errors: ['rate_limited', 'csrf'],
  handle: async ({ body, clientAddress }, { accounts }) => {
    await accounts.RequestPasswordReset({ email: body.email, client_address: clientAddress })
    return { json: requestedMail('If this address has an account, an email with a link was sent to it.') }
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
