import type { Step } from '../context.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { sendPage } from './sendPage.ts'

const curl = (publicUrl: string): string => `curl ${publicUrl}/api/v1/emails \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"to": ["you@example.com"], "subject": "Hello", "text": "It works."}'`

/** `/`: what runs here, for whoever opens the address. */
export const homePage = (publicUrl: string): Step =>
  function homePage(context) {
    const content = html`<h1>Postrider runs here</h1>
<p>An email sending service: it takes a message over HTTP, keeps it, and gets it delivered.</p>
<pre>${curl(publicUrl)}</pre>
<p>The answer is the email’s record; its <code>id</code> shows what became of it at <code>/api/v1/emails/{id}</code>.</p>
<ul>
<li><a href="/mailbox">Mailbox</a>: messages kept here instead of being sent, for people on this machine and owners.</li>
<li><a href="/api/v1/openapi.json">OpenAPI document</a>: every operation, field and error.</li>
<li><a href="/readyz">Readiness</a></li>
</ul>`
    sendPage(context, layout('Email sending service', content))
  }
