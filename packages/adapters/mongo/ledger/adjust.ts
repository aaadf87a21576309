import { adjustLine, type Correction } from '@postrider/domain/quota/entries.ts'
import { monthOf } from '@postrider/domain/time.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { type LineDoc, monthKey, partsOf } from './docs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import type { LedgerMonths } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines }

/**
 * Adds a correction: first to the numbers of its month, with its id, then as a line. A crash in between leaves the id
 * in the month. A repeated call or the close of the month writes the line from it.
 * @returns false: fewer sends are used than it releases
 */
export const adjust = async (parts: Parts, correction: Parameters<Ledger['adjust']>[0]): Promise<boolean> => {
  const { workspace, id, sends, at } = correction
  const key = monthKey({ workspace, at })
  if ((await parts.lines.find([id])).has(id)) return true
  if ((await parts.months.read(key)) === null) await rebuildMonth(parts, key)
  const isNew = await parts.months.addAdjusted(key, { id, n: sends })
  const month = isNew ? null : await parts.months.read(key)
  if (!isNew && !month?.adjusted?.some((one) => one.id === id)) return false
  await parts.lines.add([lineOf(workspace, monthOf(at), { id, n: sends })])
  return true
}

const lineOf = (workspace: string, month: string, { id, n }: Correction): LineDoc => ({
  _id: id,
  ...adjustLine({ workspace, month, id, sends: n }),
})

/** Returns whether a month has no entries. Writes the lines of corrections that a crash left without one. */
export const isSettled = async ({ months, lines }: Parts, key: string): Promise<boolean> => {
  const found = await months.read(key)
  const { workspace, month } = partsOf(key)
  const adjusted = found?.adjusted ?? []
  if (adjusted.length > 0) await lines.add(adjusted.map((one) => lineOf(workspace, month, one)))
  return (found?.pending.length ?? 0) === 0
}
