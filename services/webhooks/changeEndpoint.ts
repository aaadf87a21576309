import type { Webhooks } from '@postrider/contracts/services.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { Deps, EndpointCache } from './deps.ts'

/** An endpoint as a request names it. `mode` null: endpoints of any mode are found. */
export type EndpointKey = Parameters<Webhooks['Get']>[0]

export const unknownEndpointFault = (): Fault => new Fault('not_found', 'The workspace has no webhook with this id.')

/** @throws Fault `not_found`, also for an endpoint of another workspace or of the other mode */
export const readEndpoint = async ({ endpoints }: Pick<Deps, 'endpoints'>, { workspace, id, mode }: EndpointKey) => {
  const stored = isId('wh', id) ? await endpoints.get(workspace, id) : null
  if (stored && (mode === null || stored.endpoint.mode === mode)) return stored
  throw unknownEndpointFault()
}

/** @throws Fault `conflict` */
export const requireEnabled = ({ enabled }: WebhookEndpoint): void => {
  if (!enabled) throw new Fault('conflict', 'The webhook is disabled; enable it first.')
}

type Change = { endpoint: WebhookEndpoint; restart: boolean; audit: readonly AuditEntry[] }

/**
 * Changes an endpoint by one guarded write, with its audit entries.
 * @param change returns what to write, or null for no change; it may run again with the changed endpoint
 * @throws Fault `not_found`; `unavailable`: others kept changing the endpoint
 */
export const changeEndpoint = async (
  { endpoints, cache }: Pick<Deps, 'endpoints'> & { cache: EndpointCache },
  endpointKey: EndpointKey,
  change: (endpoint: WebhookEndpoint) => Change | null,
): Promise<WebhookEndpoint> => {
  return retryOnConflict(
    async () => {
      const { endpoint: before, rev } = await readEndpoint({ endpoints }, endpointKey)
      const next = change(before)
      if (next === null) return before
      const { endpoint, restart, audit } = next
      if (!(await endpoints.write(before.id, rev, { endpoint, restart }, audit))) return undefined
      cache.forget(before)
      return endpoint
    },
    {
      rounds: 'plainRecord',
      onBusy: () =>
        new Fault('unavailable', 'The webhook is being changed by other requests; try again.', { retryAfterMs: 1_000 }),
    },
  )
}
