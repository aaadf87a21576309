import { setImmediate as nextIteration } from 'node:timers/promises'
import { emailStats } from '@postrider/contracts/http/stats.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { platformWorkspace } from '@postrider/domain/domains/domain.ts'
import { type Email, modes } from '@postrider/domain/email/email.ts'
import { feedDelayMs } from '@postrider/domain/events/event.ts'
import {
  addOutcomesSteps,
  byBucket,
  type Dimension,
  emptyBucket,
  type StatsBucket,
} from '@postrider/domain/stats/bucket.ts'
import { isCounted } from '@postrider/domain/stats/outcomes.ts'
import { bucketSizes, oldestBucket, rangeOf, type StatsRange } from '@postrider/domain/stats/range.ts'
import { seriesSteps } from '@postrider/domain/stats/series.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import { refuseAny } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { StatsOwner, StatsStore } from '@postrider/ports/stats.ts'

/*
 * Statistics of mail. Each bucket has what became of the recipients that an hour or a day accepted, up to the time
 * `upTo` of its events. `catchUp` reads the mail with events after the position of a workspace, adds to each bucket
 * what is new to it, by one guarded write, and moves the position last. So a crash, or another process, at any point
 * repeats reads and counts each event once. Sending mail costs nothing more: the sweep of intake catches up with all
 * workspaces, and a request with its own. A request then adds what is too young for that in memory, so its response has
 * all events up to now.
 */

/** `slices`: an email with many recipients takes milliseconds, so workspaces take turns. */
type CountDeps = { stats: StatsStore; slices: Slices }

/** Emails of one step: some milliseconds. */
const stepEmails = 250
/** Adds what is new to the buckets of these emails. */
const addToBuckets = async (
  { stats, slices }: CountDeps,
  owner: StatsOwner,
  emails: readonly Email[],
  step: { from: number; to: number },
): Promise<void> => {
  for (const size of bucketSizes) {
    const byTime = byBucket(emails, size)
    // Buckets that are removed by their age are not stored again.
    const times = [...byTime.keys()].filter((at) => at >= oldestBucket(size, step.to))
    const keys = times.map((at) => ({ size, at }))
    const stored = new Map((await stats.buckets(owner, keys)).map((bucket) => [bucket.at, bucket]))
    for (const key of keys) {
      let found = stored.get(key.at)
      while ((found?.upTo ?? 0) < step.to) {
        const bucket = found ?? emptyBucket({ ...owner, ...key })
        const before = found?.upTo ?? null
        await slices.of(owner.workspace).begin(addOutcomesSteps(bucket, byTime.get(key.at) ?? [], step))
        if (await stats.writeBucket(bucket, before)) break
        ;[found] = await stats.buckets(owner, [key])
      }
    }
  }
}

/**
 * Counts the events of a workspace's mode up to a time, which must be `feedDelayMs` in the past.
 * @returns the time up to which they are counted, earlier if `isOver` ended it
 */
export const catchUp = async (
  deps: CountDeps,
  owner: StatsOwner,
  until: number,
  isOver: () => boolean = () => false,
): Promise<number> => {
  const { stats } = deps
  let from = await stats.position(owner)
  while (from < until) {
    const { emails, until: to } = await stats.changedEmails({ ...owner, after: from, until, limit: stepEmails })
    // Without mail the position stays, so that idle workspaces cost no write.
    if (emails.length === 0 && to >= until) return until
    await addToBuckets(deps, owner, emails.filter(isCounted), { from, to })
    from = (await stats.movePosition(owner, { from, to })) ? to : await stats.position(owner)
    if (isOver()) break
    await nextIteration()
  }
  return from
}

export type StatsChore = {
  /** Continues to catch up with all workspaces, for a limited time. @param at the store's time */
  catchUpSome(at: number): Promise<void>
}

/** Time between two rounds over all workspaces, and most time of one call. */
const [roundEveryMs, maxMs] = [30_000, 500]
/** Another process caught up with a workspace so recently that this one leaves it out. */
const recentMs = 15_000
const maxRemoved = 500

