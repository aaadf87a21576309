import { setTimeout as pauseFor } from 'node:timers/promises'
import { type Lane, lanes } from '@postrider/domain/email/email.ts'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { MailTransports } from '@postrider/ports/transport.ts'
import { deliver } from './deliver.ts'
import { laneWorker } from './laneWorker.ts'
import { heldLeases } from './leases.ts'
import type { DispatcherMetrics } from './metrics.ts'
import { reportAttempt } from './observe.ts'
import { suspendedWorkspaces } from './suspended.ts'

/*
 * The dispatcher delivers due mail. Each lane has its own worker and limits. The parts of a lane:
 *
 *   doorbell ─▶ hints ─▶ claimer ─▶ workerPool ─▶ deliver ─▶ attempt ─▶ transport
 *   duePoller ─ scan ──────▲             └─ a free slot wakes the claimer
 *
 *   laneWorker   connects the parts, pauses after a failure of the store, and releases leases when it stops
 *   hints        stores the hints from the doorbell; fairQueue lets the workspaces take turns
 *   claimer      decides what to claim next: hinted emails, or a scan for any due emails
 *   duePoller    asks the store about every 3 s for the time of the next due email, and starts a scan then
 *   workerPool   decides which claimed email is delivered next
 *   suspended    reads every 2 s which workspaces are suspended: their mail is not claimed, and the gate refuses it
 *   leases       renews the leases of this process, and reports whether one is still held
 *   deliver      decides whether one email is sent now, later or never
 *   attempt      makes one transmission: the gate before the final dot, and the outcome
 *   observe      logs and counts attempts
 *
 * Fairness among workspaces is decided in two places, by the rules in packages/domain/fairness: at the claim (a scan by the
 * store, hints by the claimer) and in workerPool (slots). Two limits protect memory: 20,000 hints (the workspace with the
 * most loses its oldest, and a scan finds that email), and the bytes of finished messages (one workspace never uses all).
 */

export type DispatcherOptions = {
  emails: EmailStore
  suspensions: Suspensions
  durable: Durable
  doorbell: Pick<Doorbell, 'listen'>
  /** Closed by the dispatcher. */
  transports: MailTransports
  /** Emails of one workspace in work at once; another eighth is reserved for other workspaces. */
  concurrency: Record<Lane, number>
  /** Most bytes of a finished message. */
  maxMessageBytes: number
  /** Most bytes of all finished messages in memory at once. Default: 64 MiB. */
  messageMemoryBytes?: number
  now: Clock
  log: Log
  metrics: DispatcherMetrics
  random?: () => number
  /** The runner of the process for long work; absent: its own. */
  slices?: Slices
  pause?(ms: number): Promise<unknown>
}

export type Dispatcher = AsyncDisposable & {
  /** Works until nothing is due in any lane at the clock's current time. */
  drain(): Promise<void>
}

const defaultMessageMemory = 64 * 2 ** 20

/** Share of each lane of the memory for messages. Marketing mail cannot use the other lane's part. */
const laneShare: Record<Lane, number> = { transactional: 5 / 8, marketing: 3 / 8 }

/**
 * Opens a dispatcher, which delivers what is due. Disposing it starts nothing more, releases what has not started, and
 * finishes what is in work for as long as the transports allow.
 */
export const openDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { emails, transports, now, log, metrics, random = Math.random, pause = pauseFor, maxMessageBytes } = options
  const stopping = new AbortController()
  const leases = heldLeases(emails, now, (reason) => log.error({ err: reason }, 'lease renewal failed'))
  const suspended = suspendedWorkspaces({
    suspensions: options.suspensions,
    now,
    onResumed: () => {
      for (const worker of workers) worker.scan()
    },
    onError: (reason) => log.warn({ err: reason }, 'cannot read the suspended workspaces'),
  })
  const budgetOf = (lane: Lane) => {
    const capacityBytes = Math.floor((options.messageMemoryBytes ?? defaultMessageMemory) * laneShare[lane])
    return byteBudget({ capacityBytes, mostOfOneBytes: capacityBytes - maxMessageBytes })
  }
  const deliverDeps = {
    ...options,
    random,
    pause,
    stopping: stopping.signal,
    leases,
    suspended,
    messageBytes: { transactional: budgetOf('transactional'), marketing: budgetOf('marketing') },
    onAttempt: reportAttempt(log, metrics),
  }
  const deliverOne = deliver(deliverDeps, options.slices)
  const workers = lanes.map((lane) => {
    const report = (counts: { inWork: number; waiting: number; dropped: number }): void => {
      metrics.inWork.set({ lane }, counts.inWork)
      metrics.leasesHeld.set(leases.size())
      metrics.hintsWaiting.set({ lane }, counts.waiting)
      metrics.hintsDropped.inc({ lane }, counts.dropped)
    }
    return laneWorker({
      ...options,
      random,
      lane,
      leases,
      suspended,
      deliver: deliverOne,
      concurrency: options.concurrency[lane],
      report,
    })
  })
  return {
    drain: async () => {
      await Promise.all(workers.map((worker) => worker.drain()))
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      // Together, not one after the other: a lane waits for its sends, and the transports end those that would not end.
      const closed = transports.close().catch((thrown) => log.error({ err: thrown }, 'closing transports failed'))
      await Promise.all([...workers.map((worker) => worker[Symbol.asyncDispose]()), closed])
      await Promise.all([leases[Symbol.asyncDispose](), suspended[Symbol.asyncDispose]()])
    },
  }
}
