import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Db } from 'mongodb'
import { mapStoreErrors } from '../client/errors.ts'
import { sweepPending } from '../events/pending.ts'
import { mongoWorkspaceEvents } from '../events/workspaceEvents.ts'
import { sweepNotices } from './notices.ts'
import { type Forget, mongoOutbox, type WithOutbox } from './outbox.ts'

/** Minimum age of an entry that was left behind: the process that stored it moves it within milliseconds. */
const leftMs = 10_000
/** Documents of one read. */
const batchSize = 100
const sweepEveryMs = 10_000

/** Collections with outboxes. */
export type Outboxes = {
  /** Collections that have `outboxIndex`. */
  indexed?: readonly string[]
  /** Collections that have `pendingIndex`: their events are moved into the feed. */
  events?: readonly string[]
  /** A collection whose changes have notices (notices.ts). */
  noticed?: string
  /** What else removed documents leave behind. */
  forget?: (db: Db) => Forget
}

/**
 * Moves the entries that crashes left behind in these collections. It can be repeated and run concurrently with
 * another.
 * @returns how many entries it moved
 */
export const sweepOutboxes = async (
  db: Db,
  { indexed = [], noticed, forget }: Outboxes,
  now: number,
): Promise<number> => {
  const { move } = mongoOutbox(db, forget?.(db))
  let moved = noticed === undefined ? 0 : await sweepNotices(db, noticed, now - leftMs)
  for (const name of indexed) {
    const collection = db.collection<WithOutbox>(name)
    const left = { 'outbox.at': { $lte: now - leftMs } }
    for (;;) {
      const found = await collection
        .find(left, { projection: { outbox: 1, gone: 1, goneFrom: 1 } })
        .limit(batchSize)
        .toArray()
      for (const one of found) {
        await move(collection, one)
        moved += one.outbox?.length ?? 0
      }
      if (found.length < batchSize) break
    }
  }
  return moved
}

type SweepOptions = {
  db: Db
  /** Outboxes of the collections that the process owns. */
  outboxes: Outboxes
  now: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  random?: () => number
}

/**
 * Sweeps immediately and then about every 10 s, until it is disposed. Each collection is swept by the service that owns
 * it.
 */
export const openOutboxSweep = ({ db, outboxes, now, log, random = Math.random }: SweepOptions): AsyncDisposable => {
  const sweep = async (): Promise<void> => {
    const moved = await mapStoreErrors(() => sweepOutboxes(db, outboxes, now()))
    if (moved > 0) log.info({ count: moved }, 'moved audit entries left by a crash')
    for (const name of outboxes.events ?? []) {
      const events = await mapStoreErrors(() => sweepPending(db, name, mongoWorkspaceEvents(db, now)))
      if (events > 0) log.info({ count: events }, 'moved events left by a crash')
    }
  }
  return periodicJob(sweep, {
    everyMs: sweepEveryMs,
    startNow: true,
    log,
    message: 'cannot sweep audit entries',
    random,
  })
}
