import type { Allowance, Reservation } from '@postrider/domain/quota/quota.ts'
import { dayOf, monthOf, newAllowance, standingOf } from '@postrider/domain/quota/quota.ts'
import { gather } from '@postrider/kit/gather.ts'
import type { Ledger, Pending } from '@postrider/ports/ledger.ts'
import type { Db } from 'mongodb'
import { isDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { entryOf, lineOf, monthKey, type Placed, pendingOf, voidLineOf } from './docs.ts'
import { finish } from './finish.ts'
import { ledgerLines } from './lines.ts'
import { ledgerMonths, nothingUsed } from './months.ts'
import { recountMonth } from './rebuild.ts'
import { release } from './release.ts'
import { type Reserved, reserveAll } from './reserve.ts'

export { ledgerIndexes } from './docs.ts'
export { rebuildLedger } from './rebuild.ts'

/** Calls of one process that are done together, and how many such batches at once. */
const batches = { most: 200, atOnce: 4 }

/**
 * The ledger in MongoDB, where number and line are two documents. A reservation is an entry in the month's document
 * first, then the email is inserted, then the line, then the entry is pulled; so whatever a crash leaves is an entry,
 * and what it lacks can be seen. Numbers and entries change together in one guarded update, never by writing back what
 * was read.
 */
export const mongoLedger = (db: Db): Ledger => {
  const months = ledgerMonths(db)
  const lines = ledgerLines(db)
  const allowances = keptAllowances(db)
  const parts = { months, lines, allowancesOf: allowances.ofMany }

  const reserve = gather<Reservation, Reserved>({ ...batches, run: (batch) => reserveAll(parts, batch) })
  const commit = gather<Placed, undefined>({
    ...batches,
    run: async (batch) => {
      await finish(parts, batch, lineOf)
      return batch.map(() => undefined)
    },
  })

  const ledger: Ledger = {
    reserve,
    commit: (entry) => commit(placedOf(entry)),
    release: (entry) => release(parts, entry),
    pending: async (before, limit) =>
      (await months.old(before, limit)).map(({ workspace, entry }) => pendingOf(workspace, entry)),
    settle: async (entry, there) => (await finish(parts, [placedOf(entry)], there ? lineOf : voidLineOf)).length > 0,
    usage: async (workspace, at) => {
      const [allowance, month] = await Promise.all([
        allowances.get(workspace),
        months.read(monthKey({ workspace, at })),
      ])
      const { used, days } = month ?? nothingUsed
      const history = Object.entries(inMonth(monthOf(at), days)).map(([date, sends]) => ({ date, sends }))
      const day = days[dayOf(at).slice('YYYY-MM-'.length)] ?? 0
      return { ...standingOf(allowance, { month: used, day }), history }
    },
    recount: async (workspace, month) => {
      const { used, days } = await recountMonth(parts, `${workspace} ${month}`)
      return { used, days: inMonth(month, days) }
    },
    allowance: allowances.get,
    setAllowance: allowances.set,
  }
  return withMappedErrors(ledger)
}

const placedOf = (entry: Pending): Placed => ({ key: monthKey(entry), entry: entryOf(entry) })

/** The days of a month that had any sends, whole dates, oldest first. */
const inMonth = (month: string, days: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.keys(days)
      .toSorted()
      .flatMap((day) => {
        const sends = days[day] ?? 0
        return sends > 0 ? [[`${month}-${day}`, sends]] : []
      }),
  )

const keptAllowances = (db: Db) => {
  const allowances = db.collection<Allowance & { _id: string }>('allowances')
  const set = async (workspace: string, change: Partial<Allowance>): Promise<Allowance> => {
    const others = Object.entries(newAllowance).filter(([name]) => !Object.hasOwn(change, name))
    const update = { $set: change, $setOnInsert: Object.fromEntries(others) }
    const kept = await allowances.findOneAndUpdate({ _id: scalar(workspace) }, update, {
      upsert: true,
      returnDocument: 'after',
      projection: { _id: 0 },
    })
    return kept ?? newAllowance
  }
  const ofMany = async (workspaces: readonly string[]): Promise<Map<string, Allowance>> => {
    const found = await allowances.find({ _id: { $in: [...workspaces] } }).toArray()
    return new Map(found.map(({ _id, ...allowance }) => [_id, allowance]))
  }
  return {
    ofMany,
    get: async (workspace: string): Promise<Allowance> => (await ofMany([workspace])).get(workspace) ?? newAllowance,
    set: async (workspace: string, change: Partial<Allowance>): Promise<Allowance> => {
      try {
        return await set(workspace, change)
      } catch (thrown) {
        // Two first changes at once: the second finds the first's document now.
        if (isDuplicateKey(thrown)) return set(workspace, change)
        throw thrown
      }
    },
  }
}
