import { Fault } from '@postrider/kit/fault.ts'
import type { Allowance, Reservation, Standing } from '@postrider/ports/ledger.ts'
import { limitsOf, newAllowance, refusalOf, standingOf } from '@postrider/ports/quota.ts'
import { byMonth, dayKey, type Entry, type LineDoc, monthKey, newEntry, partsOf } from './ledgerDocs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import { type LedgerMonths, nothingUsed, type Used } from './ledgerMonths.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines; allowancesOf: AllowancesOf }
type AllowancesOf = (workspaces: readonly string[]) => Promise<ReadonlyMap<string, Allowance>>

export type Reserved = Standing & { token: string }

/** How often a batch looks again where others change the month meanwhile: each time one of them made progress. */
const mostLooks = 20

const usedOn = ({ used, days }: Used, at: number) => ({ month: used, day: days[dayKey(at)] ?? 0 })

const refusal = (allowance: Allowance, used: Used, { n, at }: Entry): Fault | null =>
  refusalOf(allowance, usedOn(used, at), { count: n, at })

/** Those that fit beside each other, the first come first. */
const asManyAsFit = (allowance: Allowance, { used, days }: Used, entries: readonly Entry[]): Entry[] => {
  const would = { used, days: { ...days } }
  return entries.filter((entry) => {
    if (refusal(allowance, would, entry)) return false
    would.used += entry.n
    would.days[entry.day] = (would.days[entry.day] ?? 0) + entry.n
    return true
  })
}

/** A new entry for each id that has none yet: of a request that came twice the second takes the first's. */
const newEntries = (batch: readonly Reservation[], known: ReadonlyMap<string, unknown>): Entry[] => {
  const byId = new Map<string, Entry>()
  for (const { id, count, at } of batch) {
    if (!known.has(id) && !byId.has(id)) byId.set(id, newEntry(id, count, at))
  }
  return [...byId.values()]
}

/**
 * Takes reservations, each wholly or not at all. The plan for those of one workspace and month:
 *
 * 1. what has a line is done and takes nothing more;
 * 2. one update takes all others where they fit together, which is how it goes nearly always;
 * 3. else the month is read: what is pending there is taken over with its token, what doesn't fit alone is refused, and
 *    of the rest as many are tried as fit together, until none is left.
 *
 * @returns for each its token or its refusal
 */
export const reserveAll = async (parts: Parts, batch: readonly Reservation[]): Promise<(Reserved | Fault)[]> => {
  const [allowances, known] = await Promise.all([
    parts.allowancesOf(batch.map(({ workspace }) => workspace)),
    parts.lines.find(batch.map(({ id }) => id)),
  ])
  const placed = batch.map((reservation, place) => ({ key: monthKey(reservation), place, reservation }))
  const results: (Reserved | Fault)[] = []
  const reserveSome = async ([key, some]: [string, typeof placed]): Promise<void> => {
    const reservations = some.map(({ reservation }) => reservation)
    const allowance = allowances.get(partsOf(key).workspace) ?? newAllowance
    const reserved = await reserveInMonth(parts, { key, allowance, known, batch: reservations })
    for (const [index, { place }] of some.entries()) results[place] = reserved[index] ?? busy()
  }
  await Promise.all(byMonth(placed).map(reserveSome))
  return results
}

type InMonth = {
  key: string
  allowance: Allowance
  known: ReadonlyMap<string, LineDoc>
  batch: readonly Reservation[]
}

const reserveInMonth = async (
  { months, lines }: Parts,
  { key, allowance, known, batch }: InMonth,
): Promise<(Reserved | Fault)[]> => {
  const limits = limitsOf(allowance)
  const results = new Map<string, string | Fault>([...known.values()].map(({ _id, token }) => [_id, token]))
  let waiting = newEntries(batch, known)
  let fitting = waiting
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const taken = fitting.length > 0 ? await months.take(key, fitting, limits) : null
    if (taken) for (const { id, token } of fitting) results.set(id, token)
    waiting = waiting.filter(({ id }) => !results.has(id))
    if (taken && waiting.length === 0) return answers(batch, allowance, results, taken)

    const month = await months.read(key)
    const used = month ?? nothingUsed
    for (const { id, token } of month?.pending ?? []) results.set(id, token)
    const refused = waiting.filter((entry) => !results.has(entry.id) && refusal(allowance, used, entry))
    // Looked for once more: one that was pending a moment ago has its line now.
    const late = refused.length > 0 ? await lines.find(refused.map(({ id }) => id)) : known
    for (const entry of refused) {
      const fault = refusal(allowance, used, entry)
      results.set(entry.id, late.get(entry.id)?.token ?? fault ?? busy())
    }
    waiting = waiting.filter(({ id }) => !results.has(id))
    if (waiting.length === 0) return answers(batch, allowance, results, used)
    fitting = asManyAsFit(allowance, used, waiting)
  }
  return answers(batch, allowance, results, nothingUsed)
}

const busy = () =>
  new Fault('unavailable', 'Too much mail is taken at once; try again in a second.', { retryAfterMs: 1_000 })

const answers = (
  batch: readonly Reservation[],
  allowance: Allowance,
  results: ReadonlyMap<string, string | Fault>,
  used: Used,
): (Reserved | Fault)[] =>
  batch.map(({ id, at }) => {
    const result = results.get(id) ?? busy()
    return result instanceof Fault ? result : { ...standingOf(allowance, usedOn(used, at)), token: result }
  })
