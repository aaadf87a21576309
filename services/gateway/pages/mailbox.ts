import type { Captured, CapturedReply } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { z } from 'zod'
import type { Context, Step } from '../deps.ts'
import { utf8Steps } from '../json/utf8Steps.ts'
import { disconnection } from '../steps/disconnection.ts'
import { slicesFor } from '../steps/scheduleRequests.ts'
import { escapeSteps, type Html, html, layout, sendMarkup, sendPage } from './html.ts'
import { isPlain, sessionRow, withPlain } from './logIn.ts'
import {
  forViewers,
  idParameter,
  listBytes,
  type MailboxDeps,
  mailBytes,
  mailId,
  pageMemory,
  pageSize,
  plainParameter,
} from './mailboxViewers.ts'

/*
 * The pages under `/mailbox` for readers without scripts: messages that the mail route `mailbox:` stored instead of
 * sending. Browsers with scripts get the dashboard's (`mailboxFor`), unless the address has `?plain`.
 */

/** `/mailbox`: the captured messages, newest first. */
export const mailboxPage = (deps: MailboxDeps): Step =>
  forViewers(deps, { before: idParameter, ...plainParameter }, async (context, { of, session }, query) => {
    const { before = null } = query
    using memory = await pageMemory(deps, context, of, listBytes)
    const { captured } = await deps.intake.ListCaptured({ of, before, limit: pageSize + 1 }, disconnection(context))
    const content = html`<h1>Mailbox</h1>
${session === null ? '' : sessionRow(session, isPlain(context))}
${list(captured.slice(0, pageSize), captured.length > pageSize, isPlain(context))}`
    sendPage(context, layout('Mailbox', content), { forms: session !== null })
    await memory.send()
  })

const list = (mails: readonly Captured[], hasMore: boolean, plain: boolean): Html => {
  if (mails.length === 0) {
    return html`<p>No message is captured yet. Mail is captured here while the mail route is <code>mailbox:</code>. With any other route it is sent, and mail of test keys is only simulated.</p>`
  }
  const older = mails.at(-1)?.id ?? ''
  return html`<p class="soft">Messages captured here instead of being sent, newest first. None of them left this service; to send mail, its operator sets <code>POSTRIDER_ROUTE</code>.</p>
<ul class="mails">${mails.map((mail) => item(mail, plain))}</ul>
${hasMore ? html`<p><a href="/mailbox?before=${older}${plain ? '&plain' : ''}">Older</a></p>` : ''}`
}

const item = ({ id, subject, to, at, mode }: Captured, plain: boolean): Html =>
  html`<li><a href="${withPlain(`/mailbox/${id}`, plain)}"><b>${subject || '(no subject)'}</b>
<span class="soft">${to.join(', ')} · ${timeElement(at)}</span>${modeMark(mode)}</a></li>
`

const modeMark = (mode: string): Html => html` <span class="mark">${mode === 'test' ? 'test' : 'live, not sent'}</span>`

const notSent = (mode: string): Html =>
  mode === 'test'
    ? html``
    : html`<p><b>This live message was not sent.</b> The mail route of the service was <code>mailbox:</code>, so the message was captured here. Its operator sets <code>POSTRIDER_ROUTE</code> to send mail.</p>
`

/** Shows `2026-11-21 10:00:00 UTC`. */
const timeElement = (ms: number): Html => {
  const at = isoTime(ms)
  return html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** Makes a page of one captured mail; `show` makes the response. */
const mailPage = (
  deps: MailboxDeps,
  parameters: z.ZodRawShape,
  show: (context: Context, mail: CapturedReply) => void | Promise<void>,
): Step =>
  forViewers(deps, parameters, async (context, { of }) => {
    using memory = await pageMemory(deps, context, of, mailBytes)
    await show(context, await deps.intake.GetCaptured({ of, id: mailId(context) }))
    await memory.send()
  })

/** `/mailbox/{id}`: one captured message as a reader would see it. */
export const capturedPage = (deps: MailboxDeps): Step =>
  mailPage(deps, plainParameter, async (context, mail) => {
    const title = mail.captured.subject || '(no subject)'
    sendMarkup(context, await slicesFor(deps, context).run(messagePage(title, mail)))
  })

/** `/mailbox/{id}/raw`: the same message, byte for byte. */
export const capturedRaw = (deps: MailboxDeps): Step =>
  mailPage(deps, {}, (context, { raw }) => {
    context.set('Content-Type', 'text/plain; charset=utf-8')
    context.body = raw
  })

function* messagePage(title: string, mail: CapturedReply): Steps<Buffer> {
  const content = yield* message(mail)
  return yield* utf8Steps([layout(title, content).markup])
}

function* message({ captured, html: markup, text }: CapturedReply): Steps<Html> {
  const { id, emailId, subject, from, to, at, mode } = captured
  return html`<h1>${subject || '(no subject)'}${modeMark(mode)}</h1>
${notSent(mode)}<dl>
<dt>From</dt><dd>${from}</dd>
<dt>To</dt><dd>${to.join(', ')}</dd>
<dt>At</dt><dd>${timeElement(at)}</dd>
<dt>Email</dt><dd><code>${emailId}</code></dd>
</dl>
${markup === null ? '' : frame(yield* escapeSteps(markup))}
${text === null ? '' : html`<h2 class="soft">Plain text</h2><pre>${yield* escapeSteps(text)}</pre>`}
<p><a href="/mailbox/${id}/raw">Raw message</a></p>`
}

/**
 * Foreign HTML in a frame without scripts, forms, an origin or network access; the page's own policy applies inside
 * too.
 */
const frame = (escaped: Html): Html => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
  return html`<iframe sandbox="" title="The message as HTML" srcdoc="${policy}${escaped}"></iframe>`
}
