import type { SessionReply__Output as SessionReply } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import type { Captured__Output as Captured } from '@postrider/contracts/gen/postrider/intake/v1/Captured.ts'
import type { CapturedReply__Output as CapturedReply } from '@postrider/contracts/gen/postrider/intake/v1/CapturedReply.ts'
import { Fault, given, httpStatus } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { isLoopback } from '../loopback.ts'
import { idOrEmpty } from '../route.ts'
import { sessionToken } from '../session.ts'
import { slicesFor } from '../slicesFor.ts'
import { nullIfEnded } from '../steps/access.ts'
import { takeAnswerMemory } from '../steps/answerMemory.ts'
import { escapeSteps, type Html, html, layout, sendPage } from './html.ts'
import { sendLogInForm, sessionRow } from './logIn.ts'

/** The pages under `/mailbox`: messages that the mail route `mailbox:` stored instead of sending. */

type Deps = Pick<RouteDeps, 'accounts' | 'intake' | 'config' | 'metrics' | 'memory' | 'slices'>

type Viewer = {
  /** The workspace whose mail the request may see; empty: every workspace. */
  workspace: string
  /** The owner's session; null: the request was made on this machine. */
  session: SessionReply | null
}

const ownersOnly =
  'Captured mail is only shown to an owner who is logged in, or on the machine that the service runs on.'

/** Makes a page for owners and for requests on this machine. Browsers without a session get a form to log in. */
const forViewers = (deps: Deps, show: (context: Context, viewer: Viewer) => Promise<void>): Step =>
  async function forViewers(context) {
    const token = sessionToken(context.req, context.state.secure)
    const session = token === null ? null : await deps.accounts.AuthenticateSession({ token }).catch(nullIfEnded)
    if (session?.caller?.role === 'owner' && !session.caller.needs_totp)
      return show(context, { workspace: session.caller.workspace, session })
    if (isLoopback(context.req, deps.config)) return show(context, { workspace: '', session: null })
    const fault = new Fault('forbidden', ownersOnly)
    if (!context.get('accept').includes('text/html')) throw fault
    deps.metrics.refused.inc({ code: fault.code })
    context.state.code = fault.code
    if (session === null) sendLogInForm(context, httpStatus(fault.code), { message: mailId(context) })
    else sendRolePage(context, session)
  }

const sendRolePage = (context: Context, session: SessionReply): void => {
  const role = session.caller?.role ?? ''
  const reason = session.caller?.needs_totp
    ? 'This workspace requires two-factor authentication. Switch it on for your account first.'
    : `Your role in this workspace is ${role}. Ask an owner to show you the message, or log out and log in as an owner.`
  const content = html`<h1>Only owners see captured mail</h1>
${sessionRow(session)}
<p>${reason}</p>`
  context.status = httpStatus('forbidden')
  sendPage(context, layout('Only owners see captured mail', content), { forms: true })
}

const mailId = (context: Context): string =>
  idOrEmpty((context as Context & { params?: Record<string, string> }).params?.['id'])

const pageSize = 50

/** Usual most bytes of a list of captured messages, and of one message. */
const [listBytes, mailBytes] = [2 ** 20, 10 * 2 ** 20]

/** Takes the memory of a page that shows mail of a workspace; empty: of all. */
const pageMemory = ({ memory }: Deps, context: Context, workspace: string, expectedBytes: number) =>
  takeAnswerMemory(context, { memory, owner: workspace || 'this machine', expectedBytes })

/** `/mailbox`: the captured messages, newest first. */
export const mailboxPage = (deps: Deps): Step =>
  forViewers(deps, async (context, { workspace, session }) => {
    const before = idOrEmpty(context.query['before'])
    using memory = await pageMemory(deps, context, workspace, listBytes)
    const { captured } = await deps.intake.ListCaptured({ workspace, before, limit: pageSize + 1 })
    const content = html`<h1>Mailbox</h1>
${session === null ? '' : sessionRow(session)}
${list(captured.slice(0, pageSize), captured.length > pageSize)}`
    sendPage(context, layout('Mailbox', content), { forms: session !== null })
    await memory.send()
  })

