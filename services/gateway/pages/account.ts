import type { LinkReply__Output as LinkReply } from '@postrider/contracts/gen/postrider/accounts/v1/LinkReply.ts'
import { maxPasswordLength } from '@postrider/domain/accounts/limits.ts'
import { type LinkPurpose, linkPaths } from '@postrider/domain/accounts/links.ts'
import { asFault, type Fault, httpStatus } from '@postrider/kit/fault.ts'
import { sessionCookie } from '../callers/session.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { setFaultHeaders } from '../problem.ts'
import { refuseOtherSite } from '../steps/credentials.ts'
import { accountLayout } from './accountLayout.ts'
import { alertRow, described, type Html, html, seeOther, sendPage } from './html.ts'
import { waitText } from './logIn.ts'
import { type FormFields, linkToken, withForm } from './readForm.ts'

/*
 * Pages that one-time links open: confirm an address, set a new password, log in as the first owner. They work without
 * scripts. Opening one changes nothing, because mail programs and scanners open links too; the button on it does.
 */

type Deps = Pick<RouteDeps, 'accounts' | 'config' | 'durable' | 'metrics' | 'memory'>

type Client = { clientAddress: string; userAgent: string }

/** The text and the action of a page of a link. */
type LinkPage = {
  purposes: readonly LinkPurpose[]
  path: string
  form(link: LinkReply, token: string, alert?: string): { title: string; content: Html }
  /**
   * Carries out the action of the button.
   * @returns the page that reports it, or the token of a session that it opened
   */
  use(deps: Deps, fields: FormFields, client: Client): Promise<{ title: string; content: Html } | { token: string }>
}

const confirmPage: LinkPage = {
  purposes: ['confirm_email', 'change_email'],
  path: linkPaths.confirm_email,
  form: ({ email, purpose }, token, alert) => {
    const title = purpose === 'change_email' ? 'Use a new email address' : 'Confirm your email address'
    const content = html`<h1>${title}</h1>
${alertRow(alert)}
<p>Press the button to confirm that <b>${email}</b> is your email address.</p>
<form method="post" action="${linkPaths.confirm_email}">
<input type="hidden" name="token" value="${token}">
<button type="submit">Confirm</button>
</form>`
    return { title, content }
  },
  use: async ({ accounts }, fields, { clientAddress }) => {
    const token = linkToken(fields)
    const { email } = await accounts.ConfirmEmail({ token, purposes: [], client_address: clientAddress })
    const content = html`<h1>Your email address is confirmed</h1>
<p><b>${email}</b> is the email address of your account.</p>
<a class="button" href="/">Open Postrider</a>`
    return { title: 'Address confirmed', content }
  },
}

const resetPage: LinkPage = {
  purposes: ['reset_password'],
  path: linkPaths.reset_password,
  form: ({ email }, token, alert) => {
    const content = html`<h1>Set a new password</h1>
${alertRow(alert)}
<p>For the account of <b>${email}</b>. All its sessions end.</p>
<form method="post" action="${linkPaths.reset_password}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256"${described(alert)}>
<p class="soft">At least 8 characters. Some random words are a good password.</p>
<button type="submit">Set the password</button>
</form>`
    return { title: 'Set a new password', content }
  },
  use: async ({ accounts }, fields, { clientAddress }) => {
    const [token, password] = [linkToken(fields), (fields.get('password') ?? '').slice(0, maxPasswordLength)]
    await accounts.ResetPassword({ token, password, client_address: clientAddress })
    const content = html`<h1>Your password is set</h1>
<p>All sessions of your account have ended. Log in with the new password.</p>
<a class="button" href="/">Log in</a>`
    return { title: 'Password set', content }
  },
}

