import { asFault, Fault } from '@postrider/kit/fault.ts'
import type { GatewayDeps, Step } from '../deps.ts'
import { answerFault } from '../problem.ts'

/** Answers a thrown value as an error. A value that is not a `Fault` is a bug: its cause is only logged. */
export const answerFaults = ({ log, metrics }: Pick<GatewayDeps, 'log' | 'metrics'>): Step =>
  async function answerFaults(context, next) {
    try {
      await next()
    } catch (thrown) {
      const fault = asFault(thrown)
      metrics.refused.inc({ code: fault.code })
      // A call that was cancelled because the client disconnected is no failure.
      const isOurs = fault.code === 'unavailable' && !context.res.destroyed
      if (fault.code === 'internal' || isOurs) {
        log.error(
          { request_id: context.state.requestId, code: fault.code, err: fault.cause ?? fault },
          'request failed',
        )
      }
      answerFault(context, fault)
    }
  }

const otherVersion = /^\/api\/(?!v1(?:\/|$))[^/]+/

type Matched = { matched?: { path: unknown; methods: string[] }[] }

/** An id has an underscore, which no word in our paths has. */
const wordForId = /\/:id$/
const endsInWord = /\/[a-z-]+$/

/**
 * Refuses what no route matched. A wrong method gets the right ones; every other path is not found. A word in the place
 * of an id, as in `/emails/batch`, is a path that does not exist.
 */
export const unknownPath: Step = (context) => {
  const matched = (context as typeof context & Matched).matched ?? []
  const withMethods = matched.filter(({ path }) => !(wordForId.test(String(path)) && endsInWord.test(context.path)))
  const methods = [...new Set(withMethods.flatMap((layer) => layer.methods))].sort()
  if (methods.length > 0) {
    const allow = methods.join(', ')
    throw new Fault('method_not_allowed', `This path supports ${allow}.`, { headers: { Allow: allow } })
  }
  if (otherVersion.test(context.path)) {
    throw new Fault('not_found', 'There is no such version of the API; use /api/v1.')
  }
  throw new Fault('not_found', 'There is nothing at this path; see /api/v1/openapi.json for the operations.')
}
