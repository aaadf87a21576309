import type { Lane } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { byteBudget } from './byteBudget.ts'
import { deliver } from './deliver.ts'
import { laneWorker } from './laneWorker.ts'
import { type Leases, leases } from './leases.ts'
import type { DispatcherMetrics } from './metrics.ts'
import { observer } from './observe.ts'
import type { Routes } from './routes.ts'

/** What a lane may use at once. */
export type LaneSize = {
  /** Emails of one workspace in work; an eighth more is for others. */
  concurrency: number
  /** Of their finished messages, together. */
  bytes: number
}

export type DispatcherDeps = {
  emails: EmailStore
  durable: Durable
  doorbell: Pick<Doorbell, 'listen'>
  routes: Routes
  /** Ends what the routes lead to: waits for running sends a while, then cuts them off. */
  closeTransports(): Promise<void>
  lanes: Record<Lane, LaneSize>
  /** What a finished message may have at most, in bytes. */
  heaviestBytes: number
  now: Clock
  random: () => number
  pause(ms: number): Promise<void>
  log: Log
  metrics: DispatcherMetrics
}

export type Dispatcher = AsyncDisposable & {
  /** Works until nothing is due at the clock's now, in any lane. */
  drain(): Promise<void>
}

const laneNames = ['transactional', 'marketing'] as const

/**
 * Delivers what is due, each lane for itself. Disposing of it begins nothing more, lets go of what was not begun, and
 * finishes what is in work for as long as the transports let it.
 */
export const dispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { emails, now, log, metrics } = deps
  const stopping = new AbortController()
  const held = leases(emails, now, (reason) => log.error({ err: reason }, 'renewing leases failed'))
  const room = {
    transactional: byteBudget(deps.lanes.transactional.bytes, deps.heaviestBytes),
    marketing: byteBudget(deps.lanes.marketing.bytes, deps.heaviestBytes),
  }
  const attempted = observer(log, metrics)
  const deliverOne = deliver({ ...deps, stopping: stopping.signal, leases: held, room, attempted })
  const lanes = laneNames.map((lane) => {
    const { concurrency } = deps.lanes[lane]
    const watch = laneWatch(metrics, lane, held)
    return laneWorker({ ...deps, lane, leases: held, deliver: deliverOne, concurrency, watch })
  })
  return {
    drain: async () => {
      await Promise.all(lanes.map((lane) => lane.drain()))
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      // At once, not in turn: a lane waits for its sends, and the transports end those that never would.
      const closed = deps.closeTransports().catch((thrown) => log.error({ err: thrown }, 'closing transports failed'))
      await Promise.all([...lanes.map((lane) => lane[Symbol.asyncDispose]()), closed])
      await held[Symbol.asyncDispose]()
    },
  }
}

const laneWatch =
  (metrics: DispatcherMetrics, lane: Lane, held: Pick<Leases, 'size'>) =>
  (seen: { inWork: number; waiting: number; dropped: number }): void => {
    metrics.inWork.set({ lane }, seen.inWork)
    metrics.leasesHeld.set(held.size())
    metrics.hintsWaiting.set({ lane }, seen.waiting)
    metrics.hintsDropped.inc({ lane }, seen.dropped)
  }
