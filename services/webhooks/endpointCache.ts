import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { maxWaiting } from '@postrider/domain/webhooks/life.ts'
import { cachedRead } from '@postrider/kit/cachedRead.ts'
import type { Deps, EndpointCache } from './deps.ts'

/** A change of an endpoint takes effect in every process within this time. */
const freshMs = 2_000
const max = 10_000

/** Returns endpoints by reads that are at most 2 s old: one delivery would otherwise cost one more read. */
export const endpointCache = ({ endpoints, elapsed }: Pick<Deps, 'endpoints' | 'elapsed'>): EndpointCache => {
  const byId = cachedRead({
    read: async (id) => (await endpoints.byIds([id]))[0]?.endpoint ?? null,
    freshMs,
    max,
    elapsed,
  })
  const readWorkspace = async (workspace: string): Promise<readonly WebhookEndpoint[]> => {
    const at = elapsed()
    const found = await endpoints.enabledOf(workspace)
    for (const endpoint of found) byId.set(endpoint.id, endpoint, at)
    return found
  }
  const ofWorkspace = cachedRead({ read: readWorkspace, freshMs, max, elapsed })
  return {
    enabledOf: async (workspace) => ofWorkspace.get(workspace),
    get: async (id) => byId.get(id),
    forget: ({ id, workspace }) => {
      byId.forget(id)
      ofWorkspace.forget(workspace)
    },
  }
}

/** Returns whether an endpoint has as many waiting deliveries as it may, by a count that is at most a second old. */
export type IsFull = (endpoint: string) => Promise<boolean>

/** A count of waiting deliveries is at most this old. */
const freshCountMs = 1_000

export const fullEndpoints = ({ deliveries, elapsed }: Pick<Deps, 'deliveries' | 'elapsed'>): IsFull => {
  const counts = cachedRead({
    read: (endpoint) => deliveries.countWaiting(endpoint, maxWaiting),
    freshMs: freshCountMs,
    max,
    elapsed,
  })
  return async (endpoint) => (await counts.get(endpoint)) >= maxWaiting
}
