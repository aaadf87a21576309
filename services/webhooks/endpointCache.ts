import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
import type { Deps, EndpointCache } from './deps.ts'

/** A change of an endpoint takes effect in every process within this time. */
const freshMs = 2_000
const max = 10_000

/** Returns endpoints by reads that are at most 2 s old: one delivery would otherwise cost one more read. */
export const endpointCache = ({ endpoints, now }: Pick<Deps, 'endpoints' | 'now'>): EndpointCache => {
  const ofWorkspace = ttlCache<readonly WebhookEndpoint[]>({ freshMs, max, now })
  const byId = ttlCache<{ endpoint: WebhookEndpoint | null }>({ freshMs, max, now })
  return {
    enabledOf: async (workspace) => {
      const known = ofWorkspace.get(workspace)
      if (known) return known
      const at = now()
      const found = await endpoints.enabledOf(workspace)
      ofWorkspace.set(workspace, found, at)
      for (const endpoint of found) byId.set(endpoint.id, { endpoint }, at)
      return found
    },
    get: async (id) => {
      const known = byId.get(id)
      if (known) return known.endpoint
      const at = now()
      const [found] = await endpoints.byIds([id])
      const endpoint = found?.endpoint ?? null
      byId.set(id, { endpoint }, at)
      return endpoint
    },
    forget: ({ id, workspace }) => {
      byId.delete(id)
      ofWorkspace.delete(workspace)
    },
  }
}
