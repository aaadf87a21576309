import { asFault, Fault } from '@postrider/kit/fault.ts'
import type { Context, GatewayDeps, GatewayLog, Step } from '../deps.ts'
import { sendFault } from '../problem.ts'
import { type KnownPath, methodSuggestion } from '../suggestions/pathSuggestions.ts'

/**
 * Responds to a thrown value with an error. A value that is not a `Fault` is a bug: its cause is only logged. A 503
 * that the service decided, such as a full queue, is logged without a stack: clients cause it, and there is nothing to
 * investigate.
 */
export const sendFaults = ({ log, metrics }: Pick<GatewayDeps, 'log' | 'metrics'>): Step =>
  async function sendFaults(context, next) {
    try {
      await next()
    } catch (thrown) {
      const fault = asFault(thrown)
      metrics.refused.inc({ code: fault.code })
      context.state.code = fault.code
      logFault(log, context, fault)
      sendFault(context, fault)
    }
  }

const logFault = (log: GatewayLog, { state, req }: Context, fault: Fault): void => {
  const { code } = fault
  if (code !== 'internal' && code !== 'unavailable') return
  const fields = { request_id: state.requestId, code }
  // A call that was canceled because the client disconnected is not a failure either.
  const isExpected = code === 'unavailable' && (fault.expected || req.socket.destroyed)
  if (isExpected) log.info({ ...fields, detail: fault.message }, 'request refused')
  else log.error({ ...fields, err: fault.cause ?? fault }, 'request failed')
}

/** Error codes of a connection that the client closed or that failed. */
const brokenByClient =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ERR_STREAM_(PREMATURE_CLOSE|DESTROYED|UNABLE_TO_PIPE|WRITE_AFTER_END)|HPE_\w+)$/

/**
 * Logs a response that could not be sent. If the client ended the connection, there is no stack: any client can cause
 * it.
 */
export const logUnsent =
  (log: GatewayLog) =>
  (error: unknown): void => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (brokenByClient.test(code)) log.info({ code }, 'response not sent')
    else log.warn({ err: error }, 'response failed')
  }

const otherVersion = /^\/api\/(?!v1(?:\/|$))[^/]+/

type Matched = { matched?: { path: unknown; methods: string[] }[] }

const wrongMethodFault = ({ method, path }: Context, allow: string): Fault => {
  const detail = `This path supports ${allow}.${methodSuggestion(method, path)}`
  return new Fault('method_not_allowed', detail, { headers: { Allow: allow } })
}

/**
 * Refuses other methods of a path without parameters. The router alone would read its last word as an id:
 * `GET /emails/batch` would read an email.
 */
export const fixedPaths = (known: readonly KnownPath[]): Step => {
  const allowed = new Map(
    known.filter(({ path }) => !path.includes(':')).map(({ path, methods }) => [path, withHead(methods)]),
  )
  return function fixedPaths(context, next) {
    const methods = allowed.get(context.path)
    if (methods === undefined || methods.includes(context.method)) return next()
    throw wrongMethodFault(context, methods.join(', '))
  }
}

const withHead = (methods: readonly string[]): string[] =>
  (methods.includes('GET') ? [...methods, 'HEAD'] : [...methods]).toSorted()

/** An id has an underscore, which no word in our paths has. The alias of a template may be a word. */
const wordForId = /(?<!\/templates)\/:(?:user_)?id$/
const endsInWord = /\/[a-z-]+$/

/**
 * Refuses what no route matched. A wrong method gets the right ones; every other path is not found, with the path that
 * was probably meant. A word in the place of an id, as in `/emails/all`, is a path that does not exist.
 * @param suggestionFor returns a suggestion for an unknown path; empty: there is none
 */
export const unknownPath =
  (suggestionFor: (method: string, path: string) => string): Step =>
  (context) => {
    const matched = (context as typeof context & Matched).matched ?? []
    const withMethods = matched.filter(({ path }) => !(wordForId.test(String(path)) && endsInWord.test(context.path)))
    const methods = [...new Set(withMethods.flatMap((layer) => layer.methods))].sort()
    if (methods.length > 0) throw wrongMethodFault(context, methods.join(', '))
    const what = otherVersion.test(context.path)
      ? 'There is no such version of the API; use /api/v1.'
      : 'There is nothing at this path.'
    const suggestion =
      suggestionFor(context.method, context.path) || '/api/v1/openapi.json and /docs list the operations.'
    throw new Fault('not_found', `${what} ${suggestion}`)
  }
