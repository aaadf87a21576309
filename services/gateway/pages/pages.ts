import { Fault } from '@postrider/kit/fault.ts'
import { localAccess } from '../callers/loopback.ts'
import type { GatewayDeps, RouteDeps, Step } from '../deps.ts'
import { sendFault } from '../problem.ts'
import { accountPages } from './account.ts'
import { dashboardPages } from './dashboard.ts'
import { docsPages } from './docs/docsPages.ts'
import { html, layout, seeOther, sendJson, sendPage } from './html.ts'
import { invitationForm, invitationPage, invitationPaths, joinedPage } from './invitation.ts'
import { isPlain, logInForm, logOutForm, withPlain } from './logIn.ts'
import { capturedPage, capturedRaw, mailboxPage } from './mailbox.ts'
import { capturedAttachment, capturedData, capturedHtml, mailboxFor, mailboxList } from './mailboxData.ts'
import { stripeWebhook } from './stripeWebhook.ts'
import { templateFrame } from './templateFrame.ts'

type Page = { method: 'GET' | 'POST'; path: string; step: Step }

/** Returns the pages outside the API. If several paths match a request, the last one handles it. */
export const pages = (deps: RouteDeps): Page[] => {
  const get = (path: string, step: Step): Page => ({ method: 'GET', path, step })
  const post = (path: string, step: Step): Page => ({ method: 'POST', path, step })
  return [
    ...(deps.dashboard ? dashboardPages(deps.dashboard) : [get('/', homePage(deps.config.publicUrl))]),
    get('/livez', livez),
    get('/readyz', readyz(deps)),
    ...docsPages(deps).map(({ path, step }) => get(path, step)),
    get('/mailbox', mailboxFor(deps.dashboard, { page: mailboxPage(deps), json: mailboxList(deps) })),
    get('/mailbox/:id', mailboxFor(deps.dashboard, { page: capturedPage(deps), json: capturedData(deps) })),
    get('/mailbox/:id/html', capturedHtml(deps)),
    get('/mailbox/:id/attachments/:number', capturedAttachment(deps)),
    get('/mailbox/:id/raw', capturedRaw(deps)),
    get('/mailbox/login', toMailbox),
    post('/mailbox/login', logInForm(deps)),
    post('/mailbox/logout', logOutForm(deps)),
    post('/templates/preview', templateFrame(deps)),
    post('/api/v1/billing/stripe/webhook', stripeWebhook(deps)),
    get(invitationPaths.path, invitationPage(deps)),
    post(invitationPaths.path, invitationForm(deps)),
    get(invitationPaths.joinedPath, joinedPage(deps)),
    ...accountPages(deps),
    ...(deps.config.metricsOnPort ? [get('/metrics', metricsPage(deps))] : []),
  ]
}

/** A browser that reloads after a refused login requests the form's own path. */
const toMailbox: Step = (context) => seeOther(context, withPlain('/mailbox', isPlain(context)))

const curl = (publicUrl: string): string => `curl ${publicUrl}/api/v1/emails \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"to": ["you@example.com"], "subject": "Hello", "text": "It works."}'`

/** `/` without a dashboard: what this service is, and how to send the first email. */
const homePage = (publicUrl: string): Step =>
  function homePage(context) {
    const content = html`<h1>Postrider is running</h1>
<p>An email sending service: it accepts a message over HTTP, stores it and delivers it.</p>
<p>Its dashboard is not built. <code>npm run build:dashboard</code> builds it; then start the service again.</p>
<pre>${curl(publicUrl)}</pre>
<p>The response is the email’s record. Read <code>/api/v1/emails/{id}</code> with its <code>id</code> to follow the delivery.</p>
<ul>
<li><a href="/mailbox">Mailbox</a>: messages captured here instead of being sent, for people on this machine and for owners.</li>
<li><a href="/docs">Documentation</a>: guides, and every operation, field and error.</li>
<li><a href="/docs/recipes">Recipes</a>: attachments, schedules, pages of a list, retries.</li>
<li><a href="/api/v1/openapi.json">OpenAPI document</a>: the same for tools.</li>
<li><a href="/readyz">Readiness</a></li>
</ul>`
    sendPage(context, layout('Email sending service', content))
  }

/** `/livez`: the process responds. It checks no dependency, or a slow store would get healthy processes killed. */
const livez: Step = (context) => sendJson(context, { status: 'ok' })

const notReady = new Fault('unavailable', 'The service is starting, stopping, or a dependency is not available.')

/**
 * `/readyz`: whether requests should come here. A negative response is expected, so it is not logged as a failed
 * request. A process that can still serve some requests is ready and reports what does not work.
 */
const readyz = ({ ready, degraded }: Pick<GatewayDeps, 'ready' | 'degraded'>): Step =>
  async function readyz(context) {
    const detail = degraded?.() ?? null
    if (!(await ready())) sendFault(context, notReady)
    else sendJson(context, detail === null ? { status: 'ok' } : { status: 'degraded', detail })
  }

/** `/metrics`, for requests on this machine. */
const metricsPage = ({ metrics: { registry }, config }: Pick<GatewayDeps, 'metrics' | 'config'>): Step =>
  async function metricsPage(context) {
    const access = await localAccess(context.req, config)
    if (!access.isGranted) {
      const { advice } = access
      const reason = advice === '' ? 'There is nothing at this path.' : 'Metrics are only shown to this machine.'
      throw new Fault('not_found', reason + advice)
    }
    context.body = await registry.metrics()
    context.set('Content-Type', registry.contentType)
  }
