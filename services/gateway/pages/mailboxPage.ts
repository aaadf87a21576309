import type { Captured__Output as Captured } from '@postrider/contracts/gen/postrider/intake/v1/Captured.ts'
import type { Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { mailboxWorkspace } from './mailboxAccess.ts'
import { sendPage } from './sendPage.ts'

const pageSize = 50

/** `/mailbox`: what the mailbox route kept instead of sending, newest first. */
export const mailboxPage = (deps: Pick<RouteDeps, 'accounts' | 'intake'>): Step =>
  async function mailboxPage(context) {
    const workspace = await mailboxWorkspace(deps, context)
    const given = context.query['before']
    const before = typeof given === 'string' && /^[a-z0-9_]{1,64}$/.test(given) ? given : ''
    const { captured } = await deps.intake.ListCaptured({ workspace, before, limit: pageSize + 1 })
    sendPage(context, layout('Mailbox', list(captured.slice(0, pageSize), captured.length > pageSize)))
  }

const list = (mails: readonly Captured[], hasMore: boolean): Html => {
  if (mails.length === 0) {
    return html`<h1>Mailbox</h1>
<p>Nothing was captured yet. Mail shows here while the route is <code>mailbox:</code>; under any other it leaves, and mail of test keys is only simulated.</p>`
  }
  const older = mails.at(-1)?.id ?? ''
  return html`<h1>Mailbox</h1>
<p class="soft">Messages kept here instead of being sent, newest first.</p>
<ul class="mails">${mails.map(item)}</ul>
${hasMore ? html`<p><a href="/mailbox?before=${older}">Older</a></p>` : ''}`
}

const item = ({ id, subject, to, at, mode }: Captured): Html =>
  html`<li><a href="/mailbox/${id}"><b>${subject || '(no subject)'}</b>
<span class="soft">${to.join(', ')} · <time datetime="${at}">${readable(at)}</time></span>${testMark(mode)}</a></li>
`

export const testMark = (mode: string): Html => (mode === 'test' ? html` <span class="mark">test</span>` : html``)

/** `2026-11-21 10:00:00 UTC`. */
export const readable = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`
