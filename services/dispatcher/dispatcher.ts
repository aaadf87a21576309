import { dkimSecretPurpose } from '@postrider/domain/domains/keys.ts'
import { type Email, type Lane, lanes } from '@postrider/domain/email/email.ts'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { pause as pauseFor } from '@postrider/kit/pause.ts'
import { makeSecretBox } from '@postrider/kit/secretBox.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { OutcomeCounts } from '@postrider/ports/reputation.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { MailTransports } from '@postrider/ports/transport.ts'
import { deliver } from './deliver.ts'
import { signingDomains } from './keys.ts'
import { laneWorker } from './laneWorker.ts'
import { suspendedWorkspaces, workerLeases } from './mayDeliver.ts'
import { type DispatcherMetrics, type FinishedAttempt, reportAttempt, reportHeld } from './metrics.ts'
import { outcomeCounter } from './outcomeCounts.ts'
import { makeSigner, type Signer } from './signer.ts'

/*
 * The dispatcher delivers due mail. Each lane has its own worker and limits. The parts of a lane:
 *
 *   doorbell ─▶ hints ─▶ claimer ─▶ workerPool ─▶ deliver ─▶ attempt ─▶ transport
 *   duePoller ─ scan ──────▲             └─ a free slot wakes the claimer
 *
 *   laneWorker   connects the parts, pauses after a failure of the store, and releases leases when it stops
 *   hints        stores the hints from the doorbell, round-robin across workspaces:
 *                packages/domain/fairness/boundedHints.ts
 *   claimer      decides what to claim next: hinted emails, or a scan for any due emails. Its duePoller reads the time
 *                of the next due email about every 3 s, and starts a scan then
 *   workerPool   decides which claimed email is delivered next, and delivers it if it still may
 *   mayDeliver   renews the leases of this process, and reports whether one is still held; reads every 2 s which
 *                workspaces are suspended: their mail is not claimed, and the gate refuses it
 *   deliver      decides whether one email is sent now, later or never
 *   signer       decides whether the mail may leave, and signs
 *   keys         returns which domains may sign, by a read that is at most 3 s old, and opens their keys
 *   attempt      makes one transmission: the gate before the final dot, and the outcome
 *   metrics      logs and counts attempts
 *   outcomeCounts  counts deliveries and bounces of each workspace, and writes the counts every 10 s
 *
 * Fairness among workspaces is decided at two points, by the rules in packages/domain/fairness: at the claim (a scan by
 * the store, hints by the claimer) and in workerPool (slots). Two limits protect memory: 20,000 hints (the workspace
 * with the most loses its oldest, and a scan finds that email), and the bytes of finished messages (one workspace never
 * uses all).
 */

export type DispatcherOptions = {
  emails: EmailStore
  suspensions: Suspensions
  domains: Pick<DomainStore, 'signing' | 'byName'>
  /** Master keys that encrypted the signing keys, the current one first; null: none is configured. */
  secrets: readonly [string, ...string[]] | null
  /** The shared sender. */
  sender: { address: string }
  /** Counts what becomes of mail, for reputations. */
  outcomes: OutcomeCounts
  durable: Durable
  doorbell: Pick<Doorbell, 'listen'>
  /** Closed by the dispatcher. */
  transports: MailTransports
  /** Emails of one workspace in flight at the same time; another eighth is reserved for other workspaces. */
  concurrency: Record<Lane, number>
  /** Maximum number of bytes of a finished message. */
  maxMessageBytes: number
  /** Maximum number of bytes of all finished messages in memory at the same time. Default: 64 MiB. */
  messageMemoryBytes?: number
  now: Clock
  /** Measures the age of what is cached. */
  elapsed?: Monotonic
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
  /** Writes the counts of outcomes that are in memory. */
  flushOutcomes(): Promise<void>
}

/** Opens the signer. Without a master key, mail of domains that sign is held. */
const openSigner = (options: DispatcherOptions, slices: Slices): Signer => {
  const { secrets, sender, now, elapsed = performance.now.bind(performance), log, metrics } = options
  const box = secrets && makeSecretBox({ secrets, purpose: dkimSecretPurpose })
  const domains = signingDomains({ domains: options.domains, elapsed })
  const signer = makeSigner({ domains, senderAddress: sender.address, box, now, log, metrics, slices })
  signer.check().catch((reason) => log.warn({ err: reason }, 'cannot read signing keys'))
  return signer
}

const defaultMessageMemory = 64 * 2 ** 20

/** Share of each lane of the memory for messages. Marketing mail cannot use the other lane's part. */
const laneShare: Record<Lane, number> = { transactional: 5 / 8, marketing: 3 / 8 }

/**
 * Opens a dispatcher, which delivers what is due. Disposing it starts nothing more, releases what has not started, and
 * finishes what is in flight for as long as the transports allow.
 */
export const openDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { emails, transports, now, log, metrics, random = Math.random, pause = pauseFor, maxMessageBytes } = options
  const slices = options.slices ?? makeSlices()
  const signer = openSigner(options, slices)
  const stopping = new AbortController()
  const leases = workerLeases(emails, now, (reason) => log.error({ err: reason }, 'lease renewal failed'))
  const suspended = suspendedWorkspaces({
    suspensions: options.suspensions,
    now,
    onResumed: () => {
      for (const worker of workers) worker.scan()
    },
    onError: (reason) => log.warn({ err: reason }, 'cannot read suspended workspaces'),
  })
  const budgetOf = (lane: Lane) => {
    const capacityBytes = Math.floor((options.messageMemoryBytes ?? defaultMessageMemory) * laneShare[lane])
    return byteBudget({ capacityBytes, maxBytesPerOwner: capacityBytes - maxMessageBytes })
  }
  const report = reportAttempt(log, metrics)
  const counter = outcomeCounter({ store: options.outcomes, now, log, random })
  const deliverDeps = {
    ...options,
    signer,
    platformAddress: options.sender.address,
    onHeld: reportHeld(log, metrics),
    random,
    pause,
    stopping: stopping.signal,
    leases,
    suspended,
    messageBytes: { transactional: budgetOf('transactional'), marketing: budgetOf('marketing') },
    onAttempt: (email: Email, attempt: FinishedAttempt) => {
      report(email, attempt)
      counter.count(email, attempt)
    },
  }
  const deliverOne = deliver(deliverDeps, slices)
  const workers = lanes.map((lane) => {
    const reportLane = (counts: { inFlight: number; waiting: number; dropped: number }): void => {
      metrics.inFlight.set({ lane }, counts.inFlight)
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
      report: reportLane,
    })
  })
  return {
    drain: async () => {
      await Promise.all(workers.map((worker) => worker.drain()))
    },
    flushOutcomes: counter.flush,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      // Together, not one after the other: a lane waits for its sends, and the transports end those that would not end.
      const closed = transports.close().catch((thrown) => log.error({ err: thrown }, 'cannot close transports'))
      await Promise.all([...workers.map((worker) => worker[Symbol.asyncDispose]()), closed])
      await Promise.all([leases, suspended, counter].map((part) => part[Symbol.asyncDispose]()))
    },
  }
}
