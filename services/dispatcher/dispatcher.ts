import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import type { Doorbell, Lane } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { deliver } from './deliver.ts'
import { laneWorker } from './laneWorker.ts'
import { leases } from './leases.ts'
import { observer } from './observe.ts'
import type { Routes } from './routes.ts'

export type DispatcherDeps = {
  emails: EmailStore
  durable: Durable
  doorbell: Pick<Doorbell, 'listen'>
  routes: Routes
  /** Emails of each lane in work at once. */
  concurrency: Record<Lane, number>
  now: Clock
  random: () => number
  pause(ms: number): Promise<void>
  log: Log
  metrics: Metrics
}

export type Dispatcher = AsyncDisposable & {
  /** Works until nothing is due at the clock's now, in any lane. */
  drain(): Promise<void>
}

/** Delivers what is due, each lane for itself. Disposing of it finishes what is in work and lets go of the rest. */
export const dispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { emails, doorbell, now, log, metrics } = deps
  const stack = new AsyncDisposableStack()
  const held = stack.use(leases(emails, now, (reason) => log.error({ err: reason }, 'renewing leases failed')))
  const deliverOne = deliver({ ...deps, leases: held, attempted: observer(log, metrics) })
  const lanes = (['transactional', 'marketing'] as const).map((lane) =>
    stack.use(
      laneWorker({
        lane,
        emails,
        leases: held,
        deliver: deliverOne,
        doorbell,
        concurrency: deps.concurrency[lane],
        now,
        log,
      }),
    ),
  )
  return {
    drain: async () => {
      await Promise.all(lanes.map((lane) => lane.drain()))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
