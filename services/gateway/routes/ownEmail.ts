import { ChangeEmail, ConfirmEmail, EmailAddressRecord, RequestedMail } from '@postrider/contracts/http/ownAccount.ts'
import { linkLifeMs } from '@postrider/domain/accounts/links.ts'
import { durationText } from '@postrider/domain/time.ts'
import { openRoute, sessionRoute } from '../route.ts'

/** Returns the record of a request for an email. */
export const requestedMail = (detail: string) => ({ object: 'mail_request' as const, detail })

/** The sentence about links in the descriptions of the operations that take one. */
export const linkText =
  'A link works once; an unknown, used, replaced or expired one is refused with `invalid_link` at `token`.'

const tag = 'Accounts'

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
    return { json: requestedMail('An email with a new link is sent to your email address.') }
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
  description: `Emails a link to the new address, which works for ${durationText(linkLifeMs.change_email)}, and a notice to the present one. The address changes when the link is used; until then the present one stays. At most 10 emails an hour, and 10 a day to one address.`,
  limit: 'write',
  body: ChangeEmail,
  reply: { status: 202, body: RequestedMail, description: 'The emails are sent.' },
  errors: ['conflict', 'rate_limited'],
  handle: async ({ body, session, clientAddress }, { accounts }) => {
    await accounts.ChangeEmail({ token: session.token, ...body, client_address: clientAddress })
    return { json: requestedMail('An email with a link is sent to the new address; it changes when the link is used.') }
  },
})
