import type { DirectLine } from '@postrider/domain/quota/entries.ts'
import type { Used } from '@postrider/domain/quota/quota.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** Returns the month of a day, `YYYY-MM`. */
export const monthPart = (day: string): string => day.slice(0, 'YYYY-MM'.length)

/** A row of the table as the open transaction leaves it. `added`: what is not in the table yet. */
type Total = { workspace: string; period: string; sends: number; added: number }

/**
 * The sends of each month and day, derived from the lines. Those of the open transaction are in memory and are written
 * once, at its end: a read and a write of two rows per email would cost as much as its line.
 */
export const ledgerTotals = (db: SqliteDatabase) => {
  const select = db.prepare('SELECT sends FROM ledger_totals WHERE workspace = ? AND period = ?')
  const increase = db.prepare(`
    INSERT INTO ledger_totals VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET sends = sends + excluded.sends`)
  const totals = new Map<string, Total>()
  const stored = (workspace: string, period: string): number => Number(select.get(workspace, period)?.['sends'] ?? 0)
  const totalOf = (workspace: string, period: string): Total => {
    const key = `${workspace} ${period}`
    const known = totals.get(key)
    if (known) return known
    const total = { workspace, period, sends: stored(workspace, period), added: 0 }
    totals.set(key, total)
    return total
  }
  db.beforeCommit(() => {
    for (const { workspace, period, added } of totals.values()) if (added !== 0) increase.run(workspace, period, added)
    totals.clear()
  })
  db.onFailedCommit(() => totals.clear())
  return {
    /** Returns the sends of the month and of the day, with those of the open transaction. Call it inside of a write. */
    used: (workspace: string, day: string): Used => ({
      month: totalOf(workspace, monthPart(day)).sends,
      day: totalOf(workspace, day).sends,
    }),
    /** Adds a line. It is the last step of a write: memory has no undo. */
    add: ({ workspace, day, sends }: DirectLine): void => {
      for (const total of [totalOf(workspace, monthPart(day)), totalOf(workspace, day)]) {
        total.sends += sends
        total.added += sends
      }
    },
    /** Returns what `used` does, in a read that follows `db.complete`. */
    stored: (workspace: string, day: string): Used => ({
      month: stored(workspace, monthPart(day)),
      day: stored(workspace, day),
    }),
  }
}
