import { adjustDay, type Correction } from '@postrider/domain/quota/entries.ts'
import type { Db } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { type LineDoc, linesOf, releaseIds } from './docs.ts'

/** The collection of lines: inserted and read, never changed. */
export const ledgerLines = (db: Db) => {
  const lines = linesOf(db)

  const find = async (ids: readonly string[]): Promise<Map<string, LineDoc>> => {
    const found = await lines.find({ _id: { $in: [...ids] } }).toArray()
    return new Map(found.map((line) => [line._id, line]))
  }

  return {
    find,

    /** Inserts the lines whose id has none. @returns the lines that now have these ids */
    add: async (wanted: readonly LineDoc[]): Promise<Map<string, LineDoc>> => {
      const inserted = withoutRefusals(await insertEach(lines, wanted))
      const others = wanted.filter((_, index) => !inserted[index]).map(({ _id }) => _id)
      const known = others.length > 0 ? await find(others) : []
      return new Map([...wanted.map((line) => [line._id, line] as const), ...known])
    },

    /** Returns the ids of an email's release lines. */
    released: async (emailId: string): Promise<Set<string>> => {
      const found = await lines.find({ _id: releaseIds(emailId) }, { projection: { _id: 1 } }).toArray()
      return new Set(found.map(({ _id }) => _id))
    },

    /** Returns the corrections of a month that have a line. */
    adjusted: async (workspace: string, month: string): Promise<Correction[]> => {
      const found = await lines.find({ workspace, day: `${month}-${adjustDay}` }).toArray()
      return found.map(({ _id, sends }) => ({ id: _id, n: sends }))
    },

    /** Returns a month's sends by day, without corrections and the lines of some ids. */
    sums: async (workspace: string, month: string, without: readonly string[]): Promise<Map<string, number>> => {
      const found = await lines
        .aggregate<{ _id: string; sends: number }>([
          {
            $match: {
              workspace,
              day: { $gt: `${month}-${adjustDay}`, $lt: `${month}-~` },
              _id: { $nin: [...without] },
            },
          },
          { $group: { _id: '$day', sends: { $sum: '$sends' } } },
        ])
        .toArray()
      return new Map(found.map(({ _id, sends }) => [_id, sends]))
    },
  }
}

export type LedgerLines = ReturnType<typeof ledgerLines>
