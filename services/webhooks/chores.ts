import { setImmediate as nextIteration } from 'node:timers/promises'
import { internalMode } from '@postrider/domain/events/event.ts'
import type { StoredEndpoint, WebhookEndpoint, WebhookNotice } from '@postrider/domain/webhooks/endpoint.ts'
import { newWebhookEvent } from '@postrider/domain/webhooks/life.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import type { Deps } from './deps.ts'

/** Periodic work alongside the sending. */
export type Chores = AsyncDisposable & {
  /** Stores the notices of endpoints as events. */
  reportNotices(): Promise<void>
  /** Removes old deliveries, and the remaining data of removed endpoints. @returns how many deliveries */
  purge(): Promise<number>
}

const [noticesEveryMs, purgeEveryMs, countEveryMs] = [3_000, 600_000, 30_000]
/** Endpoints of one round of notices. */
const maxNotices = 50
/** Deliveries that are removed in one command, and by one round. */
const [removedPerCommand, maxRemoved] = [500, 100_000]
/** Deliveries that are counted for metrics. */
const maxCounted = 100_000

type ChoreDeps = Pick<
  Deps,
  | 'endpoints'
  | 'deliveries'
  | 'replays'
  | 'workspaceEvents'
  | 'hints'
  | 'durable'
  | 'now'
  | 'random'
  | 'limits'
  | 'log'
  | 'metrics'
>

export const openChores = (deps: ChoreDeps): Chores => {
  const { random, log } = deps
  const stack = new AsyncDisposableStack()
  stack.use(
    periodicJob(() => reportNotices(deps), {
      everyMs: noticesEveryMs,
      log,
      message: 'cannot report webhook notices',
      random,
    }),
  )
  stack.use(
    periodicJob(() => purge(deps), {
      everyMs: purgeEveryMs,
      log,
      message: 'cannot remove webhook deliveries',
      random,
    }),
  )
  stack.use(periodicJob(() => count(deps), { everyMs: countEveryMs, log, message: 'cannot count webhooks', random }))
  return {
    reportNotices: () => reportNotices(deps),
    purge: () => purge(deps),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/**
 * An endpoint and its notices are one write. The id of a notice is derived from its cause, so that its event is
 * stored once even if a crash repeats it; then the notice is removed from the endpoint.
 */
const reportNotices = async (deps: ChoreDeps): Promise<void> => {
  for (const stored of await deps.endpoints.withNotices(maxNotices)) {
    const { endpoint, rev } = stored
    for (const notice of endpoint.notices) await report(deps, stored, notice)
    // A change in between leaves the notices to the next round.
    await deps.endpoints.write(endpoint.id, rev, { endpoint: { ...endpoint, notices: [] }, restart: false }, [])
  }
}

const report = async (
  { workspaceEvents, hints, durable }: ChoreDeps,
  { endpoint }: Pick<StoredEndpoint, 'endpoint'>,
  notice: WebhookNotice,
): Promise<void> => {
  const event = newWebhookEvent(endpoint, notice, noticeId(endpoint, notice))
  await workspaceEvents.insert([event])
  await durable.synced()
  if (event.mode !== internalMode) hints.ring([{ workspace: event.workspace, id: event.id }])
}

const noticeId = ({ id }: WebhookEndpoint, { kind, at }: WebhookNotice): string =>
  derivedId('evt', at, JSON.stringify([id, kind, at]))

const purge = async ({ endpoints, deliveries, replays, now, limits }: ChoreDeps): Promise<number> => {
  const oldest = now() - limits.recordMs
  let removed = 0
  const removeAll = async (remove: () => Promise<number>): Promise<void> => {
    for (let count = removedPerCommand; count > 0 && removed < maxRemoved; removed += count) {
      count = await remove()
      // The store may return in the same event loop iteration.
      await nextIteration()
    }
  }
  await removeAll(() => deliveries.removeBefore(oldest, removedPerCommand))
  await replays.removeBefore(oldest)
  for (let last = await deliveries.endpointAfter(''); last !== null; last = await deliveries.endpointAfter(last)) {
    const endpoint = last
    if ((await endpoints.byIds([endpoint])).length > 0) continue
    await removeAll(() => deliveries.removeOf(endpoint, removedPerCommand))
    await replays.removeOf(endpoint)
  }
  return removed
}

const count = async ({ endpoints, deliveries, now, metrics }: ChoreDeps): Promise<void> => {
  const [counts, backlog] = await Promise.all([endpoints.counts(), deliveries.backlog(maxCounted)])
  for (const [state, value] of Object.entries(counts)) metrics.webhookEndpoints.set({ state }, value)
  metrics.webhookBacklog.set(backlog.pending)
  metrics.webhookBacklogAge.set(backlog.oldestDueAt === null ? 0 : Math.max(0, now() - backlog.oldestDueAt) / 1_000)
}
