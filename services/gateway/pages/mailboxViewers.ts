import type { CapturedOf, SessionReply } from '@postrider/contracts/services.ts'
import { Fault, httpStatus } from '@postrider/kit/fault.ts'
import { z } from 'zod'
import { localAccess } from '../callers/loopback.ts'
import { sessionIdentity, sessionToken } from '../callers/session.ts'
import { readQuery } from '../checks/checkRequest.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { idOrEmpty } from '../route.ts'
import { requireWorkspace } from '../steps/access.ts'
import { nullIfEnded } from '../steps/credentials.ts'
import { type LimitDeps, takeRate } from '../steps/limitRate.ts'
import { takeResponseMemory } from '../steps/responseMemory.ts'
import { takeWorkspaceTurn } from '../steps/scheduleRequests.ts'
import { html, layout, sendPage } from './html.ts'
import { isPlain, sendLogInForm, sessionRow } from './logIn.ts'

/* Who may read captured mail: owners, that of their workspace; requests on this machine, all of it. */

export type MailboxDeps = Pick<RouteDeps, 'accounts' | 'intake' | 'metrics' | 'memory' | 'slices' | 'workspaceTurns'> &
  LimitDeps

export type Viewer = {
  /** Whose mail the request may see. */
  of: CapturedOf
  /** The owner's session; null: the request was made on this machine. */
  session: SessionReply | null
}

const ownersOnly =
  'Captured mail is only shown to an owner who is logged in, or on the machine that the service runs on.'

/** Selects the pages without scripts. */
export const plainParameter = { plain: z.string().optional() }

/** The id of a message after which a list continues. */
export const idParameter = z
  .string()
  .refine((text) => idOrEmpty(text) !== '', {
    error: 'This is not a position of this list; leave it out for the first page.',
  })
  .optional()

/**
 * Makes a page for owners and for requests on this machine. Browsers without a session get a form to log in. A request
 * with a session counts as a read of the API.
 * @param parameters those of the query; others are refused, as in the API
 */
export const forViewers = <Parameters extends z.ZodRawShape>(
  deps: MailboxDeps,
  parameters: Parameters,
  show: (context: Context, viewer: Viewer, query: z.output<z.ZodObject<Parameters>>) => Promise<void>,
): Step => {
  const take = takeRate('read', deps)
  const schema = z.object(parameters)
  const shown = (context: Context, viewer: Viewer) =>
    show(context, viewer, readQuery(schema, context.querystring) as z.output<typeof schema>)
  return async function forViewers(context) {
    const token = sessionToken(context.req, context.state.secure)
    const session = token === null ? null : await deps.accounts.AuthenticateSession({ token }).catch(nullIfEnded)
    if (token !== null && session !== null) {
      context.state.identity = sessionIdentity(token, session)
      await take(context, 1)
    }
    await takeWorkspaceTurn(deps, context)
    if (session?.caller?.role === 'owner' && !session.caller.needsTotp) {
      requireWorkspace(context, session.caller.workspace)
      return shown(context, { of: { workspace: session.caller.workspace }, session })
    }
    const access = await localAccess(context.req, deps.config)
    if (access.isGranted) return shown(context, { of: 'every_workspace', session: null })
    const fault = new Fault('forbidden', ownersOnly + access.advice)
    if (!context.get('accept').includes('text/html')) throw fault
    deps.metrics.refused.inc({ code: fault.code })
    context.state.code = fault.code
    if (session === null) sendLogInForm(context, httpStatus(fault.code), { message: mailId(context) })
    else sendRolePage(context, session)
  }
}

const sendRolePage = (context: Context, session: SessionReply): void => {
  const role = session.caller?.role ?? ''
  const reason = session.caller?.needsTotp
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

/** Takes the memory of a page that shows captured mail. */
export const pageMemory = ({ memory, slices }: MailboxDeps, context: Context, of: CapturedOf, expectedBytes: number) =>
  takeResponseMemory(context, {
    memory,
    slices: slices.of(of === 'every_workspace' ? '' : of.workspace),
    owner: of === 'every_workspace' ? 'this machine' : of.workspace,
    expectedBytes,
  })
