import { type Db, MongoBulkWriteError } from 'mongodb'
import { type LineDoc, linesOf, releaseIds } from './ledgerDocs.ts'

/** Whether all that kept lines from being inserted is that their ids have one. */
const onlyTaken = (thrown: unknown): boolean =>
  thrown instanceof MongoBulkWriteError &&
  !thrown.result.getWriteConcernError() &&
  [thrown.writeErrors].flat().every(({ code }) => code === 11_000)

/** The lines: inserted and read, never changed. */
export const ledgerLines = (db: Db) => {
  const lines = linesOf(db)

  const find = async (ids: readonly string[]): Promise<Map<string, LineDoc>> => {
    const found = await lines.find({ _id: { $in: [...ids] } }).toArray()
    return new Map(found.map((line) => [line._id, line]))
  }

  return {
    find,

    /** Inserts those whose id has no line. @returns the lines of all these ids */
    add: async (wanted: readonly LineDoc[]): Promise<Map<string, LineDoc>> => {
      try {
        await lines.insertMany(wanted, { ordered: false })
        return new Map(wanted.map((line) => [line._id, line]))
      } catch (thrown) {
        if (!onlyTaken(thrown)) throw thrown
        return find(wanted.map(({ _id }) => _id))
      }
    },

    /** Ids of the lines that gave sends of an email back. */
    given: async (emailId: string): Promise<Set<string>> => {
      const found = await lines.find({ _id: releaseIds(emailId) }, { projection: { _id: 1 } }).toArray()
      return new Set(found.map(({ _id }) => _id))
    },

    /** A month's sends by day, without some lines. */
    sums: async (workspace: string, month: string, without: readonly string[]): Promise<Map<string, number>> => {
      const found = await lines
        .aggregate<{ _id: string; sends: number }>([
          { $match: { workspace, day: { $gte: `${month}-`, $lt: `${month}-~` }, _id: { $nin: [...without] } } },
          { $group: { _id: '$day', sends: { $sum: '$sends' } } },
        ])
        .toArray()
      return new Map(found.map(({ _id, sends }) => [_id, sends]))
    },
  }
}

export type LedgerLines = ReturnType<typeof ledgerLines>
