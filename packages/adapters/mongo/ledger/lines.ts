import type { Db } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { type LineDoc, linesOf, releaseIds } from './docs.ts'

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
      const inserted = withoutRefusals(await insertEach(lines, wanted))
      const others = wanted.filter((_, place) => !inserted[place]).map(({ _id }) => _id)
      const known = others.length > 0 ? await find(others) : []
      return new Map([...wanted.map((line) => [line._id, line] as const), ...known])
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
