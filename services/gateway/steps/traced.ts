import { inSpan, markFailed } from '@postrider/kit/trace.ts'
import type { Step } from '../context.ts'
import { machinesPages, methodLabel, routeOf } from './observe.ts'

/**
 * The root of a trace, or a branch of the caller's own (W3C Trace Context); nothing where nobody collects. What is told of
 * a request is what OpenTelemetry's conventions on HTTP have, but for its path and query: strangers write into them.
 */
export const traced = (publicUrl: string): Step => {
  const ours = addressOf(publicUrl)
  return (context, next) => {
    if (machinesPages.has(context.path)) return next()
    const given = context.req.headers['traceparent']
    const usual = methodLabel(context.method)
    const [name, method] = usual === 'other' ? ['HTTP', '_OTHER'] : [usual, usual]
    const attributes = { ...ours, 'http.request.method': method, 'postrider.request_id': context.state.requestId }
    const traceparent = typeof given === 'string' ? given : undefined
    return inSpan({ name, kind: 'server', attributes, traceparent, root: true }, async (span) => {
      await next()
      const { status, state } = context
      span.setAttribute('http.response.status_code', status)
      const route = routeOf(context._matchedRoute)
      if (route !== 'none') span.updateName(`${name} ${route}`).setAttribute('http.route', route)
      if (state.emailId) span.setAttribute('postrider.email_id', state.emailId)
      if (status >= 500) markFailed(span, String(status))
    })
  }
}

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

const addressOf = (publicUrl: string) => {
  const { protocol, hostname, port } = new URL(publicUrl)
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (usualPorts[protocol] ?? 0) : Number(port),
  }
}
