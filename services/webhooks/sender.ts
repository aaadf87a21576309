import { setImmediate as nextIteration } from 'node:timers/promises'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WantedEvent } from '@postrider/domain/webhooks/endpoint.ts'
import { webhookLeaseMs } from '@postrider/domain/webhooks/schedule.ts'
import { onClock } from '@postrider/domain/webhooks/testClock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { logFailure } from '@postrider/kit/failureLog.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { nextSlice } from '@postrider/kit/slices.ts'
import { wakeTimer } from '@postrider/kit/wakeTimer.ts'
import { type AttemptDeps, type Attempted, type Job, makeAttempt } from './attempt.ts'
import { type BacklogParts, type EndpointBacklog, endpointBacklog } from './backlog.ts'
import { concurrencyLimits } from './concurrencyLimits.ts'
import type { Deps } from './deps.ts'
import type { Found } from './metrics.ts'
import { clocksOf } from './testClocks.ts'

/** Sends deliveries that are due. */
export type Sender = AsyncDisposable & {
  /**
   * Stores a delivery for each event that has none, and sends those that the limits allow.
   * @returns how many were stored
   */
  add(wanted: readonly WantedEvent[], by: Found): Promise<number>
  /** Sends a delivery that the caller has leased, in addition to due deliveries. */
  send(job: Job): Promise<Attempted>
  /** Polls the deliveries of an endpoint soon. */
  wake(endpoint: Endpoint): void
  /** Ends the deliveries of an endpoint that was disabled. Does not wait for that. */
  cancel(endpoint: Endpoint): void
  /** Works until nothing is due at the clock's current time.
   * @throws the error that stops it */
  drain(): Promise<void>
}

/** Average time between polls for deliveries that became due. */
const pollEveryMs = 3_000
/** Maximum number of endpoints of one lookup in the store, and of one poll: the next poll continues with the others. */
const [pageSize, maxPerPoll] = [100, 2_000]
/** Deliveries that are stored in one write, which SQLite does in one step. */
const storedPerWrite = 50
/** Deliveries of a disabled endpoint that end in one write. */
const canceledPerWrite = 200

type Endpoint = { id: string; workspace: string }

type SenderDeps = AttemptDeps & Pick<Deps, 'limits' | 'clocks'>

/**
 * Sends what is due. An endpoint is the unit of fairness: the process stores which endpoints have due deliveries, and
 * claims as many deliveries of each as the limits allow. So an endpoint with a million deliveries uses as much memory
 * as an endpoint with one, and delays no other.
 *
 *   add ─▶ stored with a lease ─▶ attempt        an event that a hint brought, if the limits allow it
 *   poll ─▶ backlog ─▶ claim ─▶ attempt          the others: workspaces and then their endpoints take turns
 *              ▲─ full ◀─ an endpoint that has reached its limit
 */
