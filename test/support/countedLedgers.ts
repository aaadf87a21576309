import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { ledgerLines } from '@postrider/adapters/mongo/ledger/ledgerLines.ts'
import { ledgerMonths } from '@postrider/adapters/mongo/ledger/months.ts'
import { rebuildMonth, recountMonth } from '@postrider/adapters/mongo/ledger/rebuild.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { daysWithSends } from '@postrider/domain/quota/entries.ts'
import type { CountedLedger } from '@postrider/ports/ledger.conformance.ts'
import type { Db } from 'mongodb'

export const countedSqliteLedger = (db: SqliteDatabase, allowances = sqliteAllowances(db)): CountedLedger => {
  const sums = db.prepare(`
    SELECT day, sum(sends) AS sends FROM ledger_lines WHERE workspace = ? AND day BETWEEN ? AND ? GROUP BY day`)
  return {
    ...sqliteLedger(db, allowances),
    recount: async (workspace, month) => {
      const rows = sums.all(workspace, `${month}-`, `${month}-~`)
      const days = Object.fromEntries(
        rows.map(({ day, sends }) => [String(day).slice('YYYY-MM-'.length), Number(sends)]),
      )
      return { used: Object.values(days).reduce((sum, sends) => sum + sends, 0), days: daysWithSends(month, days) }
    },
  }
}

const partsOf = (db: Db) => ({ months: ledgerMonths(db), lines: ledgerLines(db) })

export const countedMongoLedger = (db: Db): CountedLedger => ({
  ...mongoLedger(db),
  recount: async (workspace, month) => {
    const { used, days } = await recountMonth(partsOf(db), `${workspace} ${month}`)
    return { used, days: daysWithSends(month, days) }
  },
})

/** Replaces the numbers of a month by a recount, as the ledger does when it finds that they are wrong. */
export const rebuild = (db: Db, { workspace, month }: { workspace: string; month: string }): Promise<boolean> =>
  rebuildMonth(partsOf(db), `${workspace} ${month}`)
