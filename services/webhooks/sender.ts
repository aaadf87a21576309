import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { onClock } from '@postrider/domain/webhooks/testClock.ts'
import { alarm } from '@postrider/kit/alarm.ts'
import { every, spread } from '@postrider/kit/every.ts'
import { failureLog } from '@postrider/kit/failureLog.ts'
import { isExpected, isUnavailable } from '@postrider/kit/fault.ts'
import { type AttemptDeps, type Attempted, type Job, makeAttempt } from './attempt.ts'
import { type Deps, leaseMs } from './deps.ts'
import type { Found } from './metrics.ts'
import { requestRooms } from './rooms.ts'
import { clocksOf } from './testClocks.ts'

/** An event that an endpoint receives. */
export type Wanted = { endpoint: WebhookEndpoint; event: PublicEvent }

/** Sends deliveries that are due. */
export type Sender = AsyncDisposable & {
  /** Stores a delivery for each event that has none, and sends it at once where there is room. @returns how many were stored */
  add(wanted: readonly Wanted[], by: Found): Promise<number>
  /** Sends a delivery that the caller has leased, next to those that are due. */
  send(job: Job): Promise<Attempted>
  /** Looks at the deliveries of an endpoint soon. */
  wake(endpoint: { id: string; workspace: string }): void
  /** Ends the deliveries of an endpoint that was disabled, without waiting for that. */
  cancel(endpoint: { id: string; workspace: string }): void
  /** Works until nothing is due at the clock's current time.
   * @throws the error that stops it */
  drain(): Promise<void>
}

/** Endpoints of one claim. */
const mostParts = 32
/** Average time between looks for deliveries that became due. */
const pollEveryMs = 3_000
/** Endpoints of one look into the store, and of one poll: the next poll continues with the others. */
const [pageSize, mostOfPoll] = [100, 2_000]
/** Deliveries of a disabled endpoint that end in one write. */
const canceledAtOnce = 200

type Place = { endpoint: string; workspace: string }

type SenderDeps = AttemptDeps & Pick<Deps, 'limits' | 'clocks'>

/**
 * Sends what is due. An endpoint is the unit of fairness: the process knows which endpoints have due deliveries, not which
 * deliveries, and claims of each as many as have room now. So an endpoint with a million deliveries uses as much memory as
 * one with one, and delays no other.
 *
 *   add ─▶ stored with a lease ─▶ attempt        an event that a hint brought, where there is room
 *   poll ─▶ backlog ─▶ claim ─▶ attempt          the others: workspaces and then their endpoints take turns
 *              ▲─ full ◀─ room of an endpoint that was used up
 */