export const openSender = (deps: SenderDeps): Sender => {
  const { deliveries, now, log } = deps
  const stopping = new AbortController()
  const attempt = makeAttempt(deps, stopping.signal)
  const concurrency = concurrencyLimits(deps.limits.requests)
  const work = runningWork()
  let failure: { reason: unknown } | null = null

  const fail = (reason: unknown): void => {
    failure = { reason }
    logFailure(log, { err: reason }, 'cannot send webhooks')
  }

  /** Makes an attempt whose slot is acquired. It rejects only if the caller waits for it. */
  const run = async (job: Job): Promise<Attempted> => {
    const endpointKey = { endpoint: job.delivery.endpoint, workspace: job.delivery.workspace }
    let isDelivered: boolean | null = null
    try {
      // A person may have requested it, but does not wait for it.
      const attempted = await deps.slices.inBackground(() => attempt(job))
      if ('isDisabled' in attempted) {
        isDelivered = attempted.kind === 'delivered'
        if (attempted.isDisabled) cancel({ id: endpointKey.endpoint, workspace: endpointKey.workspace })
      }
      if (attempted.nextAt !== null && !stopping.signal.aborted) polls.timer.scheduleAt(attempted.nextAt)
      return attempted
    } finally {
      concurrency.end(endpointKey, isDelivered)
      backlog.attemptEnded(endpointKey)
    }
  }
  /** The lease of a delivery whose attempt failed ends by itself. */
  const begin = (job: Job): void => void work.track(run(job)).catch(fail)

  const cancelAll = (endpoint: Endpoint): Promise<void> => cancelDeliveries(deps, endpoint, stopping.signal)
  const cancel = (endpoint: Endpoint): void => void work.track(cancelAll(endpoint)).catch(fail)
  const backlog = endpointBacklog(deps, { concurrency, begin, fail, stopping: stopping.signal })
  const onPollFailed = (reason: unknown): void => {
    failure = { reason }
  }
  const polls = openPolls(deps, { backlog, cancelAll, onFailed: onPollFailed })

  return {
    add: (wanted, by) => storeNew(deps, { concurrency, begin, wake: backlog.wake }, wanted, by),
    send: async (job) => {
      const endpointKey = { endpoint: job.delivery.endpoint, workspace: job.delivery.workspace }
      // A person requested it, or a replay that sends one event at a time: it does not wait for the limits.
      concurrency.acquireUnchecked(endpointKey)
      return work.track(run(job))
    },
    wake: backlog.wake,
    cancel,
    drain: async () => {
      for (;;) {
        failure = null
        await polls.runFromStart()
        while (backlog.filling() || work.size() > 0) await Promise.all([backlog.filling(), work.ended()])
        const found = failure as { reason: unknown } | null
        if (found) throw found.reason
        const due = await deliveries.nextDue()
        if (due === null || due > now()) return
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      polls.timer.cancel()
      await polls[Symbol.asyncDispose]()
      await backlog.filling()
      await work.ended()
      polls.timer.cancel()
    },
  }
}

/** Ends the deliveries of an endpoint, until it is enabled again. */
const cancelDeliveries = async (
  { deliveries, now, cache }: SenderDeps,
  { id, workspace }: Endpoint,
  stopping: AbortSignal,
): Promise<void> => {
  while (!stopping.aborted) {
    if ((await deliveries.cancel(id, now(), canceledPerWrite)) < canceledPerWrite) return
    // The store may return in the same event loop iteration; there may be a million deliveries.
    await nextIteration()
    // A person may have enabled it again.
    cache.forget({ id, workspace })
    if ((await cache.get(id))?.enabled) return
  }
}

type PollParts = {
  backlog: Pick<EndpointBacklog, 'add' | 'fill'>
  cancelAll(endpoint: Endpoint): Promise<void>
  onFailed(reason: unknown): void
}

/**
 * Polls find the endpoints with due deliveries, and end the deliveries of those that are disabled. They never overlap.
 */
const openPolls = (
  { deliveries, now, log, cache, random }: SenderDeps,
  { backlog, cancelAll, onFailed }: PollParts,
) => {
  let pollFrom = ''
  let isFromStart = false

  const poll = async (stopping: AbortSignal): Promise<void> => {
    if (isFromStart) pollFrom = ''
    isFromStart = false
    const due = await deliveries.nextDue()
    if (due === null) return
    if (due > now()) return timer.scheduleAt(due)
    for (let looked = 0; looked < maxPerPoll && !stopping.aborted; looked += pageSize) {
      const page = await deliveries.waiting(pollFrom, pageSize)
      for (const { endpoint, workspace, dueAt } of page) {
        if (dueAt > now()) {
          timer.scheduleAt(dueAt)
          continue
        }
        const known = await cache.get(endpoint)
        if (known === null || !known.enabled) await cancelAll({ id: endpoint, workspace })
        backlog.add({ endpoint, workspace })
      }
      pollFrom = page.length < pageSize ? '' : (page.at(-1)?.endpoint ?? '')
      if (pollFrom === '') break
    }
    await backlog.fill()
  }
  const notifying = async (stopping: AbortSignal): Promise<void> => {
    try {
      await poll(stopping)
    } catch (err) {
      onFailed(err)
      throw err
    }
  }
  const timer = wakeTimer(now, () => job.wake())
  const job = periodicJob(notifying, {
    everyMs: pollEveryMs,
    startNow: true,
    log,
    message: 'cannot claim webhooks',
    random,
  })
  return {
    timer,
    /** Polls after the poll in progress, beginning with the first endpoint. @throws what the poll throws */
    runFromStart: (): Promise<void> => {
      isFromStart = true
      return job.run()
    },
    [Symbol.asyncDispose]: () => job[Symbol.asyncDispose](),
  }
}

type NewParts = Pick<BacklogParts, 'concurrency' | 'begin'> & { wake(endpoint: Endpoint): void }

/**
 * Stores a delivery for each event that has none, and begins those that the limits allow. An email with many recipients
 * and many endpoints has thousands, which are stored in the turns of their workspace.
 * @returns how many were stored
 */
const storeNew = async (
  deps: SenderDeps,
  parts: NewParts,
  wanted: readonly WantedEvent[],
  by: Found,
): Promise<number> => {
  let count = 0
  for (let from = 0; from < wanted.length; from += storedPerWrite) {
    const part = wanted.slice(from, from + storedPerWrite)
    if (wanted.length > storedPerWrite) await nextSlice(deps.slices.of(wanted[0]?.endpoint.workspace ?? ''))
    count += await storePart(deps, parts, part)
  }
  deps.metrics.webhookDeliveriesFound.inc({ by }, count)
  return count
}

const storePart = async (
  deps: SenderDeps,
  { concurrency, begin, wake }: NewParts,
  wanted: readonly WantedEvent[],
): Promise<number> => {
  const clocks = await clocksOf(deps, wanted)
  const at = deps.now()
  const added = wanted.map(({ endpoint, event }) => {
    const delivery = onClock(newDelivery(endpoint, event, at), event, clocks.get(endpoint.workspace))
    const endpointKey = { endpoint: endpoint.id, workspace: endpoint.workspace }
    return { delivery, event, endpointKey, isAcquired: concurrency.acquire(endpointKey, 1) === 1 }
  })
  const stored = await deps.deliveries
    .insert(
      added.map(({ delivery, isAcquired }) => ({ delivery, leaseUntil: isAcquired ? at + webhookLeaseMs : null })),
    )
    .catch((reason: unknown) => {
      for (const { endpointKey, isAcquired } of added) if (isAcquired) concurrency.release(endpointKey, 1)
      throw reason
    })
  for (const { delivery, event, endpointKey, isAcquired } of added) {
    const fence = stored.get(delivery.id)
    if (fence === undefined) {
      if (isAcquired) concurrency.release(endpointKey, 1)
    } else if (isAcquired) begin({ delivery, fence, event, leaseUntil: at + webhookLeaseMs })
    else wake({ id: endpointKey.endpoint, workspace: endpointKey.workspace })
  }
  return stored.size
}
