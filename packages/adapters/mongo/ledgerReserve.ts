import { Fault } from '@postrider/kit/fault.ts'
import type { Allowance, Reservation, Standing } from '@postrider/ports/ledger.ts'
import { limitsOf, newAllowance, refusalOf, standingOf } from '@postrider/ports/quota.ts'
import { byMonth, dayKey, type Entry, type MonthDoc, monthKey, newEntry, type Placed, partsOf } from './ledgerDocs.ts'
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

/** What to do about a month's entries, from what it was a moment ago; only the update decides. */
const plan = (key: string, entries: readonly Entry[], allowance: Allowance, month: MonthDoc | undefined) => {
  const used = month ?? nothingUsed
  const pending = new Map(month?.pending.map(({ id, token }) => [id, token]))
  const fresh = entries.filter(({ id }) => !pending.has(id))
  const refused = fresh.flatMap(({ id, ...entry }) => {
    const fault = refusal(allowance, used, { id, ...entry })
    return fault ? [{ id, fault }] : []
  })
  return { key, used, pending, refused, limits: limitsOf(allowance), ...asManyAsFit(allowance, used, fresh) }
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
export const reserveAll = async (
  { months, lines, allowancesOf }: Parts,
  batch: readonly Reservation[],
): Promise<(Reserved | Fault)[]> => {
  const [allowances, known, found] = await Promise.all([
    allowancesOf(batch.map(({ workspace }) => workspace)),
    lines.find(batch.map(({ id }) => id)),
    months.readAll(batch.map(monthKey)),
  ])
  const allowanceOf = (workspace: string): Allowance => allowances.get(workspace) ?? newAllowance
  const used = new Map<string, Used>(found)
  const outcomes = new Map<string, string | Fault>([...known.values()].map(({ _id, token }) => [_id, token]))
  let waiting = newEntries(batch, known)
  for (let looks = 0; waiting.length > 0 && looks < mostLooks; looks += 1) {
    const groups = byMonth(waiting)
    const read = looks === 0 ? found : await months.readAll(groups.map(([key]) => key))
    const plans = groups.map(([key, placed]) => {
      const entries = placed.map(({ entry }) => entry)
      return plan(key, entries, allowanceOf(partsOf(key).workspace), read.get(key))
    })
    const refused = plans.flatMap((each) => each.refused)
    const late = refused.length > 0 ? await lines.find(refused.map(({ id }) => id)) : known
    for (const { id, fault } of refused) outcomes.set(id, late.get(id)?.token ?? fault)

    const takes = plans.map(({ key, fitting, limits }) => ({ key, entries: fitting, limits }))
    const took = await months.take(takes.filter(({ entries }) => entries.length > 0))
    for (const each of plans) {
      for (const [id, token] of each.pending) outcomes.set(id, token)
      if (took.has(each.key)) for (const { id, token } of each.fitting) outcomes.set(id, token)
      used.set(each.key, took.has(each.key) ? each.would : each.used)
    }
    waiting = waiting.filter(({ entry }) => !outcomes.has(entry.id))
  }
  return batch.map((reservation) => {
    const outcome = outcomes.get(reservation.id) ?? busy()
    if (outcome instanceof Fault) return outcome
    const usedThen = usedOn(used.get(monthKey(reservation)) ?? nothingUsed, reservation.at)
    return { ...standingOf(allowanceOf(reservation.workspace), usedThen), token: outcome }
  })
}

const busy = () =>
  new Fault('unavailable', 'Too much mail is taken at once; try again in a second.', { retryAfterMs: 1_000 })
