import type { SessionReply } from '@postrider/contracts/services.ts'
import { Fault, httpStatus } from '@postrider/kit/fault.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { isLoopback, proxyAdvice } from '../loopback.ts'
import { idOrEmpty } from '../route.ts'
import { sessionIdentity, sessionToken } from '../session.ts'
import { requireWorkspace } from '../steps/access.ts'
import { nullIfEnded } from '../steps/credentials.ts'
import { type LimitDeps, takeRate } from '../steps/limitRate.ts'
import { takeResponseMemory } from '../steps/responseMemory.ts'
import { html, layout, sendPage } from './html.ts'
import { isPlain, sendLogInForm, sessionRow } from './logIn.ts'

/** Who may read captured mail: owners, that of their workspace; requests on this machine, all of it. */

export type MailboxDeps = Pick<RouteDeps, 'accounts' | 'intake' | 'metrics' | 'memory' | 'slices'> & LimitDeps

export type Viewer = {
  /** The workspace whose mail the request may see; empty: every workspace. */
  workspace: string
  /** The owner's session; null: the request was made on this machine. */
  session: SessionReply | null
}

const ownersOnly =
  'Captured mail is only shown to an owner who is logged in, or on the machine that the service runs on.'

/**
 * Makes a page for owners and for requests on this machine. Browsers without a session get a form to log in. A request with a
 * session counts as a read of the API.
 */
export const forViewers = (deps: MailboxDeps, show: (context: Context, viewer: Viewer) => Promise<void>): Step => {
  const take = takeRate('read', deps)
  return async function forViewers(context) {
    const token = sessionToken(context.req, context.state.secure)
    const session = token === null ? null : await deps.accounts.AuthenticateSession({ token }).catch(nullIfEnded)
    if (token !== null && session !== null) {
      context.state.identity = sessionIdentity(token, session)
      await take(context, 1)
    }
    if (session?.caller?.role === 'owner' && !session.caller.needs_totp) {
      requireWorkspace(context, session.caller.workspace)
      return show(context, { workspace: session.caller.workspace, session })
    }
    if (isLoopback(context.req, deps.config)) return show(context, { workspace: '', session: null })
    const fault = new Fault('forbidden', ownersOnly + proxyAdvice(context.req, deps.config))
    if (!context.get('accept').includes('text/html')) throw fault
    deps.metrics.refused.inc({ code: fault.code })
    context.state.code = fault.code
    if (session === null) sendLogInForm(context, httpStatus(fault.code), { message: mailId(context) })
    else sendRolePage(context, session)
  }
}

const sendRolePage = (context: Context, session: SessionReply): void => {
  const role = session.caller?.role ?? ''
  const reason = session.caller?.needs_totp
    ? 'This workspace requires two-factor authentication. Switch it on for your account first.'
    : `Your role in this workspace is ${role}. Ask an owner to show you the message, or log out and log in as an owner.`
  const content = html`<h1>Only owners see captured mail</h1>
${sessionRow(session, isPlain(context))}
<p>${reason}</p>`
  context.status = httpStatus('forbidden')
  sendPage(context, layout('Only owners see captured mail', content), { forms: true })
}

export const mailId = (context: Context): string =>
  idOrEmpty((context as Context & { params?: Record<string, string> }).params?.['id'])

export const pageSize = 50

/** Usual most bytes of a list of captured messages, and of one message. */
export const [listBytes, mailBytes] = [2 ** 20, 10 * 2 ** 20]

/** Takes the memory of a page that shows mail of a workspace; empty: of all. */
export const pageMemory = (
  { memory, slices }: MailboxDeps,
  context: Context,
  workspace: string,
  expectedBytes: number,
) =>
  takeResponseMemory(context, {
    memory,
    slices: slices.of(workspace),
    owner: workspace || 'this machine',
    expectedBytes,
  })
