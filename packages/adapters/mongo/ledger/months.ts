import { adjustDay, type Correction, type Entry, type MonthUsage } from '@postrider/domain/quota/entries.ts'
import type { Limits } from '@postrider/domain/quota/plans.ts'
import type { Reach } from '@postrider/domain/quota/reach.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import { busyFault } from '@postrider/kit/retryOnConflict.ts'
import type { Collection, Db, Document, Filter, UpdateFilter } from 'mongodb'
import { updateEach, upsertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { pendingPush } from '../events/pending.ts'
import { byMonth, type KeyedEntry, type MonthDoc, monthsOf, partsOf, releaseIds } from './docs.ts'

/** The fault when other processes changed a month at every attempt. */
export const busy = () => busyFault('quota')

/** The collection of months. Each write is one update whose filter states its condition. */
export const ledgerMonths = (db: Db) => {
  const months = monthsOf(db)
  return { ...reads(months), ...additions(months), ...removals(months) }
}

export type LedgerMonths = ReturnType<typeof ledgerMonths>

const reads = (months: Collection<MonthDoc>) => ({
  read: (key: string): Promise<MonthDoc | null> => months.findOne({ _id: key }),

  readAll: async (keys: readonly string[]): Promise<Map<string, MonthDoc>> => {
    const found = await months.find({ _id: { $in: [...keys] } }).toArray()
    return new Map(found.map((month) => [month._id, month]))
  },

  /** Returns the entries of reservations from before `before`, oldest first. */
  old: async (before: number, limit: number): Promise<{ workspace: string; entry: Entry }[]> => {
    const oldFilter = { at: { $lt: before }, n: { $gt: 0 } }
    const found = await months
      .find({ pending: { $elemMatch: oldFilter } }, { projection: { workspace: 1, pending: 1 } })
      .sort({ 'pending.at': 1 })
      .limit(limit)
      .toArray()
    return found
      .flatMap(({ workspace, pending }) => pending.map((entry) => ({ workspace, entry })))
      .filter(({ entry }) => entry.n > 0 && entry.at < before)
      .toSorted((one, other) => one.entry.at - other.entry.at)
      .slice(0, limit)
  },
})

/** Reservations of one month that are taken together or not at all, and what they cause. */
export type Take = { key: string; entries: readonly Entry[]; limits: Limits; reach: Reach }

const additions = (months: Collection<MonthDoc>) => ({
  /**
   * Adds the entries of each month and their sends, unless they do not fit, one of their ids is pending, or other
   * thresholds would be reached than the given ones.
   * @returns the months that were updated
   */
  take: async (takes: readonly Take[]): Promise<Set<string>> => {
    const possible = takes.flatMap((take) => {
      const guards = guardsOf(take)
      return guards ? [{ ...take, guards }] : []
    })
    const updates = possible.map(({ key, entries, guards, reach }) => ({
      filter: { _id: key, ...guards },
      update: {
        $inc: increments(entries, ({ n }) => n),
        ...noted(reach, entries),
        $setOnInsert: partsOf(key),
      },
    }))
    const done = withoutRefusals(await upsertEach(months, updates))
    return new Set(possible.flatMap(({ key }, index) => (done[index] ? [key] : [])))
  },

  /** Stores the events of thresholds that the sends of a month have reached without a new one. */
  note: async (key: string, reach: Reach): Promise<void> => {
    await months.updateOne({ _id: key, noticed: { $nin: marksOf(reach) } }, { $inc: { rev: 1 }, ...noted(reach, []) })
  },

  /** Adds the release entries of an email. @returns false: the month has release entries of this email already */
  addReleases: async (key: string, emailId: string, entries: readonly Entry[]): Promise<boolean> => {
    const none = { pending: { $not: { $elemMatch: { id: releaseIds(emailId) } } } }
    const found = await months.updateOne(
      { _id: key, ...none },
      { $inc: { rev: 1 }, $push: { pending: { $each: [...entries] } } },
    )
    return found.matchedCount === 1
  },

  /**
   * Adds a correction to the numbers.
   * @returns false: it is part of them, too few sends are used, or no month exists
   */
  addAdjusted: async (key: string, { id, n }: Correction): Promise<boolean> => {
    const enough = n < 0 ? { used: { $gte: -n } } : {}
    const found = await months.updateOne(
      { _id: key, 'adjusted.id': { $ne: id }, ...enough },
      { $inc: { rev: 1, used: n, [`days.${adjustDay}`]: n }, $push: { adjusted: { id, n } } },
    )
    return found.matchedCount === 1
  },

  /** Replaces the numbers. @returns false: the month changed since `rev` */
  setNumbers: async (key: string, rev: number, usage: MonthUsage & { adjusted: Correction[] }): Promise<boolean> => {
    const update = { $inc: { rev: 1 }, $set: usage, $setOnInsert: { ...partsOf(key), pending: [] } }
    const [done] = withoutRefusals(await upsertEach(months, [{ filter: { _id: key, rev }, update }]))
    return done === true
  },
})

/** Corrections may have taken the sends of an entry off the month already. */
const usedWithoutCorrections = { $subtract: ['$used', { $ifNull: [`$days.${adjustDay}`, 0] }] }

const removals = (months: Collection<MonthDoc>) => ({
  /** Removes entries and leaves the numbers as they are. */
  remove: async (keyed: readonly KeyedEntry[]): Promise<void> => {
    const updates = byMonth(keyed).map(([key, entries]) => {
      const token = { $in: entries.map(({ entry }) => entry.token) }
      return {
        filter: { _id: key, 'pending.token': token },
        update: { $inc: { rev: 1 }, $pull: { pending: { token } } },
      }
    })
    withoutRefusals(await updateEach(months, updates))
  },

  /**
   * Removes entries and takes their sends off the numbers.
   * @returns false: nothing changed; an entry is gone, or a number is too small
   */
  removeWithSends: async (key: string, entries: readonly Entry[]): Promise<boolean> => {
    const changes = increments(entries, ({ n }) => -Math.abs(n))
    const enough = Object.entries(changes).flatMap(([path, n]): Filter<MonthDoc>[] => {
      if (path === 'rev') return []
      return path === 'used' ? [{ $expr: { $gte: [usedWithoutCorrections, -n] } }] : [{ [path]: { $gte: -n } }]
    })
    const present = entries.map(({ id, token }) => ({ pending: { $elemMatch: { id, token } } }))
    const found = await months.updateOne(
      { _id: key, $and: [...present, ...enough] },
      { $inc: changes, $pull: { pending: { token: { $in: entries.map(({ token }) => token) } } } },
    )
    return found.matchedCount === 1
  },
})

/** Returns the `$inc` that adds each entry's sends to its month and day. */
const increments = (entries: readonly Entry[], sendsOf: (entry: Entry) => number): Record<string, number> => {
  const sums: Record<string, number> = { rev: 1 }
  for (const entry of entries) {
    const n = sendsOf(entry)
    if (n === 0) continue
    for (const path of ['used', `days.${entry.day}`]) sums[path] = (sums[path] ?? 0) + n
  }
  return sums
}

const marksOf = ({ crossings }: Reach): string[] => crossings.map(({ mark }) => mark)

/** Returns the part of an update that adds entries, and the events of thresholds with their marks. */
const noted = (reach: Reach, entries: readonly Entry[]): UpdateFilter<MonthDoc> => {
  const pending = entries.length === 0 ? {} : { pending: { $each: [...entries] } }
  if (reach.crossings.length === 0) return { $push: pending }
  const events = reach.crossings.map(({ derivation, event }) => ({
    id: derivedId('evt', derivation.at, derivation.cause),
    ...event,
  }))
  return { $push: { ...pending, ...pendingPush(events)['$push'] }, $addToSet: { noticed: { $each: marksOf(reach) } } }
}

/** Returns the conditions under which the entries fit; null: they never fit. A number that is missing is 0. */
const guardsOf = ({ entries, limits: { monthly, daily }, reach }: Take): Document | null => {
  const guards: Document = { 'pending.id': { $nin: entries.map(({ id }) => id) } }
  for (const [path, sends] of Object.entries(increments(entries, ({ n }) => n))) {
    if (path === 'rev') continue
    const max = path === 'used' ? monthly.max : daily.limit
    if (max !== null && sends > max) return null
    const { min = 0, below = Number.POSITIVE_INFINITY } = reach.ranges.get(path) ?? {}
    const highest = Math.min(max ?? Number.POSITIVE_INFINITY, below - 1) - sends
    if (Number.isFinite(highest)) guards[path] = { $not: { $gt: highest } }
    if (min > sends) guards[path] = { ...guards[path], $gte: min - sends }
  }
  return guards
}
