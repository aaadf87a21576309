import { lineFor, nothingUsed, usedOn, voidLineFor } from '@postrider/domain/quota/entries.ts'
import {
  type Allowance,
  newAllowance,
  readAllowance,
  type StoredAllowance,
  storedChange,
} from '@postrider/domain/quota/plans.ts'
import { type Reservation, standingOf } from '@postrider/domain/quota/quota.ts'
import { monthOf } from '@postrider/domain/time.ts'
import { gather } from '@postrider/kit/gather.ts'
import type { Ledger, ReserveOutcome } from '@postrider/ports/ledger.ts'
import type { Db } from 'mongodb'
import { isDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { monthKey, type Placed, pendingOf, placedOf } from './docs.ts'
import { finish, release } from './finish.ts'
import { ledgerLines } from './lines.ts'
import { ledgerMonths } from './months.ts'
import { recountMonth } from './rebuild.ts'
import { reserveAll } from './reserve.ts'

/** Calls of one process per batch, and batches at once. */
const batches = { most: 200, atOnce: 4 }

/**
 * The ledger in MongoDB, where numbers and lines are separate documents; the rules are those of `Entry`. Numbers and
 * entries change together in one guarded update, which never writes back values that were read before.
 *
 * Map: docs.ts (documents), months.ts and lines.ts (the two collections), reserve.ts (reservations), finish.ts (commit,
 * settle, release), rebuild.ts (recount).
 */
export const mongoLedger = (db: Db): Ledger => {
  const months = ledgerMonths(db)
  const lines = ledgerLines(db)
  const allowances = storedAllowances(db)
  const parts = { months, lines, allowancesOf: allowances.ofMany }

  const reserve = gather<Reservation, ReserveOutcome>({ ...batches, run: (batch) => reserveAll(parts, batch) })
  const commit = gather<Placed, undefined>({
    ...batches,
    run: async (batch) => {
      await finish(parts, batch, lineFor)
      return batch.map(() => undefined)
    },
  })

  const ledger: Ledger = {
    reserve,
    commit: (entry) => commit(placedOf(entry)),
    release: (entry) => release(parts, entry),
    pending: async (before, limit) =>
      (await months.old(before, limit)).map(({ workspace, entry }) => pendingOf(workspace, entry)),
    settle: async (entry, emailExists) =>
      (await finish(parts, [placedOf(entry)], emailExists ? lineFor : voidLineFor)).length > 0,
    usage: async (workspace, at) => {
      const [allowance, month] = await Promise.all([
        allowances.get(workspace),
        months.read(monthKey({ workspace, at })),
      ])
      const usage = month ?? nothingUsed
      const history = Object.entries(inMonth(monthOf(at), usage.days)).map(([date, sends]) => ({ date, sends }))
      return { ...standingOf(allowance, usedOn(usage, at)), history }
    },
    recount: async (workspace, month) => {
      const { used, days } = await recountMonth(parts, `${workspace} ${month}`)
      return { used, days: inMonth(month, days) }
    },
    allowance: allowances.get,
    setAllowance: allowances.set,
    deleteAllowance: allowances.delete,
  }
  return withMappedErrors(ledger)
}

/** Returns the days of a month that have sends as whole dates, oldest first. */
const inMonth = (month: string, days: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.keys(days)
      .toSorted()
      .flatMap((day) => {
        const sends = days[day] ?? 0
        return sends > 0 ? [[`${month}-${day}`, sends]] : []
      }),
  )

const storedAllowances = (db: Db) => {
  const allowances = db.collection<StoredAllowance & { _id: string }>('allowances')
  const set = async (workspace: string, change: Partial<Allowance>): Promise<Allowance> => {
    const others = Object.entries(newAllowance).filter(([name]) => !Object.hasOwn(change, name))
    const update = { $set: storedChange(change), $setOnInsert: Object.fromEntries(others) }
    const stored = await allowances.findOneAndUpdate({ _id: scalar(workspace) }, update, {
      upsert: true,
      returnDocument: 'after',
      projection: { _id: 0 },
    })
    return stored === null ? newAllowance : readAllowance(stored)
  }
  const ofMany = async (workspaces: readonly string[]): Promise<Map<string, Allowance>> => {
    const found = await allowances.find({ _id: { $in: [...workspaces] } }).toArray()
    return new Map(found.map(({ _id, ...stored }) => [_id, readAllowance(stored)]))
  }
  return {
    ofMany,
    delete: async (workspace: string): Promise<void> => void (await allowances.deleteOne({ _id: scalar(workspace) })),
    get: async (workspace: string): Promise<Allowance> => (await ofMany([workspace])).get(workspace) ?? newAllowance,
    set: async (workspace: string, change: Partial<Allowance>): Promise<Allowance> => {
      try {
        return await set(workspace, change)
      } catch (thrown) {
        // Two first changes at once: the document exists now.
        if (isDuplicateKey(thrown)) return set(workspace, change)
        throw thrown
      }
    },
  }
}
