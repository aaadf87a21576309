import { Fault } from '@postrider/kit/fault.ts'
import { sessionIdentity, sessionToken } from '../callers/session.ts'
import type { RouteDeps, Step } from '../deps.ts'
import { nullIfEnded, requireCsrfToken } from '../steps/credentials.ts'
import { type LimitDeps, takeRate } from '../steps/limitRate.ts'
import { takeResponseMemory } from '../steps/responseMemory.ts'
import { framedHeaders, framedPage } from './framedEmail.ts'
import { type FormFields, withForm } from './readForm.ts'

/** Maximum size of a form with 256 KiB of HTML; each byte may be encoded as three (`%3C`). */
const maxBytes = 3 * 256 * 1_024 + 1_024

/**
 * `POST /templates/preview`: the HTML of a form as a page for a frame of the dashboard, under the policy of
 * `framedHeaders`. A frame that the dashboard fills itself would have the dashboard's policy, which refuses the styles
 * of emails. The token in the form shows that the dashboard sent it: another site cannot show a page of its own here.
 * It counts as a read of the API.
 */
export const templateFrame = (deps: Pick<RouteDeps, 'accounts' | 'memory' | 'slices'> & LimitDeps): Step => {
  const { accounts, memory, slices } = deps
  const take = takeRate('read', deps)
  return async function templateFrame(context) {
    const token = sessionToken(context.req, context.state.secure)
    // Before the body: it may be larger than that of a form that everyone can send.
    const session = token === null ? null : await accounts.AuthenticateSession({ token }).catch(nullIfEnded)
    if (token === null || session?.caller == null)
      throw new Fault('unauthenticated', 'Log in, and open the preview again.')
    const { workspace } = session.caller
    context.state.identity = sessionIdentity(token, session)
    await take(context, 1)
    const respond = async (fields: FormFields): Promise<void> => {
      requireCsrfToken(fields.get('csrf_token') ?? '', session.csrf_token)
      using response = await takeResponseMemory(context, {
        memory,
        slices: slices.of(workspace),
        owner: workspace,
        expectedBytes: maxBytes,
      })
      const page = framedPage({ html: fields.get('html') ?? '', text: null, attachments: [] })
      context.set(framedHeaders(fields.get('images') === 'show'))
      context.body = await slices.of(workspace).run(page)
      context.set('Content-Type', 'text/html; charset=utf-8')
      await response.send()
    }
    await withForm(context, memory, respond, { maxBytes, workspace })
  }
}
