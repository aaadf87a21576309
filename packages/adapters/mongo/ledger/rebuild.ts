import { recountOf } from '@postrider/domain/quota/entries.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { partsOf } from './docs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import type { LedgerMonths } from './months.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines }

/**
 * Counts a month's numbers from its lines, entries and corrections. The result is correct at `rev` even while lines are
 * inserted: the sums leave out the lines of pending ids, and `countedSends` of an entry is the same with and without
 * its line.
 */
export const recountMonth = async ({ months, lines }: Parts, key: string) => {
  const { workspace, month } = partsOf(key)
  const found = await months.read(key)
  const pending = found?.pending ?? []
  const ids = pending.map(({ id }) => id)
  const linesOfPending = await lines.find(ids)
  const sums = await lines.sums(workspace, month, ids)
  const corrections = [...(found?.adjusted ?? []), ...(await lines.adjusted(workspace, month))]
  return { rev: found?.rev ?? 0, ...recountOf({ sums, pending, lines: linesOfPending, corrections }) }
}

/** Replaces a month's numbers by a recount. @returns false: the month changed during every count */
export const rebuildMonth = (parts: Parts, key: string): Promise<boolean> => {
  const attempt = async (): Promise<true | undefined> => {
    const { rev, ...usage } = await recountMonth(parts, key)
    return (await parts.months.setNumbers(key, rev, usage)) || undefined
  }
  return retryOnConflict<boolean>(attempt, { rounds: 'sharedRecord', onBusy: () => false })
}
