import type { Db } from 'mongodb'
import { type Write, wrappedDb } from './wrappedDb.ts'

/** The points at which a process or its connection is lost: before a write, after it, or in the middle of a batch. */
export type Loss = 'before' | 'after' | 'during'

/** A loss at the n-th write. `during` counts only batches of several writes: for another it would be as `after`. */
export type Point = { loss: Loss; n: number }

/** The result of a run: whether it has reached its point. */
export type Lost = { isLost(): boolean }

/** Calls `play` for each loss and write of a procedure, until a run has no more writes. */
export const atEveryWrite = async (losses: readonly Loss[], play: (point: Point) => Promise<Lost>): Promise<void> => {
  for (const loss of losses)
    for (let n = 1, more = true; more; n += 1) {
      const { isLost } = await play({ loss, n })
      more = isLost()
    }
}

/** Performs the part of a write that precedes its loss. */
const partOf = async (loss: Loss, { all, run, runOnly }: Write): Promise<void> => {
  if (loss === 'after') await run()
  if (loss === 'during') await runOnly(all.slice(0, all.length / 2))
}

type LosingOptions = {
  point: Point
  /** Makes the error of the lost write and of all later calls. */
  failure(): Error
  /** Whether later reads fail too. */
  losesReads: boolean
}

/** Returns a database that is lost permanently at a point. */
export const losingDb = (db: Db, { point: { loss, n }, failure, losesReads }: LosingOptions): Lost & { db: Db } => {
  let count = 0
  const isLost = (): boolean => count >= n
  const around = wrappedDb(db, {
    write: async (write) => {
      if (isLost()) throw failure()
      if (loss !== 'during' || write.all.length > 1) count += 1
      if (!isLost()) return write.run()
      await partOf(loss, write)
      throw failure()
    },
    read: async (run) => {
      if (losesReads && isLost()) throw failure()
      return run()
    },
  })
  return { db: around, isLost }
}
