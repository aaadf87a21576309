import type { ErasureStore, StoredErasure } from '@postrider/ports/erasures.ts'
import type { Db } from 'mongodb'
import { mongoOutbox, outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'

type ErasureDoc = Omit<StoredErasure, 'id'> & WithOutbox & { _id: string }

export const erasureIndexes: Indexes = {
  erasures: [{ key: { completedAt: 1, nextAt: 1 } }, { key: { workspace: 1 } }, outboxIndex],
}

const erasureOf = ({ _id: id, outbox: _, gone: __, ...rest }: ErasureDoc): StoredErasure => ({ id, ...rest })

/** Requests to erase a recipient in MongoDB. */
export const mongoErasures = (db: Db): ErasureStore => {
  const erasures = db.collection<ErasureDoc>('erasures')
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    insert: async ({ id, ...rest }, audit) => outbox.insert(erasures, { _id: id, ...rest }, audit),
    get: async (workspace, id) => {
      const found = await erasures.findOne({ _id: scalar(id), workspace: scalar(workspace) })
      return found && erasureOf(found)
    },
    countOpen: (workspace, max) =>
      erasures.countDocuments({ workspace: scalar(workspace), completedAt: null }, { limit: max }),
    due: async (now, limit) => {
      const dueFilter = { completedAt: null, nextAt: { $lte: now } }
      const byTime = { nextAt: 1 } as const
      const ofWorkspace = { $group: { _id: '$workspace', first: { $first: '$_id' }, nextAt: { $first: '$nextAt' } } }
      const turns = [{ $match: dueFilter }, { $sort: byTime }, ofWorkspace, { $sort: byTime }, { $limit: limit }]
      const ids = (await erasures.aggregate<{ first: string }>(turns).toArray()).map(({ first }) => first)
      const read = (which: object, max: number) =>
        erasures
          .find({ ...dueFilter, ...which })
          .sort(byTime)
          .limit(max)
          .toArray()
      const firsts = await read({ _id: { $in: ids } }, limit)
      const others = firsts.length < limit ? await read({ _id: { $nin: ids } }, limit - firsts.length) : []
      return [...firsts, ...others].map(erasureOf)
    },
    claim: async ({ id, nextAt }, until) => {
      const { modifiedCount } = await erasures.updateOne(
        { _id: id, completedAt: null, nextAt },
        { $set: { nextAt: until } },
      )
      return modifiedCount === 1
    },
    update: async ({ id, ...rest }, claimedUntil) => {
      const claimed = { _id: id, completedAt: null, nextAt: claimedUntil }
      return (await erasures.updateOne(claimed, { $set: rest })).matchedCount === 1
    },
  } satisfies ErasureStore)
}
