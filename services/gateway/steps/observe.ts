import type { Step } from '../context.ts'
import type { GatewayDeps } from '../deps.ts'

/** Pages that machines ask for every few seconds; a line for each would bury the rest. */
export const machinesPages: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

/** One line and one measurement a request: ids, sizes and outcomes; no body, no key, no address, no query. */
export const observe = ({ log, metrics }: Pick<GatewayDeps, 'log' | 'metrics'>): Step =>
  async function observe(context, next) {
    const startedAt = performance.now()
    await next()
    const durationMs = performance.now() - startedAt
    const { method, status, state } = context
    const route = routeOf(context._matchedRoute)
    metrics.httpDuration.observe({ method: methodLabel(method), route, status: String(status) }, durationMs / 1_000)
    if (machinesPages.has(route)) return
    const caller = state.asker?.caller
    log.info(
      {
        request_id: state.requestId,
        method: methodLabel(method),
        route,
        status,
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
        ...(caller && { workspace: caller.workspace, key_id: caller.key_id || undefined }),
        ...(state.emailId !== null && { email_id: state.emailId }),
      },
      'request',
    )
  }

/** The pattern, never the path: a label must not grow with what strangers ask for. */
export const routeOf = (matched: unknown): string => (typeof matched === 'string' ? matched : 'none')

const usual: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
export const methodLabel = (method: string): string => (usual.has(method) ? method : 'other')