const list = (mails: readonly Captured[], hasMore: boolean): Html => {
  if (mails.length === 0) {
    return html`<p>No message is captured yet. Mail is captured here while the mail route is <code>mailbox:</code>. With any other route it is sent, and mail of test keys is only simulated.</p>`
  }
  const older = mails.at(-1)?.id ?? ''
  return html`<p class="soft">Messages captured here instead of being sent, newest first. None of them left this service; to send mail, its operator sets <code>POSTRIDER_ROUTE</code>.</p>
<ul class="mails">${mails.map(item)}</ul>
${hasMore ? html`<p><a href="/mailbox?before=${older}">Older</a></p>` : ''}`
}

const item = ({ id, subject, to, at, mode }: Captured): Html =>
  html`<li><a href="/mailbox/${id}"><b>${subject || '(no subject)'}</b>
<span class="soft">${to.join(', ')} · <time datetime="${at}">${timeText(at)}</time></span>${modeMark(mode)}</a></li>
`

const modeMark = (mode: string): Html => html` <span class="mark">${mode === 'test' ? 'test' : 'live, not sent'}</span>`

const notSent = (mode: string): Html =>
  mode === 'test'
    ? html``
    : html`<p><b>This live message was not sent.</b> The mail route of the service was <code>mailbox:</code>, so the message was captured here. Its operator sets <code>POSTRIDER_ROUTE</code> to send mail.</p>
`

/** `2026-11-21 10:00:00 UTC`. */
const timeText = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`

/** Makes a page of one captured mail; `show` makes the response. */
const mailPage = (deps: Deps, show: (context: Context, mail: CapturedReply) => void | Promise<void>): Step =>
  forViewers(deps, async (context, { workspace }) => {
    using memory = await pageMemory(deps, context, workspace, mailBytes)
    await show(context, await deps.intake.GetCaptured({ workspace, id: mailId(context) }))
    await memory.send()
  })

/** `/mailbox/{id}`: one captured message as a reader would see it. */
export const capturedPage = (deps: Deps): Step =>
  mailPage(deps, async (context, mail) => {
    const title = given(mail.captured, 'captured').subject || '(no subject)'
    sendPage(context, layout(title, await slicesFor(deps, context).run(message(mail))))
  })

/** `/mailbox/{id}/raw`: the same message, byte for byte. */
export const capturedRaw = (deps: Deps): Step =>
  mailPage(deps, (context, { raw }) => {
    context.set('Content-Type', 'text/plain; charset=utf-8')
    context.body = raw
  })

function* message({ captured, html: markup, text }: CapturedReply): Steps<Html> {
  const { id, email_id, subject, from, to, at, mode } = given(captured, 'captured')
  return html`<h1>${subject || '(no subject)'}${modeMark(mode)}</h1>
${notSent(mode)}<dl>
<dt>From</dt><dd>${from}</dd>
<dt>To</dt><dd>${to.join(', ')}</dd>
<dt>At</dt><dd><time datetime="${at}">${timeText(at)}</time></dd>
<dt>Email</dt><dd><code>${email_id}</code></dd>
</dl>
${markup === '' ? '' : frame(yield* escapeSteps(markup))}
${text === '' ? '' : html`<h2 class="soft">Plain text</h2><pre>${yield* escapeSteps(text)}</pre>`}
<p><a href="/mailbox/${id}/raw">Raw message</a></p>`
}

/** Foreign HTML in a frame without scripts, forms, an origin or network access; the page's own policy applies inside too. */
const frame = (escaped: Html): Html => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
  return html`<iframe sandbox="" title="The message as HTML" srcdoc="${policy}${escaped}"></iframe>`
}
