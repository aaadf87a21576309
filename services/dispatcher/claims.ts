import type { Due } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Lane } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { mayTakeMore, withSpare } from './fairShare.ts'
import type { Hints } from './hints.ts'
import { type Leases, leaseMs } from './leases.ts'
import { makeTally } from './tally.ts'

/**
 * One claimed email in hand; `hinted`: a hint led to it, not a scan. `traceparent`: of what that hint comes from; undefined:
 * it isn't traced, or the email's own record tells.
 */
export type Job = { claimed: ClaimedEmail; hinted: boolean; traceparent: string | undefined }

export type Claims = {
  /** From now on a scan is wanted: something may be due that no hint tells of. */
  wantScan(): void
  /** Whether something is wanted, and there may be room for it. */
  wanted(): boolean
  /** Claims what is wanted, as far as there is room. Where it throws, hints are lost, and a scan must be wanted.
   * @returns false: there was nothing to ask the store for */
  some(): Promise<boolean>
  /** A job is in hand no more. */
  ended(job: Job): void
}

type ClaimsDeps = {
  lane: Lane
  emails: Pick<EmailStore, 'claim'>
  leases: Pick<Leases, 'hold'>
  hints: Hints
  concurrency: number
  now: Clock
  begin(jobs: Job[]): void
  /** The store has less due than was asked for: what else there is comes due later, or is somebody else's. */
  notAllWon(): void
}

/**
 * Decides what to claim. Hints and scans have a hand each, of twice what is worked on, so neither waits for the other.
 * No workspace may fill the hand for hints alone; of a scan the store sees to it that each has its share.
 */
export const claimsOf = (deps: ClaimsDeps): Claims => {
  const { lane, emails, leases, hints, concurrency, now } = deps
  const hand = { hints: withSpare(2 * concurrency), scans: 2 * concurrency }
  /** Smaller claims aren't worth their update, unless they are for somebody who has hardly anything in hand. */
  const [worthwhile, hardlyAny] = [concurrency / 2, Math.ceil(concurrency / 8)]
  const hinted = makeTally()
  let scanned = 0
  let scanWanted = false
  const mayScan = (): boolean => scanWanted && hand.scans - scanned >= worthwhile

  const takeHints = (): Due[] => {
    const room = hand.hints - hinted.total()
    const taken = makeTally()
    const mayTake = (workspace: string): boolean => {
      const held = hinted.of(workspace) + taken.of(workspace)
      const spares = room >= worthwhile || hinted.of(workspace) < hardlyAny
      return spares && mayTakeMore(held, room - taken.total())
    }
    const due: Due[] = []
    while (due.length < room) {
      const next = hints.next(mayTake)
      if (!next) break
      taken.add(next.workspace, 1)
      due.push(next)
    }
    return due
  }

  const claim = async (limit: number, hints?: readonly Due[]): Promise<number> => {
    const at = now()
    const ids = hints?.map(({ id }) => id)
    const claimed = await emails.claim({ lane, now: at, leaseMs, limit, ...(ids && { ids }) })
    const traces = new Map(hints?.map(({ id, traceparent }) => [id, traceparent]))
    const jobs = claimed.map((one) => ({
      claimed: one,
      hinted: hints !== undefined,
      traceparent: traces.get(one.email.id),
    }))
    for (const job of jobs) take(job, at)
    deps.begin(jobs)
    return jobs.length
  }

  const take = ({ claimed: { email, fence }, hinted: byHint }: Job, at: number): void => {
    leases.hold(email.id, fence, at + leaseMs)
    if (byHint) {
      hinted.add(email.workspace, 1)
    } else {
      scanned += 1
      hints.forget(email)
    }
  }

  const look = async (due: readonly Due[]): Promise<void> => {
    const won = await claim(due.length, due)
    if (won < due.length) deps.notAllWon()
  }

  const scan = async (limit: number): Promise<void> => {
    scanWanted = false
    const all = (await claim(limit)) === limit
    if (all) scanWanted = true
    else deps.notAllWon()
  }

  return {
    wantScan: () => {
      scanWanted = true
    },
    wanted: () => mayScan() || (hints.size() > 0 && hinted.total() < hand.hints),
    some: async () => {
      const due = takeHints()
      const scans = mayScan()
      if (due.length > 0) await look(due)
      if (scans) await scan(hand.scans - scanned)
      return due.length > 0 || scans
    },
    ended: ({ claimed, hinted: byHint }) => {
      if (byHint) hinted.add(claimed.email.workspace, -1)
      else scanned -= 1
    },
  }
}
