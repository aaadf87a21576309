import type { Allowance, Reservation, Standing } from '@postrider/domain/quota/quota.ts'
import { limitsOf, newAllowance, refusalOf, standingOf } from '@postrider/domain/quota/quota.ts'
import { Fault } from '@postrider/kit/fault.ts'
import {
  byMonth,
  dayKey,
  type Entry,
  type LineDoc,
  type MonthDoc,
  monthKey,
  newEntry,
  type Placed,
  partsOf,
} from './docs.ts'
import type { LedgerLines } from './lines.ts'
import { busy, type LedgerMonths, nothingUsed, type Used } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

type Parts = { months: LedgerMonths; lines: LedgerLines; allowancesOf: AllowancesOf }
type AllowancesOf = (workspaces: readonly string[]) => Promise<ReadonlyMap<string, Allowance>>

export type Reserved = Standing & { token: string }

/** How often a batch looks again where others change the month meanwhile: each time one of them made progress. */
const mostLooks = 20

const usedOn = ({ used, days }: Used, at: number) => ({ month: used, day: days[dayKey(at)] ?? 0 })

const refusal = (allowance: Allowance, used: Used, { n, at }: Entry): Fault | null =>
  refusalOf(allowance, usedOn(used, at), { count: n, at })

/** Those that fit beside each other, the first come first, and what is used with them. */
const asManyAsFit = (allowance: Allowance, { used, days }: Used, entries: readonly Entry[]) => {
  const would = { used, days: { ...days } }
  const fitting = entries.filter((entry) => {
    if (refusal(allowance, would, entry)) return false
    would.used += entry.n
    would.days[entry.day] = (would.days[entry.day] ?? 0) + entry.n
    return true
  })
  return { fitting, would }
}

/** An entry for each id that has no line: of a request that came twice the second shares the first's. */
const newEntries = (batch: readonly Reservation[], known: ReadonlyMap<string, unknown>): Placed[] => {
  const byId = new Map<string, Placed>()
  for (const { workspace, id, count, at } of batch) {
    if (known.has(id) || byId.has(id)) continue
    byId.set(id, { key: monthKey({ workspace, at }), entry: newEntry(id, count, at) })
  }
  return [...byId.values()]
}

type InMonth = { key: string; entries: readonly Entry[]; allowance: Allowance; month: MonthDoc | undefined }

/** What to do about a month's entries, from what it was a moment ago; only the update decides. */
const plan = ({ key, entries, allowance, month }: InMonth) => {
  const used = month ?? nothingUsed
  const pending = new Map(month?.pending.map(({ id, token }) => [id, token]))
  const fresh = entries.filter(({ id }) => !pending.has(id))
  const refused = new Map(fresh.map((entry) => [entry.id, refusal(allowance, used, entry)]))
  const fitting = fresh.filter(({ id }) => !refused.get(id))
  return { key, used, pending, refused, limits: limitsOf(allowance), ...asManyAsFit(allowance, used, fitting) }
}

/** The months as they are now. One that isn't there is made from its lines: none in a new month. */
const readMonths = async (parts: Parts, wanted: readonly string[]): Promise<Map<string, MonthDoc>> => {
  const keys = [...new Set(wanted)]
  const found = await parts.months.readAll(keys)
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length === 0) return found
  await Promise.all(missing.map((key) => rebuildMonth(parts, key)))
  return new Map([...found, ...(await parts.months.readAll(missing))])
}

type AllowanceOf = (workspace: string) => Allowance
type Found = ReadonlyMap<string, MonthDoc>

/** @returns by id the token or the refusal of each that has one now, and by month what is used with those */
const tryOnce = async (
  { months, lines }: Parts,
  waiting: readonly Placed[],
  found: Found,
  allowanceOf: AllowanceOf,
) => {
  const plans = byMonth(waiting).map(([key, placed]) => {
    const allowance = allowanceOf(partsOf(key).workspace)
    return plan({ key, entries: placed.map(({ entry }) => entry), allowance, month: found.get(key) })
  })
  const refused = plans.flatMap((each) => [...each.refused].flatMap(([id, fault]) => (fault ? [{ id, fault }] : [])))
  const late = refused.length > 0 ? await lines.find(refused.map(({ id }) => id)) : new Map<string, LineDoc>()
  const takes = plans.filter(({ fitting }) => fitting.length > 0)
  const took = await months.take(takes.map(({ key, fitting, limits }) => ({ key, entries: fitting, limits })))
  const tokens = plans.flatMap(({ key, pending, fitting }) => [
    ...pending,
    ...(took.has(key) ? fitting.map(({ id, token }) => [id, token] as const) : []),
  ])
  const outcomes = new Map<string, string | Fault>(tokens)
  for (const { id, fault } of refused) outcomes.set(id, late.get(id)?.token ?? fault)
  return { outcomes, used: plans.map(({ key, used, would }) => [key, took.has(key) ? would : used] as const) }
}

/**
 * Takes reservations, each wholly or not at all:
 *
 * 1. what has a line is done and takes nothing more;
 * 2. what is pending in its month is taken over with its token;
 * 3. what doesn't fit is refused, unless its line came meanwhile;
 * 4. one update a month takes as many of the others as fit beside each other; where a month changed so that they don't,
 *    it begins anew with 2.
 *
 * @returns for each its token or its refusal
 */
export const reserveAll = async (parts: Parts, batch: readonly Reservation[]): Promise<(Reserved | Fault)[]> => {
  const [allowances, known, first] = await Promise.all([
    parts.allowancesOf(batch.map(({ workspace }) => workspace)),
    parts.lines.find(batch.map(({ id }) => id)),
    readMonths(parts, batch.map(monthKey)),
  ])
  const allowanceOf: AllowanceOf = (workspace) => allowances.get(workspace) ?? newAllowance
  const used = new Map<string, Used>(first)
  const outcomes = new Map<string, string | Fault>([...known.values()].map(({ _id, token }) => [_id, token]))
  let waiting = newEntries(batch, known)
  for (let looks = 0; waiting.length > 0 && looks < mostLooks; looks += 1) {
    const keys = waiting.map(({ key }) => key)
    const tried = await tryOnce(parts, waiting, looks === 0 ? first : await readMonths(parts, keys), allowanceOf)
    for (const [id, outcome] of tried.outcomes) outcomes.set(id, outcome)
    for (const [key, ofMonth] of tried.used) used.set(key, ofMonth)
    waiting = waiting.filter(({ entry }) => !outcomes.has(entry.id))
  }
  return batch.map((reservation) => {
    const outcome = outcomes.get(reservation.id) ?? busy()
    if (outcome instanceof Fault) return outcome
    const usedThen = usedOn(used.get(monthKey(reservation)) ?? nothingUsed, reservation.at)
    return { ...standingOf(allowanceOf(reservation.workspace), usedThen), token: outcome }
  })
}