/** Catches up with one workspace after the other. @param elapsed milliseconds of a monotonic clock */
export const statsChore = (deps: CountDeps, elapsed: Monotonic = () => performance.now()): StatsChore => {
  const { stats } = deps
  /** The last workspace of this round; null: the next one has not begun. */
  let last: string | null = null
  let nextRoundAt = 0

  return {
    catchUpSome: async (at) => {
      const end = elapsed() + maxMs
      const isOver = (): boolean => elapsed() >= end
      const until = Math.floor(at - feedDelayMs)
      if (last === null && at < nextRoundAt) return
      if (last === null) nextRoundAt = at + roundEveryMs
      while (!isOver()) {
        last = await stats.nextWorkspace(last ?? '')
        if (last === null) {
          for (const size of bucketSizes) await stats.removeBuckets(size, oldestBucket(size, at), maxRemoved)
          return
        }
        if (last === platformWorkspace) continue
        for (const mode of modes) {
          const owner = { workspace: last, mode }
          if (until - (await stats.position(owner)) < recentMs) continue
          // A workspace with more than a call can count continues in the next round, which then begins immediately.
          if ((await catchUp(deps, owner, until, isOver)) < until) nextRoundAt = at
        }
      }
    },
  }
}

type ReadDeps = CountDeps & { now: Clock }

/** A request stores what it counts if the position is so old, for at most this time. */
const [lateMs, maxCatchUpMs] = [30_000, 2_000]
/** Emails that a request counts in memory. */
const maxTail = 1_000

type BucketsQuery = { range: StatsRange; by: Dimension; at: number; signal: AbortSignal | undefined }

/** Reads the buckets of a range, with all events up to `until`. Stops counting when `signal` is aborted. */
const readBuckets = async (
  deps: CountDeps,
  owner: StatsOwner,
  { range, by, at, signal }: BucketsQuery,
): Promise<{ buckets: StatsBucket[]; until: number }> => {
  const { stats, slices } = deps
  const [stored, end] = [at - feedDelayMs, performance.now() + maxCatchUpMs]
  const position = await stats.position(owner)
  const isLate = stored - position > lateMs
  const isOver = (): boolean => signal?.aborted || performance.now() >= end
  const from = isLate ? await catchUp(deps, owner, stored, isOver) : position
  const tail = new Map<string, Email>()
  let until = from
  while (until < at && tail.size < maxTail && !signal?.aborted) {
    const found = await stats.changedEmails({ ...owner, after: until, until: at, limit: stepEmails })
    for (const email of found.emails) tail.set(email.id, email)
    until = found.until
  }
  const { bucket: size } = range
  // Read after the position, so that they have at least what was counted up to it.
  const buckets = await stats.bucketsIn(owner, { size, from: range.from, to: range.to, by })
  const known = new Map(buckets.map((bucket) => [bucket.at, bucket]))
  for (const [begin, emails] of byBucket([...tail.values()].filter(isCounted), size)) {
    if (begin < range.from || begin >= range.to) continue
    const bucket = known.get(begin) ?? emptyBucket({ ...owner, size, at: begin }, [by])
    known.set(begin, bucket)
    await slices.of(owner.workspace).begin(addOutcomesSteps(bucket, emails, { from, to: until }))
  }
  return { buckets: [...known.values()], until }
}

/** Returns the method that reads the statistics of a workspace. */
export const readStats =
  ({ now, ...deps }: ReadDeps): Intake['ReadStats'] =>
  async ({ reader: { workspace, mode }, from, to, bucket, by }, signal) => {
    const at = Math.floor(now())
    const found = rangeOf({ from: from ?? undefined, to: to ?? undefined, bucket: bucket ?? undefined }, at)
    if ('problems' in found) return refuseAny(found.problems) as never
    const { range } = found
    const wanted = modes.filter((one) => mode === null || mode === one)
    const parts = await Promise.all(
      wanted.map((one) => readBuckets(deps, { workspace, mode: one }, { range, by, at, signal })),
    )
    const buckets = parts.flatMap((part) => part.buckets)
    const completeUntil = Math.min(...parts.map(({ until }) => until))
    const series = await deps.slices.of(workspace).begin(seriesSteps(buckets, by, range))
    return { stats_json: JSON.stringify(emailStats({ range, by, mode, completeUntil, series })) }
  }
