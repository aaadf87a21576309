import type { ClaimedEmail, Email } from '@postrider/domain/email/email.ts'
import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { mayTakeMore, ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isExpected, isUnavailable } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { inSpan, type SpanOptions } from '@postrider/kit/trace.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Job } from './claimer.ts'
import type { Delivery } from './deliver.ts'
import type { Leases, SuspendedWorkspaces } from './mayDeliver.ts'

/** Runs a bounded number of jobs at the same time; the others wait. */
export type WorkerPool = {
  add(jobs: readonly Job[]): void
  /** Returns how many jobs run. */
  active(): number
  /** Resolves when the jobs that run now have ended. */
  ended(): Promise<void>
  /** Starts no more jobs. @returns the jobs that were waiting */
  stop(): Job[]
}

export type WorkerPoolOptions = {
  /** Maximum number of jobs that run at the same time. */
  size: number
  /** Owners take turns, and no owner fills the pool, however many and however slow its jobs are. */
  ownerOf(job: Job): string
  /** Must not reject. */
  work(job: Job): Promise<void>
  /** Called after a job has ended and the next has started. */
  onSlotFree(): void
}

export const workerPool = ({ size, ownerOf, work, onSlotFree }: WorkerPoolOptions): WorkerPool => {
  const waiting = fairQueue<Job>()
  // Not `runningWork`: each email has one job, and needs one promise less here.
  const active = new Set<Promise<void>>()
  const slots = ownerCounts()
  let isStopped = false
  const mayStart = (owner: string): boolean => mayTakeMore(slots.of(owner), size - active.size)

  const start = (owner: string, job: Job): void => {
    slots.add(owner, 1)
    const done = work(job).then(() => {
      active.delete(done)
      slots.add(owner, -1)
      fill()
      onSlotFree()
    })
    active.add(done)
  }

  const fill = (): void => {
    while (active.size < size && !isStopped) {
      const next = waiting.next(mayStart)
      if (next === undefined) return
      start(next.owner, next.item)
    }
  }

  return {
    add: (jobs) => {
      for (const job of jobs) waiting.add(ownerOf(job), job)
      fill()
    },
    active: () => active.size,
    ended: async () => {
      await Promise.all(active)
    },
    stop: () => {
      isStopped = true
      const jobs: Job[] = []
      for (let next = waiting.next(always); next; next = waiting.next(always)) jobs.push(next.item)
      return jobs
    },
  }
}

const always = (): boolean => true

export type JobWorkerOptions = {
  emails: Pick<EmailStore, 'releaseLeases'>
  leases: Pick<Leases, 'drop' | 'isLeased'>
  suspended: Pick<SuspendedWorkspaces, 'has'>
  deliver(claimed: ClaimedEmail): Promise<Delivery>
  now: Clock
  log: Log
}

export type JobEvents = {
  /** The email is due again at `at`. */
  scheduleAt(at: number): void
  onSuccess(): void
  /** The store is unavailable. */
  onUnavailable(reason: unknown): void
  onEnd(job: Job): void
}

/** Returns a function that delivers one email and never rejects. */
export const jobWorker =
  (options: JobWorkerOptions, events: JobEvents) =>
  async (job: Job): Promise<void> => {
    const { deliver, leases, log, now } = options
    const { claimed, traceparent } = job
    const { email, fence } = claimed
    try {
      if (options.suspended.has(email.workspace)) return await releaseLeases(options, [claimed])
      if (job.isLost || !leases.isLeased(email.id, fence)) {
        // The process was paused or the store was unavailable while the email waited. The next worker need not wait for
        // the lease to end.
        await releaseLeases(options, [claimed])
        events.scheduleAt(now())
        return
      }
      const delivery = await inSpan(deliverySpan(email, traceparent), () => deliver(claimed))
      events.onSuccess()
      if (delivery.kind === 'lost' && !job.isLost) {
        log.warn({ email_id: email.id }, 'lease lost to another worker')
      } else if (delivery.kind === 'lost') events.scheduleAt(now())
      else if (delivery.nextAt !== null) events.scheduleAt(delivery.nextAt)
    } catch (thrown) {
      if (isUnavailable(thrown)) {
        if (!isExpected(thrown)) log.warn({ email_id: email.id, err: thrown }, 'delivery postponed, store unavailable')
        events.onUnavailable(thrown)
        await releaseLeases(options, [claimed])
      } else {
        // The lease runs out by itself, which counts as a death: an email that fails each time is parked in the end.
        log.error({ email_id: email.id, err: thrown }, 'delivery failed')
      }
    } finally {
      leases.drop(email.id, fence)
      events.onEnd(job)
    }
  }

/** The span belongs under the hint that led to the claim, or else under the request that sent the email. */
const deliverySpan = ({ id, traceparent }: Email, hinted: string | undefined): SpanOptions => ({
  name: 'deliver',
  kind: 'internal',
  attributes: { 'postrider.email_id': id },
  traceparent: hinted ?? traceparent,
})

/** Releases the leases of emails whose delivery does not start. Never rejects. */
export const releaseLeases = async (
  { emails, leases, log }: Pick<JobWorkerOptions, 'emails' | 'leases' | 'log'>,
  claimed: readonly ClaimedEmail[],
): Promise<void> => {
  const released = claimed.map(({ email, fence }) => ({ id: email.id, fence }))
  for (const { id, fence } of released) leases.drop(id, fence)
  try {
    if (released.length > 0) await emails.releaseLeases(released)
  } catch (thrown) {
    log.warn({ err: thrown, count: released.length }, 'cannot release leases, they expire automatically')
  }
}
