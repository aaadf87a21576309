import { adjustDay, countedSends, type MonthUsage } from '@postrider/domain/quota/entries.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { type Adjusted, partsOf } from './docs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import type { LedgerMonths } from './months.ts'

/** How often a month is counted again because it changed during the count. */
const maxCounts = 20

type Parts = { months: LedgerMonths; lines: LedgerLines }

type Recount = MonthUsage & { rev: number; adjusted: Adjusted[] }

/**
 * Counts a month's numbers from its lines, entries and corrections. The result is correct at `rev` even while lines are inserted: the
 * sums leave out the lines of pending ids, and `countedSends` of an entry is the same with and without its line.
 */
export const recountMonth = async ({ months, lines }: Parts, key: string): Promise<Recount> => {
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
  for (const entry of pending) add(entry.day, countedSends(entry, linesOfPending.get(entry.id)))
  // A correction is part of the month before it has a line.
  const adjusted = [...(found?.adjusted ?? []), ...(await lines.adjusted(workspace, month))]
  const corrections = new Map(adjusted.map((one) => [one.id, one]))
  for (const { n } of corrections.values()) add(adjustDay, n)
  const used = Object.values(days).reduce((sum, sends) => sum + sends, 0)
  return { rev: found?.rev ?? 0, used, days, adjusted: [...corrections.values()] }
}

/** Replaces a month's numbers by a recount. @returns false: the month changed during every count */
export const rebuildMonth = (parts: Parts, key: string): Promise<boolean> => {
  const attempt = async (): Promise<true | undefined> => {
    const { rev, ...usage } = await recountMonth(parts, key)
    return (await parts.months.setNumbers(key, rev, usage)) || undefined
  }
  return retryOnConflict<boolean>(attempt, { rounds: maxCounts, onBusy: () => false })
}
