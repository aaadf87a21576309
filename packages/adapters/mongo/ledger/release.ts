import { type Entry, lineOf, monthKey, newEntry, releaseId } from './docs.ts'
import { finish } from './finish.ts'
import type { LedgerLines } from './lines.ts'
import { busy, type LedgerMonths } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines }
type Release = { workspace: string; id: string; recipients: readonly number[]; at: number }

/** How often it looks again where others give back of the same email meanwhile: each of them made progress. */
const mostLooks = 20

/** How many sends were reserved for good; the email is there, so a reservation without its line gets it now. */
const reserved = async ({ months, lines }: Parts, { workspace, id, at }: Release): Promise<number> => {
  const key = monthKey({ workspace, at })
  const entry = (await months.read(key))?.pending.find((one) => one.id === id)
  if (entry) await finish({ months, lines }, [{ key, entry }], lineOf)
  const line = (await lines.find([id])).get(id)
  return line?.workspace === workspace ? line.sends : 0
}

/**
 * Gives sends of an email back: says so in its month, then writes the lines, then takes them off the numbers. Only one
 * set of an email's entries can be pending at a time, so what is left to give can be counted; who finds another's
 * finishes that first.
 */
export const release = async (parts: Parts, request: Release): Promise<void> => {
  const { months } = parts
  const { id, at } = request
  const key = monthKey(request)
  const sends = await reserved(parts, request)
  if (sends === 0 || request.recipients.length === 0) return
  const wanted = [...new Set(request.recipients)].map((number) => newEntry(releaseId(id, number), -1, at))
  for (let look = 0; look < mostLooks; look += 1) {
    if (await months.owe(key, id, wanted)) return giveUpTo(parts, { key, id, sends, entries: wanted })
    const month = await months.read(key)
    const left = month?.pending.filter((entry) => entry.id.startsWith(`${id}/`)) ?? []
    if (left.length > 0) await giveUpTo(parts, { key, id, sends, entries: left })
    // There is a line, so there was a month.
    if (month === null) await rebuildMonth(parts, key)
  }
  throw busy()
}

type Giving = { key: string; id: string; sends: number; entries: readonly Entry[] }

/** Finishes those that have a line or whose sends are left, and drops the others: who asked for them asked too much. */
const giveUpTo = async (parts: Parts, { key, id, sends, entries }: Giving): Promise<void> => {
  const given = await parts.lines.given(id)
  const fresh = entries.filter((entry) => !given.has(entry.id))
  const tooMany = new Set(fresh.slice(Math.max(sends - given.size, 0)))
  const placed = entries.map((entry) => ({ key, entry }))
  const right = placed.filter(({ entry }) => !tooMany.has(entry))
  if (right.length > 0) await finish(parts, right, lineOf)
  if (tooMany.size > 0) await parts.months.forget(placed.filter(({ entry }) => tooMany.has(entry)))
}
