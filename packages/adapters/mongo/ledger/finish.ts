import { byMonth, type Entry, type LineDoc, type Placed, partsOf } from './docs.ts'
import type { LedgerLines } from './lines.ts'
import type { LedgerMonths } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

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
 * Ends entries: first each gets a line, where its id has none, then it is pulled. May be repeated, and done by several
 * at once: an entry is pulled once, and only when its id has a line.
 * @param lineFor what each becomes
 * @returns the entries whose sends this call took off the numbers
 */
export const finish = async (
  parts: Parts,
  placed: readonly Placed[],
  lineFor: (workspace: string, entry: Entry) => LineDoc,
): Promise<Entry[]> => {
  const lines = await parts.lines.add(placed.map(({ key, entry }) => lineFor(partsOf(key).workspace, entry)))
  const isOff = ({ entry }: Placed): boolean => comesOff(entry, lines.get(entry.id))
  const stays = placed.filter((one) => !isOff(one))
  if (stays.length > 0) await parts.months.forget(stays)
  const done: Entry[] = []
  for (const [key, off] of byMonth(placed.filter(isOff))) {
    done.push(
      ...(await giveBack(
        parts,
        key,
        off.map(({ entry }) => entry),
      )),
    )
  }
  return done
}

const giveBack = async (parts: Parts, key: string, entries: readonly Entry[]): Promise<readonly Entry[]> => {
  if (entries.length > 1 && (await parts.months.giveBack(key, entries))) return entries
  const done: Entry[] = []
  for (const entry of entries) if (await giveBackOne(parts, key, entry)) done.push(entry)
  return done
}
