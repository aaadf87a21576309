import type { CapturedReply__Output as CapturedReply } from '@postrider/contracts/gen/postrider/intake/v1/CapturedReply.ts'
import { given } from '@postrider/kit/fault.ts'
import type { Context, Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { mailboxWorkspace } from './mailboxAccess.ts'
import { readable, testMark } from './mailboxPage.ts'
import { sendPage } from './sendPage.ts'

type Deps = Pick<RouteDeps, 'accounts' | 'intake'>

const read = async (deps: Deps, context: Context): Promise<CapturedReply> => {
  const workspace = await mailboxWorkspace(deps, context)
  const { id = '' } = (context as Context & { params?: Record<string, string> }).params ?? {}
  return deps.intake.GetCaptured({ workspace, id: /^[a-z0-9_]{1,64}$/.test(id) ? id : '' })
}

/** `/mailbox/{id}`: one captured message as a reader would see it. */
export const capturedPage = (deps: Deps): Step =>
  async function capturedPage(context) {
    const mail = await read(deps, context)
    sendPage(context, layout(given(mail.captured, 'captured').subject || '(no subject)', whole(mail)))
  }

/** `/mailbox/{id}/raw`: the same, byte for byte. */
export const capturedRaw = (deps: Deps): Step =>
  async function capturedRaw(context) {
    const { raw } = await read(deps, context)
    context.body = Buffer.from(raw)
    context.set('Content-Type', 'text/plain; charset=utf-8')
  }

const whole = ({ captured, html: markup, text }: CapturedReply): Html => {
  const { id, email_id, subject, from, to, at, mode } = given(captured, 'captured')
  return html`<h1>${subject || '(no subject)'}${testMark(mode)}</h1>
<dl>
<dt>From</dt><dd>${from}</dd>
<dt>To</dt><dd>${to.join(', ')}</dd>
<dt>At</dt><dd><time datetime="${at}">${readable(at)}</time></dd>
<dt>Email</dt><dd><code>${email_id}</code></dd>
</dl>
${markup === '' ? '' : frame(markup)}
${text === '' ? '' : html`<h2 class="soft">Plain text</h2><pre>${text}</pre>`}
<p><a href="/mailbox/${id}/raw">Raw message</a></p>`
}

/** A stranger's HTML: in a frame without scripts, forms, an origin or anything fetched; the page's own policy holds inside too. */
const frame = (markup: string): Html => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
  return html`<iframe sandbox="" title="The message as HTML" srcdoc="${policy + markup}"></iframe>`
}
