import { EventEmitter } from 'node:events'
import type { ClaimedEmail, Lane } from '@postrider/domain/email/email.ts'
import { withSpare } from '@postrider/domain/fairness/fairShare.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isExpected } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { backoffMs, backoffs } from '@postrider/kit/retry.ts'
import { wakeLoop } from '@postrider/kit/singleFlight.ts'
import { detached } from '@postrider/kit/trace.ts'
import { wakeTimer } from '@postrider/kit/wakeTimer.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { type ClaimPlan, duePoller, type Job, makeClaimer } from './claimer.ts'
import type { Delivery } from './deliver.ts'
import type { Leases, SuspendedWorkspaces } from './mayDeliver.ts'
import { jobWorker, releaseLeases, workerPool } from './workerPool.ts'

export type LaneWorkerOptions = {
  lane: Lane
  emails: Pick<EmailStore, 'claim' | 'nextDue' | 'releaseLeases'>
  durable: Pick<Durable, 'synced'>
  leases: Pick<Leases, 'add' | 'drop' | 'isLeased'>
  suspended: Pick<SuspendedWorkspaces, 'current' | 'has' | 'refresh'>
  deliver(claimed: ClaimedEmail): Promise<Delivery>
  doorbell: Pick<Doorbell, 'listen'>
  /** Emails of one workspace in flight at the same time; an eighth more is for others. */
  concurrency: number
  now: Clock
  random: () => number
  log: Log
  /** Called every few seconds; `dropped` counts the hints dropped since the last call. */
  report(counts: { inFlight: number; waiting: number; dropped: number }): void
}

export type LaneWorker = AsyncDisposable & {
  /** Looks for due mail that no hint announces. */
  scan(): void
  /** Works until nothing is due at the clock's current time. For tests and callers that move the clock.
   * @throws the error that stops it from claiming or delivering */
  drain(): Promise<void>
}

/**
 * Runs one lane: claims what was hinted and what is due, delivers it, and sleeps until more is due. Several processes
 * do the same for a lane; the claim decides which of them gets an email.
 */
export const laneWorker = (options: LaneWorkerOptions): LaneWorker => {
  const { lane, emails, now, log } = options
  const events = new EventEmitter<LaneEvents>()
  const { claimer, backoff, pool, poller, stop } = laneParts(options, events)
  let isStopping = false
  let failure: { reason: unknown } | null = null
  let claimedSinceStart = 0

  const scan = (): void => {
    claimer.wantScan()
    events.emit('wake')
  }

  const claimOnce = async (plan: ClaimPlan): Promise<void> => {
    const jobs = await claimer.claim(plan)
    claimedSinceStart += jobs.length
    markLost(options.durable, jobs)
    pool.add(jobs)
    if (jobs.length < plan.limit) poller.pollSoon()
  }

  const claimAll = async (): Promise<void> => {
    failure = null
    try {
      while (!isStopping) {
        const plans = claimer.nextClaims()
        if (plans.length === 0) return
        for (const plan of plans) await claimOnce(plan)
      }
    } catch (thrown) {
      if (!isExpected(thrown)) log.error({ err: thrown, lane }, 'claim failed')
      events.emit('failure', thrown)
    }
  }

  events.on('failure', (reason) => {
    failure = { reason }
    claimer.wantScan()
    if (!isStopping) backoff.start()
  })
  const claims = wakeLoop(claimAll, () => !isStopping && !backoff.isRunning() && claimer.isWanted())
  events.on('wake', () => void claims.wake())
  const stopListening = options.doorbell.listen(lane, (due) => {
    claimer.addHints(due)
    detached(() => events.emit('wake'))
  })
  scan()

  return {
    scan,
    drain: async () => {
      await options.suspended.refresh()
      while (!isStopping) {
        backoff.cancel()
        const before = claimedSinceStart
        scan()
        while (claims.inFlight() || pool.active() > 0) await Promise.all([claims.inFlight(), pool.ended()])
        if (failure) throw failure.reason
        const due = await emails.nextDue(lane)
        if (due === null || due > now()) return
        const suspended = await options.suspended.current()
        if (suspended.size > 0 && claimedSinceStart === before) return
      }
    },
    [Symbol.asyncDispose]: () => {
      isStopping = true
      stopListening()
      return stop(claims.inFlight())
    },
  }
}

/**
 * Marks jobs whose claim is lost with its commit. They start before that is known, because nearly every commit
 * succeeds.
 */
const markLost = (durable: Pick<Durable, 'synced'>, jobs: readonly Job[]): void => {
  durable.synced().catch(() => {
    for (const job of jobs) job.isLost = true
  })
}

/** `wake`: something may be claimed now. `failure`: the store is unavailable. */
type LaneEvents = { wake: []; failure: [reason: unknown] }

/** Opens the parts of a lane. They report to `events`, because the lane that reacts needs all of them. */
const laneParts = (options: LaneWorkerOptions, events: EventEmitter<LaneEvents>) => {
  const { lane, emails, now, random, log, concurrency, report } = options
  const wake = (): void => void events.emit('wake')
  const claimer = makeClaimer(options)
  const backoff = backoffTimer(random, wake)
  const dueTimer = wakeTimer(now, () => {
    claimer.wantScan()
    wake()
  })
  const pool = workerPool({
    size: withSpare(concurrency),
    ownerOf: ({ claimed }) => claimed.email.workspace,
    work: jobWorker(options, {
      scheduleAt: dueTimer.scheduleAt,
      onSuccess: backoff.reset,
      onUnavailable: (reason) => events.emit('failure', reason),
      onEnd: claimer.end,
    }),
    onSlotFree: wake,
  })
  const poller = duePoller({
    nextDue: () => emails.nextDue(lane),
    dueTimer,
    now,
    random,
    onPoll: () => report({ inFlight: pool.active(), ...claimer.hintCounts() }),
    onError: (reason) => log.warn({ err: reason, lane }, 'cannot read next due time'),
  })
  /** Releases what is not started, and waits for the rest. @param claiming the claims that still run */
  const stop = async (claiming: Promise<void> | null): Promise<void> => {
    backoff.cancel()
    const waiting = pool.stop()
    await claiming
    const notStarted = [...waiting, ...pool.stop()].map(({ claimed }) => claimed)
    await Promise.all([releaseLeases(options, notStarted), pool.ended()])
    await poller[Symbol.asyncDispose]()
    dueTimer.cancel()
  }
  return { claimer, backoff, pool, poller, stop }
}

/** Pauses that grow with each failure in a row. */
const backoffTimer = (random: () => number, onEnd: () => void) => {
  let failures = 0
  let timer: NodeJS.Timeout | null = null
  return {
    isRunning: () => timer !== null,
    /** Starts a pause, unless one runs. */
    start: (): void => {
      if (timer) return
      failures += 1
      timer = setTimeout(
        () => {
          timer = null
          onEnd()
        },
        backoffMs(backoffs.claim, failures, random),
      )
    },
    /** Ends the pause early, without calling `onEnd`. */
    cancel: (): void => {
      if (timer) clearTimeout(timer)
      timer = null
    },
    reset: (): void => {
      failures = 0
    },
  }
}
