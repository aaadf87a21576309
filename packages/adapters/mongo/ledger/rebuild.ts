import type { Db } from 'mongodb'
import { type Entry, type LineDoc, partsOf } from './docs.ts'
import { type LedgerLines, ledgerLines } from './lines.ts'
import { type LedgerMonths, ledgerMonths, type Used } from './months.ts'

/** How often a busy month is counted again because it changed meanwhile. */
const mostCounts = 20

type Parts = { months: LedgerMonths; lines: LedgerLines }

/** What an entry and the line of its id come to, whether or not the line came after it was looked for. */
const worth = (entry: Entry, line: LineDoc | undefined): number => {
  const own = line?.token === entry.token
  // Given back by the pull, not by the line: until then its line and what it is still counted for are nothing together.
  if (entry.n < 0) return line && !own ? line.sends : 0
  return line && !own ? line.sends + entry.n : entry.n
}

/**
 * What a month's numbers must be: its lines, and its entries that aren't in them. It holds at `rev` even while
 * lines are inserted: those of pending ids aren't summed, and an entry is worth the same with its line and without.
 */
export const recountMonth = async ({ months, lines }: Parts, key: string): Promise<Used & { rev: number }> => {
  const { workspace, month } = partsOf(key)
  const found = await months.read(key)
  const pending = found?.pending ?? []
  const ids = pending.map(({ id }) => id)
  const linesOfPending = await lines.find(ids)
  const days: Record<string, number> = {}
  const add = (day: string, sends: number): void => {
    days[day] = (days[day] ?? 0) + sends
  }
  for (const [day, sends] of await lines.sums(workspace, month, ids)) add(day.slice('YYYY-MM-'.length), sends)
  for (const entry of pending) add(entry.day, worth(entry, linesOfPending.get(entry.id)))
  const used = Object.values(days).reduce((sum, sends) => sum + sends, 0)
  return { rev: found?.rev ?? 0, used, days }
}

/** Sets a month's numbers to what its lines and entries come to. @returns false: it changed again and again meanwhile */
export const rebuildMonth = async (parts: Parts, key: string): Promise<boolean> => {
  for (let count = 0; count < mostCounts; count += 1) {
    const { rev, ...used } = await recountMonth(parts, key)
    if (await parts.months.set(key, rev, used)) return true
  }
  return false
}

/** For an operator who doubts a month (`YYYY-MM`); mail may go on meanwhile. @returns false: too much of it does */
export const rebuildLedger = (db: Db, { workspace, month }: { workspace: string; month: string }): Promise<boolean> =>
  rebuildMonth({ months: ledgerMonths(db), lines: ledgerLines(db) }, `${workspace} ${month}`)
