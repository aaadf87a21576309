import { asFault, type Fault, httpStatus } from '@postrider/kit/fault.ts'
import type { Context, Step } from '../context.ts'
import type { GatewayDeps } from '../deps.ts'
import { faultPage } from '../pages/faultPage.ts'
import { sendPage } from '../pages/sendPage.ts'
import { problemBody, problemHeaders } from '../problemBody.ts'

/** Turns whatever is thrown into the one shape of an error. What is no `Fault` is a bug: its cause goes to the log alone. */
export const faults = ({ log, metrics }: Pick<GatewayDeps, 'log' | 'metrics'>): Step =>
  async function faults(context, next) {
    try {
      await next()
    } catch (thrown) {
      const fault = asFault(thrown)
      metrics.refused.inc({ code: fault.code })
      if (fault.code === 'internal' || fault.code === 'unavailable') {
        log.error({ request_id: context.state.requestId, code: fault.code, err: fault.cause ?? fault }, 'request.fault')
      }
      answer(context, fault)
    }
  }

const answer = (context: Context, fault: Fault): void => {
  context.set(problemHeaders(fault))
  context.status = httpStatus(fault.code)
  if (wantsPage(context)) {
    sendPage(context, faultPage(fault, context.state.requestId))
    return
  }
  const problemJson = context.get('accept').includes('application/problem+json')
  context.body = JSON.stringify(problemBody(fault, context.state.requestId))
  context.set('Content-Type', problemJson ? 'application/problem+json' : 'application/json')
}

/** The API answers JSON to everybody; beside it a browser gets something to read. */
const wantsPage = (context: Context): boolean =>
  !context.path.startsWith('/api') && context.get('accept').includes('text/html')
