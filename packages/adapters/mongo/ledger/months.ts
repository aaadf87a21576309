import type { Limits } from '@postrider/domain/quota/quota.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Db, Document } from 'mongodb'
import { updateEach, upsertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { byMonth, type Entry, type MonthDoc, monthsOf, type Placed, partsOf, releaseIds } from './docs.ts'

export type Used = Pick<MonthDoc, 'used' | 'days'>

export const nothingUsed: Used = { used: 0, days: {} }

/** Others changed what was looked at, again and again. */
export const busy = () =>
  new Fault('unavailable', 'Too much happens to this quota at once; try again in a second.', { retryAfterMs: 1_000 })

/** What entries would do to the month and its days, as an `$inc`. */
const change = (entries: readonly Entry[], by: (entry: Entry) => number): Record<string, number> => {
  const sums: Record<string, number> = { rev: 1 }
  for (const entry of entries) {
    const n = by(entry)
    if (n === 0) continue
    for (const path of ['used', `days.${entry.day}`]) sums[path] = (sums[path] ?? 0) + n
  }
  return sums
}

export type Take = { key: string; entries: readonly Entry[]; limits: Limits }

/** What must hold so that these fit beside all that was taken; an absent number is none. null: it never can. */
const room = ({ entries, limits: { monthly, daily } }: Take): Document | null => {
  const guards: Document = { 'pending.id': { $nin: entries.map(({ id }) => id) } }
  for (const [path, sends] of Object.entries(change(entries, ({ n }) => n))) {
    const most = path === 'used' ? monthly.most : daily.limit
    if (path === 'rev' || most === null) continue
    if (sends > most) return null
    guards[path] = { $not: { $gt: most - sends } }
  }
  return guards
}

const isIn = ({ id, token }: Entry) => ({ pending: { $elemMatch: { id, token } } })

/** The month documents. Each of these is one update that says itself what must be so for it to happen. */
export const ledgerMonths = (db: Db) => {
  const months = monthsOf(db)

  return {
    read: (key: string): Promise<MonthDoc | null> => months.findOne({ _id: key }),

    readAll: async (keys: readonly string[]): Promise<Map<string, MonthDoc>> => {
      const found = await months.find({ _id: { $in: [...keys] } }).toArray()
      return new Map(found.map((month) => [month._id, month]))
    },

    /**
     * Takes the sends of all entries of a month, or of none: where they don't fit, or one of their ids is pending.
     * @returns months that took theirs
     */
    take: async (takes: readonly Take[]): Promise<Set<string>> => {
      const possible = takes.flatMap((take) => {
        const guards = room(take)
        return guards ? [{ ...take, guards }] : []
      })
      const updates = possible.map(({ key, entries, guards }) => ({
        filter: { _id: key, ...guards },
        update: {
          $inc: change(entries, ({ n }) => n),
          $push: { pending: { $each: [...entries] } },
          $setOnInsert: partsOf(key),
        },
      }))
      const done = withoutRefusals(await upsertEach(months, updates))
      return new Set(possible.flatMap(({ key }, place) => (done[place] ? [key] : [])))
    },

    /** Says what of an email is to be given back. One caller at a time can: false where another's is pending. */
    owe: async (key: string, emailId: string, entries: readonly Entry[]): Promise<boolean> => {
      const none = { pending: { $not: { $elemMatch: { id: releaseIds(emailId) } } } }
      const found = await months.updateOne(
        { _id: key, ...none },
        { $inc: { rev: 1 }, $push: { pending: { $each: [...entries] } } },
      )
      return found.matchedCount === 1
    },

    /** Pulls entries that have become lines, or nothing at all; the numbers stay. */
    forget: async (placed: readonly Placed[]): Promise<void> => {
      const updates = byMonth(placed).map(([key, entries]) => {
        const token = { $in: entries.map(({ entry }) => entry.token) }
        return {
          filter: { _id: key, 'pending.token': token },
          update: { $inc: { rev: 1 }, $pull: { pending: { token } } },
        }
      })
      withoutRefusals(await updateEach(months, updates))
    },

    /** Pulls entries and takes their sends off the numbers, all or none: where one isn't there, or one number is
     * smaller than they are. */
    giveBack: async (key: string, entries: readonly Entry[]): Promise<boolean> => {
      const sums = change(entries, ({ n }) => -Math.abs(n))
      const enough = Object.entries(sums).flatMap(([path, n]) => (path === 'rev' ? [] : [{ [path]: { $gte: -n } }]))
      const found = await months.updateOne(
        { _id: key, $and: [...entries.map(isIn), ...enough] },
        { $inc: sums, $pull: { pending: { token: { $in: entries.map(({ token }) => token) } } } },
      )
      return found.matchedCount === 1
    },

    /** Sets the numbers, unless something changed since `rev`. */
    set: async (key: string, rev: number, used: Used): Promise<boolean> => {
      const update = { $inc: { rev: 1 }, $set: used, $setOnInsert: { ...partsOf(key), pending: [] } }
      const [done] = withoutRefusals(await upsertEach(months, [{ filter: { _id: key, rev }, update }]))
      return done === true
    },

    /** Entries of reservations older than `before`, the oldest first. */
    old: async (before: number, limit: number): Promise<{ workspace: string; entry: Entry }[]> => {
      const isOld = { at: { $lt: before }, n: { $gt: 0 } }
      const found = await months
        .find({ pending: { $elemMatch: isOld } }, { projection: { workspace: 1, pending: 1 } })
        .sort({ 'pending.at': 1 })
        .limit(limit)
        .toArray()
      return found
        .flatMap(({ workspace, pending }) => pending.map((entry) => ({ workspace, entry })))
        .filter(({ entry }) => entry.n > 0 && entry.at < before)
        .toSorted((one, other) => one.entry.at - other.entry.at)
        .slice(0, limit)
    },
  }
}

export type LedgerMonths = ReturnType<typeof ledgerMonths>
