import type { Captured__Output as Captured } from '@postrider/contracts/gen/postrider/intake/v1/Captured.ts'
import type { CapturedReply__Output as CapturedReply } from '@postrider/contracts/gen/postrider/intake/v1/CapturedReply.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import { isLoopback } from '../client.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { idOrEmpty } from '../route.ts'
import { sessionToken } from '../session.ts'
import { takeAnswerMemory } from '../steps/answerMemory.ts'
import { type Html, html, layout, sendPage } from './html.ts'

/** The pages under `/mailbox`: messages that the mail route `mailbox:` stored instead of sending. */

type Deps = Pick<RouteDeps, 'accounts' | 'intake' | 'memory'>

/**
 * Returns the workspace whose captured mail a request may see: the owner's own, or all (empty) for a request on this
 * machine.
 * @throws Fault `forbidden`
 */
const visibleWorkspace = async ({ accounts }: Deps, context: Context): Promise<string> => {
  const token = sessionToken(context.req, context.state.secure)
  const session = token === null ? null : await accounts.AuthenticateSession({ token }).catch(nullIfEnded)
  if (session?.caller?.role === 'owner') return session.caller.workspace
  if (isLoopback(context.req)) return ''
  throw new Fault(
    'forbidden',
    'Captured mail is only shown to an owner who is logged in, or on the machine that the service runs on.',
  )
}

const nullIfEnded = (thrown: unknown): null => {
  if (thrown instanceof Fault && thrown.code === 'unauthenticated') return null
  throw thrown
}

const pageSize = 50

/** Usual most bytes of a list of captured messages, and of one message. */
const [listBytes, mailBytes] = [2 ** 20, 10 * 2 ** 20]

/** Takes the memory of a page that shows mail of a workspace; empty: of all. */
const pageMemory = ({ memory }: Deps, context: Context, workspace: string, expectedBytes: number) =>
  takeAnswerMemory(context, { memory, owner: workspace || 'this machine', expectedBytes })

/** `/mailbox`: the captured messages, newest first. */
export const mailboxPage = (deps: Deps): Step =>
  async function mailboxPage(context) {
    const workspace = await visibleWorkspace(deps, context)
    const before = idOrEmpty(context.query['before'])
    using memory = await pageMemory(deps, context, workspace, listBytes)
    const { captured } = await deps.intake.ListCaptured({ workspace, before, limit: pageSize + 1 })
    sendPage(context, layout('Mailbox', list(captured.slice(0, pageSize), captured.length > pageSize)))
    await memory.send()
  }

const list = (mails: readonly Captured[], hasMore: boolean): Html => {
  if (mails.length === 0) {
    return html`<h1>Mailbox</h1>
<p>No message is captured yet. Mail is captured here while the mail route is <code>mailbox:</code>. With any other route it is sent, and mail of test keys is only simulated.</p>`
  }
  const older = mails.at(-1)?.id ?? ''
  return html`<h1>Mailbox</h1>
<p class="soft">Messages captured here instead of being sent, newest first.</p>
<ul class="mails">${mails.map(item)}</ul>
${hasMore ? html`<p><a href="/mailbox?before=${older}">Older</a></p>` : ''}`
}

const item = ({ id, subject, to, at, mode }: Captured): Html =>
  html`<li><a href="/mailbox/${id}"><b>${subject || '(no subject)'}</b>
<span class="soft">${to.join(', ')} · <time datetime="${at}">${timeText(at)}</time></span>${testMark(mode)}</a></li>
`

const testMark = (mode: string): Html => (mode === 'test' ? html` <span class="mark">test</span>` : html``)

/** `2026-11-21 10:00:00 UTC`. */
const timeText = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`

/** Reads the captured mail of a request and responds with what `show` makes of it. */
const showMail = async (deps: Deps, context: Context, show: (mail: CapturedReply) => void): Promise<void> => {
  const workspace = await visibleWorkspace(deps, context)
  const { id } = (context as Context & { params?: Record<string, string> }).params ?? {}
  using memory = await pageMemory(deps, context, workspace, mailBytes)
  show(await deps.intake.GetCaptured({ workspace, id: idOrEmpty(id) }))
  await memory.send()
}

/** `/mailbox/{id}`: one captured message as a reader would see it. */
export const capturedPage = (deps: Deps): Step =>
  function capturedPage(context) {
    return showMail(deps, context, (mail) =>
      sendPage(context, layout(given(mail.captured, 'captured').subject || '(no subject)', message(mail))),
    )
  }

/** `/mailbox/{id}/raw`: the same message, byte for byte. */
export const capturedRaw = (deps: Deps): Step =>
  function capturedRaw(context) {
    return showMail(deps, context, ({ raw }) => {
      context.set('Content-Type', 'text/plain; charset=utf-8')
      context.body = raw
    })
  }

const message = ({ captured, html: markup, text }: CapturedReply): Html => {
  const { id, email_id, subject, from, to, at, mode } = given(captured, 'captured')
  return html`<h1>${subject || '(no subject)'}${testMark(mode)}</h1>
<dl>
<dt>From</dt><dd>${from}</dd>
<dt>To</dt><dd>${to.join(', ')}</dd>
<dt>At</dt><dd><time datetime="${at}">${timeText(at)}</time></dd>
<dt>Email</dt><dd><code>${email_id}</code></dd>
</dl>
${markup === '' ? '' : frame(markup)}
${text === '' ? '' : html`<h2 class="soft">Plain text</h2><pre>${text}</pre>`}
<p><a href="/mailbox/${id}/raw">Raw message</a></p>`
}

/** Foreign HTML in a frame without scripts, forms, an origin or network access; the page's own policy applies inside too. */
const frame = (markup: string): Html => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
  return html`<iframe sandbox="" title="The message as HTML" srcdoc="${policy + markup}"></iframe>`
}
