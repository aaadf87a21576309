import { inSpan } from '@postrider/kit/trace.ts'
import type { Step } from '../context.ts'
import { methodLabel, routeOf } from './observe.ts'

/** The root of a trace, or a branch of the caller's own (W3C Trace Context); nothing where nobody collects. */
export const traced: Step = (context, next) => {
  const given = context.req.headers['traceparent']
  const method = methodLabel(context.method)
  const attributes = { 'http.request.method': method, 'postrider.request_id': context.state.requestId }
  const traceparent = typeof given === 'string' ? given : undefined
  return inSpan({ name: method, end: 'server', attributes, traceparent }, async (span) => {
    await next()
    const route = routeOf(context._matchedRoute)
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': context.status })
  })
}
