import { bySystem } from '@postrider/domain/audit/entry.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { afterOutcome, mayDisable } from '@postrider/domain/webhooks/life.ts'
import type { DeliveryOutcome } from '@postrider/domain/webhooks/schedule.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { updateEntry } from './auditEntries.ts'
import type { Deps, EndpointCache } from './deps.ts'

type OutcomeDeps = Pick<Deps, 'endpoints' | 'deliveries' | 'log' | 'metrics'> & { cache: EndpointCache }

/**
 * Writes what an outcome changes about its endpoint, and the audit entry with it. The usual outcome changes nothing and
 * costs no call of the store. The next outcome makes up for an outcome that a crash loses.
 * @param known the endpoint as it was read for the attempt
 * @returns whether this disabled it
 */
export const applyOutcome = async (
  { endpoints, deliveries, cache, log, metrics }: OutcomeDeps,
  known: WebhookEndpoint,
  outcome: DeliveryOutcome,
  at: number,
): Promise<boolean> => {
  if (afterOutcome(known, outcome, { at, lastSuccessAt: null }) === null) return false
  const attempt = async (): Promise<boolean | undefined> => {
    const [stored] = await endpoints.byIds([known.id])
    // Another URL is another receiver.
    if (!stored || stored.endpoint.url !== known.url) return false
    const { endpoint: before, rev } = stored
    const lastSuccessAt = mayDisable(before, at)
      ? await deliveries.lastSuccessAt(before.id, before.mode === 'test')
      : null
    const after = afterOutcome(before, outcome, { at, lastSuccessAt })
    if (after === null) {
      cache.forget(known)
      return false
    }
    const entry = updateEntry(before, after, bySystem(at))
    if (!(await endpoints.write(before.id, rev, { endpoint: after, restart: false }, entry ? [entry] : [])))
      return undefined
    cache.forget(known)
    if (after.enabled) return false
    metrics.webhooksDisabled.inc({ reason: after.disabledReason ?? '' })
    log.info({ webhook_id: before.id, reason: after.disabledReason }, 'webhook disabled')
    return true
  }
  return retryOnConflict(attempt, { rounds: 'plainRecord', onBusy: () => false })
}
