import type { Due } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Lane } from '@postrider/domain/email/email.ts'
import { emailLeaseMs } from '@postrider/domain/email/leases.ts'
import { boundedHints, type Hints } from '@postrider/domain/fairness/boundedHints.ts'
import {
  claimCapacity,
  isWorthwhile,
  mayTakeHint,
  type OwnerCounts,
  ownerCounts,
} from '@postrider/domain/fairness/fairShare.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { every, spread } from '@postrider/kit/every.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import { type WakeTimer, wakeTimer } from '@postrider/kit/wakeTimer.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Leases, SuspendedWorkspaces } from './mayDeliver.ts'

/** A claimed email, from its claim to the end of its delivery. */
export type Job = {
  claimed: ClaimedEmail
  /** Whether a hint led to the claim, not a scan. */
  isHinted: boolean
  /** Trace of the hint; undefined when it has none: the email's own record may have one. */
  traceparent: string | undefined
  /** The commit of the claim failed: another worker may claim the email. */
  isLost?: boolean
}

/** One claim: the emails of these hints, or any due emails. */
export type ClaimPlan = { limit: number; hints?: readonly Due[] }

export type Claimer = {
  /** Adds hints to be claimed. If they do not all fit, or the list is empty, it requests a scan. */
  addHints(due: readonly Due[]): void
  /** Requests a scan: some mail may be due that no hint announces. */
  wantScan(): void
  /** Whether there is something to claim and possibly a free slot for it. */
  isWanted(): boolean
  /** Returns the claims to make now; none when nothing is pending or no slot is free. */
  nextClaims(): ClaimPlan[]
  /** Makes a claim. When it throws, its hints are lost and a scan has to be requested. */
  claim(plan: ClaimPlan): Promise<Job[]>
  /** Frees the slot of a job that has ended. */
  end(job: Job): void
  /** Returns how many hints wait, and how many were dropped since the last call. */
  hintCounts(): { waiting: number; dropped: number }
}

export type ClaimerOptions = {
  lane: Lane
  emails: Pick<EmailStore, 'claim'>
  leases: Pick<Leases, 'add'>
  suspended: Pick<SuspendedWorkspaces, 'current'>
  concurrency: number
  now: Clock
}

/** Maximum number of hints of a lane: a few MiB. */
const maxHints = 20_000

/** Decides what to claim, by hint and by scan, within the limits of `claimCapacity`. */
export const makeClaimer = ({ lane, emails, leases, suspended, concurrency, now }: ClaimerOptions): Claimer => {
  const capacity = claimCapacity(concurrency)
  const hints = boundedHints(maxHints)
  const hinted = ownerCounts()
  let scanned = 0
  let isScanWanted = false
  let dropped = 0
  const mayScan = (): boolean => isScanWanted && isWorthwhile(capacity.scanned - scanned, concurrency)

  const begin = ({ claimed: { email, fence }, isHinted }: Job, at: number): void => {
    leases.add(email.id, fence, at + emailLeaseMs)
    if (isHinted) {
      hinted.add(email.workspace, 1)
    } else {
      scanned += 1
      hints.forget(email)
    }
  }

  return {
    addHints: (due) => {
      const fell = hints.add(due)
      dropped += fell
      if (fell > 0 || due.length === 0) isScanWanted = true
    },
    wantScan: () => {
      isScanWanted = true
    },
    isWanted: () => mayScan() || (hints.size() > 0 && hinted.total() < capacity.hinted),
    nextClaims: () => {
      const due = takeHints({ hints, hinted, room: capacity.hinted - hinted.total(), concurrency })
      const plans: ClaimPlan[] = due.length > 0 ? [{ limit: due.length, hints: due }] : []
      if (!mayScan()) return plans
      isScanWanted = false
      return [...plans, { limit: capacity.scanned - scanned }]
    },
    claim: async ({ limit, hints: due }) => {
      const current = suspended.current()
      const except = current instanceof Promise ? await current : current
      // Mail of a resumed workspace is found by a scan, so its hints are not needed.
      const ids = due?.flatMap(({ id, workspace }) => (except.has(workspace) ? [] : id))
      if (ids?.length === 0) return []
      const at = now()
      const claimed = await emails.claim({ lane, now: at, leaseMs: emailLeaseMs, limit, except, ...(ids && { ids }) })
      const traces = new Map(due?.map(({ id, traceparent }) => [id, traceparent]))
      const isHinted = due !== undefined
      const jobs = claimed.map((one) => ({ claimed: one, isHinted, traceparent: traces.get(one.email.id) }))
      for (const job of jobs) begin(job, at)
      // A scan that reached its limit may have left due mail.
      if (!isHinted && jobs.length === limit) isScanWanted = true
      return jobs
    },
    end: ({ claimed, isHinted }) => {
      if (isHinted) hinted.add(claimed.email.workspace, -1)
      else scanned -= 1
    },
    hintCounts: () => {
      const counts = { waiting: hints.size(), dropped }
      dropped = 0
      return counts
    },
  }
}

type HintedRoom = {
  hints: Pick<Hints, 'next'>
  hinted: Pick<OwnerCounts, 'of'>
  room: number
  concurrency: number
}

/** Takes hints round-robin across workspaces, up to the free slots. */
const takeHints = ({ hints, hinted, room, concurrency }: HintedRoom): Due[] => {
  const taken = ownerCounts()
  const mayTake = (workspace: string): boolean =>
    mayTakeHint(
      { used: hinted.of(workspace), taken: taken.of(workspace) },
      { free: room, taken: taken.total(), concurrency },
    )
  const due: Due[] = []
  while (due.length < room) {
    const next = hints.next(mayTake)
    if (!next) break
    taken.add(next.workspace, 1)
    due.push(next)
  }
  return due
}

/** Finds due mail that no hint announces: scheduled mail, retries, and mail whose worker died. */
export type DuePoller = AsyncDisposable & {
  /** Polls soon, because the store has mail that this worker has not read. */
  pollSoon(): void
}

export type DuePollerOptions = {
  /** Returns when the store's next email is due; null when none waits. */
  nextDue(): Promise<number | null>
  /** Is set to the time of the next due email. */
  dueTimer: Pick<WakeTimer, 'scheduleAt'>
  now: Clock
  random: () => number
  /** Called before each poll. */
  onPoll(): void
  onError(reason: unknown): void
}

/** Average time between polls: a worker that received a hint may have died since. */
const pollEveryMs = 3_000
const pollSoonMs = 200
/** Mail that became due less long ago has a hint under way, probably to another worker. */
const hintUnderWayMs = 300
/** Every worker of the lane reads the same due time in advance; they spread their polls over this time. */
const spreadMs = 100

export const duePoller = ({ nextDue, dueTimer, now, random, onPoll, onError }: DuePollerOptions): DuePoller => {
  let isClosed = false
  const soonMs = spread(pollSoonMs, random)

  const poll = async (): Promise<void> => {
    onPoll()
    const at = await nextDue()
    if (at !== null && !isClosed) dueTimer.scheduleAt(at > now() ? at + random() * spreadMs : at + hintUnderWayMs)
  }

  const { run } = singleFlight(poll)
  const polling = every(run, { delayMs: spread(pollEveryMs, random), onError })
  let soon: Promise<void> | null = null
  const soonTimer = wakeTimer(now, () => {
    soon = run().catch(onError)
  })
  const pollSoon = (): void => soonTimer.scheduleAt(now() + soonMs())
  pollSoon()
  return {
    pollSoon,
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      soonTimer.cancel()
      await Promise.all([polling[Symbol.asyncDispose](), soon])
    },
  }
}
