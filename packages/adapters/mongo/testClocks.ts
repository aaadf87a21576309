import { firstCheckAt, type TestClock } from '@postrider/domain/email/testClock.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import type { Db } from 'mongodb'
import { mongoOutbox, outboxIndex, type WithOutbox } from './audit/outbox.ts'
import type { Indexes } from './client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

/**
 * A stored clock. `_id`: the workspace. `lookAt`: when the sweep next checks for mail behind the clock; `noCheckAt`:
 * not before the next move.
 */
type TestClockDoc = WithOutbox & Omit<TestClock, 'workspace'> & { _id: string; lookAt: number }

const noCheckAt = Number.MAX_SAFE_INTEGER

export const testClockIndexes: Indexes = { test_clocks: [{ key: { lookAt: 1 } }, outboxIndex] }

const clockFields = { offset: 1, movedAt: 1, rev: 1 } as const
const clockOf = ({ _id: workspace, offset, movedAt, rev }: TestClockDoc): TestClock => ({
  workspace,
  offset,
  movedAt,
  rev,
})

/** The test clocks in MongoDB: a document for each workspace that has moved its clock. */
export const mongoTestClocks = (db: Db): TestClockStore => {
  const clocks = db.collection<TestClockDoc>('test_clocks')
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    get: async (workspace: string) => {
      const found = await clocks.findOne({ _id: scalar(workspace) }, { projection: clockFields })
      return found && clockOf(found)
    },
    move: async (...[{ workspace, ...clock }, audit]: Parameters<TestClockStore['move']>) => {
      const _id = scalar(workspace)
      const fields = { ...clock, lookAt: firstCheckAt(clock.movedAt) }
      if (clock.rev === 1) return ignoreDuplicateKey(() => outbox.insert(clocks, { _id, ...fields }, audit))
      const before = { _id, rev: clock.rev - 1 }
      return (await outbox.update(clocks, before, { $set: fields }, [audit], { projection: { _id: 1 } })) !== null
    },
    toFollow: async (now: number, limit: number) => {
      const found = clocks.find({ lookAt: { $lte: now } }, { projection: clockFields })
      return (await found.sort({ lookAt: 1 }).limit(limit).toArray()).map(clockOf)
    },
    followed: async ({ workspace, rev }: TestClock, checkAt: number | null) => {
      await clocks.updateOne({ _id: scalar(workspace), rev }, { $set: { lookAt: checkAt ?? noCheckAt } })
    },
  } satisfies TestClockStore)
}
