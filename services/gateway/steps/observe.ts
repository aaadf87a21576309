import { inSpan, markFailed } from '@postrider/kit/trace.ts'
import type { GatewayDeps, Step } from '../deps.ts'

/** Probes and scrapes come every few seconds; logging and tracing them would bury the rest. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

/** The pattern, never the path: a label must not grow with what clients send. */
const routeOf = (matched: unknown): string => (typeof matched === 'string' ? matched : 'none')

const usualMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodLabel = (method: string): string => (usualMethods.has(method) ? method : 'other')

/** Writes one log line and one measurement per request: ids, sizes and outcomes; no body, key, address or query. */
export const logRequests = ({ log, metrics }: Pick<GatewayDeps, 'log' | 'metrics'>): Step =>
  async function logRequests(context, next) {
    const startedAt = performance.now()
    await next()
    const durationMs = performance.now() - startedAt
    const { method, status, state } = context
    const { waitedMs = 0 } = state
    const route = routeOf(context._matchedRoute)
    // A wait that a client requests is no measure of the service.
    metrics.httpDuration.observe(
      { method: methodLabel(method), route, status: String(status) },
      (durationMs - waitedMs) / 1_000,
    )
    if (probePaths.has(route)) return
    const caller = state.identity?.caller
    log.info(
      {
        request_id: state.requestId,
        method: methodLabel(method),
        route,
        status,
        ...(state.code !== null && { code: state.code }),
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
        ...(waitedMs > 0 && { waited_ms: Math.round(waitedMs) }),
        ...(caller && { workspace: caller.workspace, key_id: caller.keyId || undefined }),
        ...(state.emailId !== null && { email_id: state.emailId }),
      },
      'request',
    )
  }

/**
 * Opens the span of a request: the root of a trace, or a child of the client's span (W3C Trace Context). The attributes
 * are those of OpenTelemetry's HTTP conventions without path and query, whose content clients choose.
 */
export const traceRequests = (publicUrl: string): Step => {
  const server = serverAttributes(publicUrl)
  return (context, next) => {
    if (probePaths.has(context.path)) return next()
    const given = context.req.headers['traceparent']
    const label = methodLabel(context.method)
    const [name, method] = label === 'other' ? ['HTTP', '_OTHER'] : [label, label]
    const attributes = { ...server, 'http.request.method': method, 'postrider.request_id': context.state.requestId }
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

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

const serverAttributes = (publicUrl: string) => {
  const { protocol, hostname, port } = new URL(publicUrl)
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (defaultPorts[protocol] ?? 0) : Number(port),
  }
}