const signInPage: LinkPage = {
  purposes: ['sign_in'],
  path: linkPaths.sign_in,
  form: ({ email }, token, alert) => {
    const content = html`<h1>Log in</h1>
${alertRow(alert)}
<p>This link was printed when the service started. It logs you in as <b>${email}</b>, the owner of its first workspace, once.</p>
<form method="post" action="${linkPaths.sign_in}">
<input type="hidden" name="token" value="${token}">
<button type="submit">Log in</button>
</form>`
    return { title: 'Log in', content }
  },
  use: async ({ accounts }, fields, { clientAddress, userAgent }) => {
    const token = linkToken(fields)
    return accounts.SignInByLink({ token, client_address: clientAddress, user_agent: userAgent })
  },
}

const isOfLink = ({ problems }: Fault): boolean => problems.some(({ path }) => path === 'token')

const deadLinkPage = (fault: Fault): { title: string; content: Html } => ({
  title: 'This link is not valid',
  content: html`<h1>This link is not valid any more</h1>
<p>${fault.problems[0]?.message ?? fault.message}</p>
<a class="button" href="/">Open Postrider</a>`,
})

const send = (context: Context, { title, content }: { title: string; content: Html }): void => {
  // The address of the page contains the token.
  context.set('Cache-Control', 'no-store')
  sendPage(context, accountLayout(title, content), { forms: true })
}

const sendRefusal = (deps: Deps, context: Context, fault: Fault, page: { title: string; content: Html }): void => {
  deps.metrics.refused.inc({ code: fault.code })
  context.state.code = fault.code
  setFaultHeaders(context, fault)
  context.status = httpStatus(fault.code)
  send(context, page)
}

const readLink = (
  { accounts }: Deps,
  { purposes }: LinkPage,
  token: string,
  clientAddress: string,
): Promise<LinkReply> => accounts.ReadLink({ token, purposes: [...purposes], client_address: clientAddress })

/** `GET`: shows the form of a link that can be used. */
const showForm = (deps: Deps, page: LinkPage): Step =>
  async function showForm(context) {
    const token = linkToken(new URLSearchParams(context.querystring))
    try {
      const link = await readLink(deps, page, token, context.state.clientAddress)
      send(context, page.form(link, token))
    } catch (thrown) {
      const fault = asFault(thrown)
      if (!isOfLink(fault)) throw thrown
      sendRefusal(deps, context, fault, deadLinkPage(fault))
    }
  }

/** What a person reads about a refusal that another try can resolve; null: none can. */
const alertOf = (fault: Fault): string | null => {
  if (fault.code === 'validation_failed') return fault.problems[0]?.message ?? fault.message
  if (fault.code === 'conflict') return fault.message
  if (fault.code === 'rate_limited' || fault.code === 'unavailable')
    return `The service is busy. Wait ${waitText(fault.retryAfterMs ?? 5_000)}, then try again.`
  return null
}

/** `POST`: uses the link. */
const useLink = (deps: Deps, page: LinkPage): Step =>
  async function useLink(context) {
    refuseOtherSite(context.req, deps.config.publicUrl)
    await withForm(context, deps.memory, async (fields) => {
      const { clientAddress, secure } = context.state
      const userAgent = context.req.headers['user-agent'] ?? ''
      try {
        const done = await page.use(deps, fields, { clientAddress, userAgent })
        await deps.durable.synced()
        if ('content' in done) return send(context, done)
        context.set('Set-Cookie', sessionCookie(done.token, secure))
        seeOther(context, '/')
      } catch (thrown) {
        const fault = asFault(thrown)
        if (isOfLink(fault)) return sendRefusal(deps, context, fault, deadLinkPage(fault))
        const alert = alertOf(fault)
        if (alert === null) throw thrown
        const token = linkToken(fields)
        const link = await readLink(deps, page, token, clientAddress).catch(() => null)
        if (link === null) throw thrown
        sendRefusal(deps, context, fault, page.form(link, token, alert))
      }
    })
  }

/** Returns the pages that links in emails open, and the link that a start prints. */
export const accountPages = (deps: Deps): { method: 'GET' | 'POST'; path: string; step: Step }[] =>
  [confirmPage, resetPage, signInPage].flatMap((page) => [
    { method: 'GET' as const, path: page.path, step: showForm(deps, page) },
    { method: 'POST' as const, path: page.path, step: useLink(deps, page) },
  ])
