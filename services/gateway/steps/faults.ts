import { asFault } from '@postrider/kit/fault.ts'
import { answerFault } from '../answerFault.ts'
import type { Step } from '../context.ts'
import type { GatewayDeps } from '../deps.ts'

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
      answerFault(context, fault)
    }
  }
