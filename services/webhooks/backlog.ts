import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { webhookLeaseMs } from '@postrider/domain/webhooks/schedule.ts'
import { wakeLoop } from '@postrider/kit/singleFlight.ts'
import type { AttemptDeps, Job } from './attempt.ts'
import type { concurrencyLimits } from './concurrencyLimits.ts'

/** Endpoints of one claim. */
const maxParts = 32

type EndpointKey = { endpoint: string; workspace: string }

export type BacklogParts = {
  concurrency: ReturnType<typeof concurrencyLimits>
  begin(job: Job): void
  fail(reason: unknown): void
  stopping: AbortSignal
}

export type EndpointBacklog = {
  add(endpointKey: EndpointKey): void
  /** Adds an endpoint, and claims of it soon. */
  wake(endpoint: { id: string; workspace: string }): void
  /** Claims as much as the limits allow. */
  fill(): Promise<void>
  /** Returns the claims that run; null: none. */
  filling(): Promise<void> | null
  /** An attempt of this endpoint has ended. */
  attemptEnded(endpointKey: EndpointKey): void
}

/**
 * The endpoints with due deliveries: those that wait for their turn, and those that have reached their limit. Of each
 * in turn it claims as many deliveries as the limits allow.
 */
export const endpointBacklog = (
  { deliveries, now, metrics }: Pick<AttemptDeps, 'deliveries' | 'now' | 'metrics'>,
  { concurrency, begin, fail, stopping }: BacklogParts,
): EndpointBacklog => {
  const backlog = fairQueue<string>()
  const full = new Map<string, string>()

  const nextParts = (): (EndpointKey & { limit: number })[] => {
    const parts: (EndpointKey & { limit: number })[] = []
    while (parts.length < maxParts) {
      const next = backlog.next(concurrency.mayAcquire)
      if (!next) break
      const endpointKey = { endpoint: next.item, workspace: next.owner }
      const limit = concurrency.acquire(endpointKey, Number.POSITIVE_INFINITY)
      if (limit > 0) parts.push({ ...endpointKey, limit })
      else full.set(endpointKey.endpoint, endpointKey.workspace)
    }
    return parts
  }
  const claimUntilFull = async (): Promise<void> => {
    while (!stopping.aborted) {
      const parts = nextParts()
      if (parts.length === 0) return
      const at = now()
      const claimed = await deliveries.claim({ now: at, leaseMs: webhookLeaseMs, parts }).catch((reason: unknown) => {
        for (const part of parts) concurrency.release(part, part.limit)
        throw reason
      })
      const byEndpoint = Map.groupBy(claimed, ({ delivery }) => delivery.endpoint)
      for (const part of parts) {
        const jobs = byEndpoint.get(part.endpoint) ?? []
        concurrency.release(part, part.limit - jobs.length)
        // As many as the limit: there may be more.
        if (jobs.length === part.limit) backlog.add(part.workspace, part.endpoint)
        for (const job of jobs) begin({ ...job, leaseUntil: at + webhookLeaseMs })
      }
    }
  }
  const { wake: fill, inFlight: filling } = wakeLoop(() => claimUntilFull().catch(fail))
  const add = ({ endpoint, workspace }: EndpointKey): void => {
    if (!full.has(endpoint)) backlog.add(workspace, endpoint)
  }

  return {
    add,
    fill,
    filling,
    wake: ({ id, workspace }) => {
      add({ endpoint: id, workspace })
      void fill()
    },
    attemptEnded: ({ endpoint, workspace }) => {
      metrics.webhooksInFlight.set(concurrency.active())
      if (full.delete(endpoint)) backlog.add(workspace, endpoint)
      if (backlog.size() > 0 && !stopping.aborted) void fill()
    },
  }
}
