import { type Entry, type Line, lineFor, subtractsFromTotals } from '@postrider/domain/quota/entries.ts'
import { coveredReleases, releaseLineId } from '@postrider/domain/quota/quota.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { byMonth, type KeyedEntry, monthKey, newEntry, partsOf } from './docs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import { busy, type LedgerMonths } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines }

/**
 * Ends entries: inserts a line for each whose id has none, then removes the entry. Repeatable, also by several
 * processes at the same time: an entry is removed once, and only after its id has a line.
 * @returns the entries whose sends this call subtracted
 */
export const finish = async (
  parts: Parts,
  keyed: readonly KeyedEntry[],
  lineOf: (workspace: string, entry: Entry) => Line,
): Promise<Entry[]> => {
  const wanted = keyed.map(({ key, entry }) => ({ _id: entry.id, ...lineOf(partsOf(key).workspace, entry) }))
  const lines = await parts.lines.add(wanted)
  const subtracts = ({ entry }: KeyedEntry): boolean => subtractsFromTotals(entry, lines.get(entry.id))
  const counted = keyed.filter((one) => !subtracts(one))
  if (counted.length > 0) await parts.months.remove(counted)
  const subtracted: Entry[] = []
  for (const [key, ofMonth] of byMonth(keyed.filter(subtracts))) {
    const entries = ofMonth.map(({ entry }) => entry)
    subtracted.push(...(await removeWithSends(parts, key, entries)))
  }
  return subtracted
}

const removeWithSends = async (parts: Parts, key: string, entries: readonly Entry[]): Promise<readonly Entry[]> => {
  if (entries.length > 1 && (await parts.months.removeWithSends(key, entries))) return entries
  const removed: Entry[] = []
  for (const entry of entries) if (await removeOneWithSends(parts, key, entry)) removed.push(entry)
  return removed
}

/** @returns false: another call removed the entry */
const removeOneWithSends = async (parts: Parts, key: string, entry: Entry): Promise<boolean> => {
  if (await parts.months.removeWithSends(key, [entry])) return true
  const month = await parts.months.read(key)
  if (!month?.pending.some(({ token }) => token === entry.token)) return false
  // The entry exists, so a number is smaller than the sends that were added to it. Only a recount repairs that.
  await rebuildMonth(parts, key)
  return parts.months.removeWithSends(key, [entry])
}

/**
 * Releases sends of an email: adds an entry for each, inserts the lines, then removes the entries with their sends.
 * A month has the release entries of only one call per email at a time, so that the sends left can be counted; a call
 * that finds another's entries finishes those first.
 */
export const release = async (parts: Parts, request: Parameters<Ledger['release']>[0]): Promise<void> => {
  const { months } = parts
  const { id, at } = request
  const key = monthKey(request)
  const sends = await committedSends(parts, request)
  if (sends === 0 || request.recipients.length === 0) return
  const wanted = [...new Set(request.recipients)].map((number) => newEntry(releaseLineId(id, number), -1, at))
  const attempt = async (): Promise<true | undefined> => {
    if (await months.addReleases(key, id, wanted)) return true
    const month = await months.read(key)
    const others = month?.pending.filter((entry) => entry.id.startsWith(`${id}/`)) ?? []
    if (others.length > 0) await finishReleases(parts, { key, id, sends, entries: others })
    // The reserve line exists, so the month document was lost.
    if (month === null) await rebuildMonth(parts, key)
    return undefined
  }
  await retryOnConflict(attempt, { rounds: 'sharedRecord', onBusy: busy })
  await finishReleases(parts, { key, id, sends, entries: wanted })
}

/** Returns the sends of an email's reserve line. The email exists, so an entry without a line gets its line first. */
const committedSends = async (
  { months, lines }: Parts,
  { workspace, id, at }: { workspace: string; id: string; at: number },
): Promise<number> => {
  const key = monthKey({ workspace, at })
  const entry = (await months.read(key))?.pending.find((one) => one.id === id)
  if (entry) await finish({ months, lines }, [{ key, entry }], lineFor)
  const line = (await lines.find([id])).get(id)
  return line?.workspace === workspace ? line.sends : 0
}

type Releases = { key: string; id: string; sends: number; entries: readonly Entry[] }

/** Finishes the entries that the reservation covers and removes the others. */
const finishReleases = async (parts: Parts, { key, id, sends, entries }: Releases): Promise<void> => {
  const written = await parts.lines.released(id)
  const { covered, excess } = coveredReleases(sends, written, entries)
  const keyed = (list: readonly Entry[]): KeyedEntry[] => list.map((entry) => ({ key, entry }))
  if (covered.length > 0) await finish(parts, keyed(covered), lineFor)
  if (excess.length > 0) await parts.months.remove(keyed(excess))
}
