import { type Entry, type LineDoc, partsOf } from './ledgerDocs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import type { LedgerMonths } from './ledgerMonths.ts'
import { rebuildMonth } from './ledgerRebuild.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines }

/** Whether the sends of an entry come off the numbers with it: taken for nothing, or given back by its own line. */
const comesOff = ({ n, token }: Entry, line: LineDoc | undefined): boolean => {
  const own = line?.token === token && line.kind !== 'void'
  return n > 0 ? !own : own
}

/** Takes one entry and its sends away. @returns false: somebody else did */
const giveBackOne = async (parts: Parts, key: string, entry: Entry): Promise<boolean> => {
  if (await parts.months.giveBack(key, [entry])) return true
  const month = await parts.months.read(key)
  if (!month?.pending.some(({ token }) => token === entry.token)) return false
  // It is there, so a number is less than what was added to it: only counting anew can mend that.
  await rebuildMonth(parts, key)
  return parts.months.giveBack(key, [entry])
}

/**
 * Ends entries of one month: first each gets a line, where its id has none, then it is pulled. May be repeated, and
 * done by several at once: an entry is pulled once, and only when its id has a line.
 * @param lineFor what each becomes
 * @returns the entries whose sends this call took off the numbers
 */
export const finish = async (
  parts: Parts,
  key: string,
  entries: readonly Entry[],
  lineFor: (workspace: string, entry: Entry) => LineDoc,
): Promise<Entry[]> => {
  const { workspace } = partsOf(key)
  const lines = await parts.lines.add(entries.map((entry) => lineFor(workspace, entry)))
  const off = entries.filter((entry) => comesOff(entry, lines.get(entry.id)))
  const stays = entries.filter((entry) => !comesOff(entry, lines.get(entry.id)))
  if (stays.length > 0) await parts.months.forget(key, stays)
  if (off.length > 1 && (await parts.months.giveBack(key, off))) return off
  const done: Entry[] = []
  for (const entry of off) if (await giveBackOne(parts, key, entry)) done.push(entry)
  return done
}
