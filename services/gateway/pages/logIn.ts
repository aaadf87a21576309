import { LogIn } from '@postrider/contracts/http/account.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import { maxPasswordLength } from '@postrider/domain/accounts/limits.ts'
import { asFault, Fault, httpStatus, type Problem } from '@postrider/kit/fault.ts'
import { endedCookie, sessionCookie, sessionToken } from '../callers/session.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { setFaultHeaders } from '../problem.ts'
import { idOrEmpty } from '../route.ts'
import { nullIfEnded, refuseOtherSite, requireCsrfToken } from '../steps/credentials.ts'
import { alertRow, described, type Html, html, layout, seeOther, sendPage } from './html.ts'
import { type FormFields, withForm } from './readForm.ts'

/* Login and logout for people with a browser, as forms that work without scripts. The session is that of the API. */

type Deps = Pick<RouteDeps, 'accounts' | 'config' | 'durable' | 'metrics' | 'memory'>

/** `needsCode`: the account has a second factor. */
type LogInForm = { email?: string; message?: string; alert?: string; needsCode?: boolean }

/** Returns whether the reader wants the pages without scripts, also in a browser that has them. */
export const isPlain = (context: Context): boolean => 'plain' in context.query

/** Returns a path under `/mailbox` that stays with the pages without scripts. */
export const withPlain = (path: string, plain: boolean): string => (plain ? `${path}?plain` : path)

/** Sends the form. The status is that of the refusal that it explains. */
export const sendLogInForm = (context: Context, status: number, values: LogInForm): void => {
  context.status = status
  const title = values.alert === undefined ? 'Log in' : 'Login failed'
  sendPage(context, layout(title, form(values, isPlain(context))), { forms: true })
}

const form = (
  { email = '', message = '', alert, needsCode = false }: LogInForm,
  plain: boolean,
): Html => html`<h1>Log in to see captured mail</h1>
${alertRow(alert)}
<p>Captured mail is shown to owners of its workspace. Log in with the email address and the password of an owner, such as the one that <code>npm start</code> printed at its first start.</p>
<form method="post" action="${withPlain('/mailbox/login', plain)}">
<input type="hidden" name="message" value="${message}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="320" value="${email}"${described(alert)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="${maxPasswordLength}"${described(alert)}>
${needsCode ? codeField : ''}
<button type="submit">Log in</button>
</form>`

/** Returns whether a person corrects this problem with a code. An unused code is left out. */
export const needsCodeField = ({ path, code }: Problem): boolean => path === 'code' && code !== 'not_used'

/** The field for the code of a second factor. */
export const codeField = html`<label for="code">Code of your authenticator app, or a recovery code</label>
<input id="code" name="code" autocomplete="one-time-code" required maxlength="64">`

/** `POST /mailbox/login`: opens a session and shows the mailbox, or the form with what is wrong. */
export const logInForm = (deps: Deps): Step =>
  async function logInForm(context) {
    refuseOtherSite(context.req, deps.config.publicUrl)
    await withForm(context, deps.memory, (fields) => handleLogIn(deps, context, fields))
  }

const handleLogIn = async (deps: Deps, context: Context, fields: FormFields): Promise<void> => {
  const code = (fields.get('code') ?? '').trim()
  const given = { email: (fields.get('email') ?? '').trim(), password: fields.get('password') ?? '', code }
  const message = idOrEmpty(fields.get('message'))
  try {
    const { token } = await openSession(deps, given, context)
    context.set('Set-Cookie', sessionCookie(token, context.state.secure))
    seeOther(context, withPlain(message === '' ? '/mailbox' : `/mailbox/${message}`, isPlain(context)))
  } catch (thrown) {
    const fault = asFault(thrown)
    const alert = alerts[fault.code]?.(fault)
    if (alert === undefined) throw thrown
    deps.metrics.refused.inc({ code: fault.code })
    context.state.code = fault.code
    setFaultHeaders(context, fault)
    const needsCode = fault.problems.some(needsCodeField)
    sendLogInForm(context, httpStatus(fault.code), { email: given.email.slice(0, 320), message, alert, needsCode })
  }
}

const openSession = async (
  { accounts, durable }: Deps,
  given: { email: string; password: string; code: string },
  { req, state }: Context,
): Promise<SessionReply> => {
  const read = LogIn.safeParse(given)
  if (!read.success) throw new Fault('validation_failed', 'Enter your email address and your password.')
  try {
    const { code = '', ...data } = read.data
    const client = { client_address: state.clientAddress, user_agent: req.headers['user-agent'] ?? '' }
    return await accounts.LogIn({ ...data, code, ...client })
  } finally {
    await durable.synced()
  }
}

/** Returns a wait in words. */
export const waitText = (ms: number): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** What a person reads about a refused login, by code; other faults get the page of an error. */
const alerts: Partial<Record<Fault['code'], (fault: Fault) => string>> = {
  validation_failed: ({ message }) => message,
  unauthenticated: ({ message }) => message,
  rate_limited: ({ retryAfterMs }) =>
    `Too many logins were tried. Wait ${waitText(retryAfterMs ?? 60_000)}, then try again.`,
  unavailable: ({ retryAfterMs }) => `The service is busy. Wait ${waitText(retryAfterMs ?? 5_000)}, then try again.`,
}

/** `POST /mailbox/logout`: ends the session, in the service and in the browser. */
export const logOutForm = (deps: Deps): Step =>
  async function logOutForm(context) {
    refuseOtherSite(context.req, deps.config.publicUrl)
    await withForm(context, deps.memory, (fields) => handleLogOut(deps, context, fields))
  }

const handleLogOut = async ({ accounts, durable }: Deps, context: Context, fields: FormFields): Promise<void> => {
  const token = sessionToken(context.req, context.state.secure)
  const session = token === null ? null : await accounts.AuthenticateSession({ token }).catch(nullIfEnded)
  if (token !== null && session !== null) {
    requireCsrfToken(fields.get('csrf_token') ?? '', session.csrf_token)
    await accounts.LogOut({ token, client_address: context.state.clientAddress })
    await durable.synced()
  }
  context.set('Set-Cookie', endedCookie(context.state.secure))
  seeOther(context, withPlain('/mailbox', isPlain(context)))
}

/** Returns the name of the session's user and the button that ends the session. */
export const sessionRow = ({ email, csrf_token }: Pick<SessionReply, 'email' | 'csrf_token'>, plain = false): Html =>
  html`<div class="row"><span class="soft">Logged in as ${email}</span>
<form method="post" action="${withPlain('/mailbox/logout', plain)}"><input type="hidden" name="csrf_token" value="${csrf_token}"><button class="plain" type="submit">Log out</button></form></div>`
