import type { InvitationOffer, SessionReply } from '@postrider/contracts/services.ts'
import { maxPasswordLength } from '@postrider/domain/accounts/limits.ts'
import { linkPaths } from '@postrider/domain/accounts/links.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { asFault, Fault, hasCode, httpStatus } from '@postrider/kit/fault.ts'
import { sessionCookie, sessionToken } from '../callers/session.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { setFaultHeaders } from '../problem.ts'
import { nullIfEnded, refuseOtherSite, requireCsrfToken } from '../steps/credentials.ts'
import { accountLayout } from './accountLayout.ts'
import { alertRow, described, type Html, html, seeOther, sendPage } from './html.ts'
import { codeField, needsCodeField, sessionRow } from './logIn.ts'
import { type FormFields, linkToken, withForm } from './readForm.ts'

/*
 * The page that the link of an invitation opens. Opening it changes nothing, because programs that scan mail open links
 * too; the button accepts the invitation.
 */

type Deps = Pick<RouteDeps, 'accounts' | 'config' | 'durable' | 'metrics' | 'memory'>

const path = linkPaths.invitation
const joinedPath = '/account/joined'

export const invitationPaths = { path, joinedPath } as const

const maxCodeLength = 64

const sessionOf = async (
  { accounts }: Pick<Deps, 'accounts'>,
  { req, state }: Context,
): Promise<SessionReply | null> => {
  const token = sessionToken(req, state.secure)
  return token === null ? null : accounts.AuthenticateSession({ token }).catch(nullIfEnded)
}

/** @throws Fault `not_found`: the link cannot be used */
const offerOf = (
  { accounts }: Pick<Deps, 'accounts'>,
  token: string,
  { state: { clientAddress } }: Context,
): Promise<InvitationOffer> =>
  accounts.ReadInvitation({ token, client_address: clientAddress }).catch((thrown: unknown) => {
    if (!hasCode(thrown, 'validation_failed')) throw thrown
    throw new Fault('not_found', thrown.problems[0]?.message ?? thrown.message)
  })

/** `GET /account/invitation`: shows what the link offers. */
export const invitationPage = (deps: Deps): Step =>
  async function invitationPage(context) {
    const token = linkToken(new URLSearchParams(context.querystring))
    const offer = await offerOf(deps, token, context)
    sendOffer(context, { offer, token, session: await sessionOf(deps, context), alert: null })
  }

/** Returns a time as people read it: `2026-12-08 at 10:00 UTC`. */
const timeText = (at: number): string => {
  const time = isoTime(at)
  return `${time.slice(0, 10)} at ${time.slice(11, 16)} UTC`
}

type Shown = {
  offer: InvitationOffer
  token: string
  session: SessionReply | null
  alert: string | null
  needsCode?: boolean
}

const sendOffer = (context: Context, shown: Shown): void => {
  const { offer, session, alert } = shown
  const isOther = session !== null && session.email !== offer.email
  const content = html`<h1>Join ${offer.workspace_name}</h1>
${alertRow(alert)}
<p>${offer.inviter} invites ${offer.email} to the workspace <b>${offer.workspace_name}</b> as <b>${offer.role}</b>. The invitation ends on ${timeText(offer.expires_at)}.</p>
${session === null ? '' : sessionRow(session)}
${isOther ? html`<p>This invitation is for ${offer.email}. Log out, and open the link again.</p>` : acceptForm(shown)}`
  sendPage(context, accountLayout(`Join ${offer.workspace_name}`, content), { forms: true })
}

const acceptForm = ({
  offer,
  token,
  session,
  alert,
  needsCode = false,
}: Shown): Html => html`<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
${session === null ? passwordField(offer, alert) : html`<input type="hidden" name="csrf_token" value="${session.csrf_token}">`}
${needsCode ? codeField : ''}
<button type="submit">Accept the invitation</button>
</form>`

const passwordField = ({ has_account, email }: InvitationOffer, alert: string | null): Html => {
  const [label, use] = has_account
    ? [`Password of ${email}`, 'current-password']
    : ['Password of your new account', 'new-password']
  return html`<input type="hidden" name="email" autocomplete="username" value="${email}">
<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="${use}" required maxlength="${maxPasswordLength}"${described(alert)}>
${has_account ? '' : html`<p class="soft">At least 8 characters. Some random words are a good password.</p>`}`
}

/** `POST /account/invitation`: accepts it, or shows the page again with what is wrong. */
export const invitationForm = (deps: Deps): Step =>
  async function invitationForm(context) {
    refuseOtherSite(context.req, deps.config.publicUrl)
    await withForm(context, deps.memory, (fields) => handleForm(deps, context, fields))
  }

/** What a person can correct in the form. */
const correctable: ReadonlySet<Fault['code']> = new Set([
  'validation_failed',
  'unauthenticated',
  'forbidden',
  'conflict',
  'rate_limited',
])

const handleForm = async (deps: Deps, context: Context, fields: FormFields): Promise<void> => {
  const token = linkToken(fields)
  const session = await sessionOf(deps, context)
  if (session !== null) requireCsrfToken(fields.get('csrf_token') ?? '', session.csrf_token)
  try {
    const given = { password: fields.get('password') ?? '', code: (fields.get('code') ?? '').trim() }
    const reply = await accept(deps, context, { token, ...given, session })
    context.set('Set-Cookie', sessionCookie(reply.token, context.state.secure))
    seeOther(context, joinedPath)
  } catch (thrown) {
    const fault = asFault(thrown)
    if (!correctable.has(fault.code)) throw thrown
    // A link that cannot be used has no form.
    const offer = await offerOf(deps, token, context)
    deps.metrics.refused.inc({ code: fault.code })
    context.state.code = fault.code
    setFaultHeaders(context, fault)
    context.status = httpStatus(fault.code)
    const needsCode = fault.problems.some(needsCodeField)
    sendOffer(context, { offer, token, session, alert: fault.problems[0]?.message ?? fault.message, needsCode })
  }
}

type Accepted = { token: string; password: string; code: string; session: SessionReply | null }

const accept = async ({ accounts, durable }: Deps, context: Context, { token, session, ...given }: Accepted) => {
  const { req, state } = context
  const session_token = session === null ? '' : (sessionToken(req, state.secure) ?? '')
  try {
    return await accounts.AcceptInvitation({
      token,
      password: given.password.slice(0, maxPasswordLength),
      session_token,
      client_address: state.clientAddress,
      user_agent: req.headers['user-agent'] ?? '',
      code: given.code.slice(0, maxCodeLength),
    })
  } finally {
    await durable.synced()
  }
}

/** `GET /account/joined`: shows that the invitation was accepted. A reload shows it again and accepts nothing. */
export const joinedPage = (deps: Deps): Step =>
  async function joinedPage(context) {
    const session = await sessionOf(deps, context)
    if (session?.caller == null) return seeOther(context, '/')
    const { name } = await deps.accounts.GetWorkspace({ workspace: session.caller.workspace })
    const content = html`<h1>You are a member of ${name}</h1>
${sessionRow(session)}
<p>Your role is <b>${session.caller.role}</b>. The <a href="/docs">API reference</a> shows what you can do.</p>
<a class="button" href="/">Open the workspace</a>`
    sendPage(context, accountLayout(`Member of ${name}`, content), { forms: true })
  }