export const openSender = (deps: SenderDeps): Sender => {
  const { deliveries, now, log, metrics, cache } = deps
  const stopping = new AbortController()
  const attempt = makeAttempt(deps, stopping.signal)
  const rooms = requestRooms(deps.limits.requests)
  /** Endpoints with due deliveries: those that wait for their turn, and those that wait for room. */
  const backlog = fairQueue<string>()
  const full = new Map<string, string>()
  const running = new Set<Promise<unknown>>()
  let filling: Promise<void> | null = null
  let isWoken = false
  let failure: { reason: unknown } | null = null
  let pollFrom = ''

  const wake = ({ id, workspace }: { id: string; workspace: string }): void => {
    if (!full.has(id)) backlog.add(workspace, id)
    void fill()
  }
  const hasRoomAgain = ({ endpoint, workspace }: Place): void => {
    metrics.webhooksInWork.set(rooms.active())
    if (full.delete(endpoint)) backlog.add(workspace, endpoint)
    if (backlog.size() > 0 && !stopping.signal.aborted) void fill()
  }
  const fail = (reason: unknown): void => {
    failure = { reason }
    if (!isExpected(reason)) log[isUnavailable(reason) ? 'warn' : 'error']({ err: reason }, 'sending webhooks failed')
  }

  /** Makes an attempt for which there is room. It never rejects, unless the caller waits for it. */
  const run = async (job: Job): Promise<Attempted> => {
    const place = { endpoint: job.delivery.endpoint, workspace: job.delivery.workspace }
    let isDelivered: boolean | null = null
    try {
      const attempted = await attempt(job)
      if ('isDisabled' in attempted) {
        isDelivered = attempted.kind === 'delivered'
        if (attempted.isDisabled) cancel({ id: place.endpoint, workspace: place.workspace })
      }
      if (attempted.nextAt !== null && !stopping.signal.aborted) dueAlarm.scheduleAt(attempted.nextAt)
      return attempted
    } finally {
      rooms.end(place, isDelivered)
      hasRoomAgain(place)
    }
  }
  const track = <T>(work: Promise<T>): Promise<T> => {
    const done = work.catch(() => {}).finally(() => running.delete(done))
    running.add(done)
    return work
  }
  /** The lease of a delivery whose attempt failed ends by itself. */
  const begin = (job: Job): void => void track(run(job)).catch(fail)

  const nextParts = (): (Place & { limit: number })[] => {
    const parts: (Place & { limit: number })[] = []
    while (parts.length < mostParts) {
      const next = backlog.next(rooms.mayTake)
      if (!next) break
      const place = { endpoint: next.item, workspace: next.owner }
      const limit = rooms.take(place, Number.POSITIVE_INFINITY)
      if (limit > 0) parts.push({ ...place, limit })
      else full.set(place.endpoint, place.workspace)
    }
    return parts
  }
  const claimUntilFull = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const parts = nextParts()
      if (parts.length === 0) return
      const at = now()
      const claimed = await deliveries.claim({ now: at, leaseMs, parts }).catch((reason: unknown) => {
        for (const part of parts) rooms.giveBack(part, part.limit)
        throw reason
      })
      const byEndpoint = Map.groupBy(claimed, ({ delivery }) => delivery.endpoint)
      for (const part of parts) {
        const jobs = byEndpoint.get(part.endpoint) ?? []
        rooms.giveBack(part, part.limit - jobs.length)
        // As many as asked for: there may be more.
        if (jobs.length === part.limit) backlog.add(part.workspace, part.endpoint)
        for (const job of jobs) begin({ ...job, leaseUntil: at + leaseMs })
      }
    }
  }
  const fill = (): Promise<void> => {
    isWoken = filling !== null
    filling ??= claimUntilFull()
      .catch(fail)
      .finally(() => {
        filling = null
        // The last look of the claims may have been before the wake.
        if (isWoken) void fill()
      })
    return filling
  }

  /** Finds the endpoints with due deliveries, and ends the deliveries of those that are disabled. */
  const poll = async (): Promise<void> => {
    const due = await deliveries.nextDue()
    if (due === null) return
    if (due > now()) return dueAlarm.scheduleAt(due)
    for (let looked = 0; looked < mostOfPoll && !stopping.signal.aborted; looked += pageSize) {
      const page = await deliveries.waiting(pollFrom, pageSize)
      for (const { endpoint, workspace, dueAt } of page) {
        if (dueAt > now()) {
          dueAlarm.scheduleAt(dueAt)
          continue
        }
        const known = await cache.get(endpoint)
        if (known === null || !known.enabled) await cancelAll({ id: endpoint, workspace })
        if (!full.has(endpoint)) backlog.add(workspace, endpoint)
      }
      pollFrom = page.length < pageSize ? '' : (page.at(-1)?.endpoint ?? '')
      if (pollFrom === '') break
    }
    await fill()
  }
  const cancelAll = async ({ id, workspace }: { id: string; workspace: string }): Promise<void> => {
    while (!stopping.signal.aborted) {
      if ((await deliveries.cancel(id, now(), canceledAtOnce)) < canceledAtOnce) return
      // The store may answer in the same turn; there may be a million of them.
      await nextTurn()
      // A person may have enabled it again.
      cache.forget({ id, workspace })
      if ((await cache.get(id))?.enabled) return
    }
  }
  const cancel = (endpoint: { id: string; workspace: string }): void => void track(cancelAll(endpoint)).catch(fail)
  const claims = failureLog(log, 'claim of webhooks failed')
  const pollSafely = async (): Promise<void> => {
    try {
      await poll()
      claims.recovered()
    } catch (err) {
      failure = { reason: err }
      claims.failed(err)
    }
  }
  const dueAlarm = alarm(now, () => void track(pollSafely()))
  const polling = every(pollSafely, {
    delayMs: spread(pollEveryMs, deps.random),
    startNow: true,
    onError: () => {},
  })

  const add = async (wanted: readonly Wanted[], by: Found): Promise<number> => {
    if (wanted.length === 0) return 0
    const clocks = await clocksOf(deps, wanted)
    const at = now()
    const added = wanted.map(({ endpoint, event }) => {
      const delivery = onClock(newDelivery(endpoint, event, at), event, clocks.get(endpoint.workspace))
      const place = { endpoint: endpoint.id, workspace: endpoint.workspace }
      return { delivery, event, place, hasRoom: rooms.take(place, 1) === 1 }
    })
    const unused = (): void => {
      for (const { place, hasRoom } of added) if (hasRoom) rooms.giveBack(place, 1)
    }
    const stored = await deliveries
      .insert(added.map(({ delivery, hasRoom }) => ({ delivery, leaseUntil: hasRoom ? at + leaseMs : null })))
      .catch((reason: unknown) => {
        unused()
        throw reason
      })
    for (const { delivery, event, place, hasRoom } of added) {
      const fence = stored.get(delivery.id)
      if (fence === undefined) {
        if (hasRoom) rooms.giveBack(place, 1)
      } else if (hasRoom) begin({ delivery, fence, event, leaseUntil: at + leaseMs })
      else wake({ id: place.endpoint, workspace: place.workspace })
    }
    metrics.webhookDeliveriesFound.inc({ by }, stored.size)
    return stored.size
  }

  return {
    add,
    send: async (job) => {
      const place = { endpoint: job.delivery.endpoint, workspace: job.delivery.workspace }
      // A person asked for it, or a replay that sends one event at a time: it does not wait for room.
      rooms.force(place)
      return track(run(job))
    },
    wake,
    cancel,
    drain: async () => {
      for (;;) {
        failure = null
        pollFrom = ''
        await poll()
        while (filling || running.size > 0) await Promise.all([filling, ...running])
        const found = failure as { reason: unknown } | null
        if (found) throw found.reason
        const due = await deliveries.nextDue()
        if (due === null || due > now()) return
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      dueAlarm.cancel()
      await polling[Symbol.asyncDispose]()
      await filling
      await Promise.all(running)
      dueAlarm.cancel()
    },
  }
}
