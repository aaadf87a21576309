import { type Entry, type MonthUsage, nothingUsed, planReservations, usedOn } from '@postrider/domain/quota/entries.ts'
import { type Allowance, allowanceAt, limitsOf, newAllowance } from '@postrider/domain/quota/plans.ts'
import { type QuotaRefusal, type Reservation, standingOf } from '@postrider/domain/quota/quota.ts'
import { reachOf } from '@postrider/domain/quota/reach.ts'
import { startOfMonth } from '@postrider/domain/time.ts'
import type { Fault } from '@postrider/kit/fault.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { ReserveOutcome } from '@postrider/ports/ledger.ts'
import { byMonth, type KeyedEntry, type LineDoc, type MonthDoc, monthKey, newEntry, partsOf } from './docs.ts'
import type { LedgerLines } from './ledgerLines.ts'
import { busy, type LedgerMonths } from './months.ts'
import { rebuildMonth } from './rebuild.ts'

type Parts = {
  months: LedgerMonths
  lines: LedgerLines
  allowancesOf: AllowancesOf
  /** Moves the events of a month into the feed. */
  moveEvents: (key: string) => Promise<void>
}
type AllowancesOf = (workspaces: readonly string[]) => Promise<ReadonlyMap<string, Allowance>>
type AllowanceOf = (workspace: string) => Allowance

/** The outcome of an id: its token or its refusal. */
type LineOutcome = { token: string } | { refusal: QuotaRefusal }

/**
 * Takes reservations, each as a whole or not at all.
 *
 * 1. An id that has a line is done and uses no additional quota.
 * 2. An id that is pending in its month is taken over with its token.
 * 3. A reservation that does not fit is refused, unless its line was inserted since step 1.
 * 4. One update per month takes as many of the others as fit together. If the month changed so that they no longer
 *    fit, they continue with step 2. The update stores the events of thresholds that it reaches; see `Reach`.
 *
 * @returns an outcome for each reservation; a fault if its month was too busy
 */
export const reserveAll = async (parts: Parts, batch: readonly Reservation[]): Promise<(ReserveOutcome | Fault)[]> => {
  const [allowances, known, first] = await Promise.all([
    parts.allowancesOf(batch.map(({ workspace }) => workspace)),
    parts.lines.find(batch.map(({ id }) => id)),
    readMonths(parts, batch.map(monthKey)),
  ])
  const allowanceOf: AllowanceOf = (workspace) => allowances.get(workspace) ?? newAllowance
  const usage = new Map<string, MonthUsage>(first)
  const outcomes = new Map<string, LineOutcome>([...known.values()].map(({ _id, token }) => [_id, { token }]))
  let waiting = newEntries(batch, known)
  let read: ReadonlyMap<string, MonthDoc> | null = first
  const attempt = async (): Promise<true | undefined> => {
    const keys = waiting.map(({ key }) => key)
    const tried = await tryOnce(parts, { waiting, months: read ?? (await readMonths(parts, keys)), allowanceOf })
    read = null
    for (const [id, outcome] of tried.outcomes) outcomes.set(id, outcome)
    for (const [key, ofMonth] of tried.usage) usage.set(key, ofMonth)
    waiting = waiting.filter(({ entry }) => !outcomes.has(entry.id))
    return waiting.length === 0 || undefined
  }
  // What still waits at the end is reported as busy, separately.
  if (waiting.length > 0) await retryOnConflict<boolean>(attempt, { rounds: 'sharedRecord', onBusy: () => false })
  return batch.map((reservation) => {
    const outcome = outcomes.get(reservation.id)
    if (outcome === undefined) return busy()
    if ('refusal' in outcome) return { kind: 'refused', refusal: outcome.refusal }
    const used = usedOn(usage.get(monthKey(reservation)) ?? nothingUsed, reservation.at)
    const standing = standingOf(allowanceAt(allowanceOf(reservation.workspace), reservation.at), used)
    return { kind: 'reserved', token: outcome.token, standing }
  })
}

/** Returns an entry for each id that has no line. Two reservations with the same id share one. */
const newEntries = (batch: readonly Reservation[], known: ReadonlyMap<string, unknown>): KeyedEntry[] => {
  const byId = new Map<string, KeyedEntry>()
  for (const { workspace, id, count, at } of batch) {
    if (known.has(id) || byId.has(id)) continue
    byId.set(id, { key: monthKey({ workspace, at }), entry: newEntry(id, count, at) })
  }
  return [...byId.values()]
}

/** Reads months. A month without a document gets one from its lines; a new month has no lines. */
const readMonths = async (parts: Parts, wanted: readonly string[]): Promise<Map<string, MonthDoc>> => {
  const keys = [...new Set(wanted)]
  const found = await parts.months.readAll(keys)
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length === 0) return found
  await Promise.all(missing.map((key) => rebuildMonth(parts, key)))
  return new Map([...found, ...(await parts.months.readAll(missing))])
}

type Attempt = { waiting: readonly KeyedEntry[]; months: ReadonlyMap<string, MonthDoc>; allowanceOf: AllowanceOf }

/** Plans each month from its state at the last read and writes the plans; the guard of each update decides.
 * @returns outcomes by id of the reservations that have one, and the usage of each month with them */
const tryOnce = async ({ months: store, lines, moveEvents }: Parts, { waiting, months, allowanceOf }: Attempt) => {
  const plans = byMonth(waiting).map(([key, keyed]) => {
    const { workspace, month: ofMonth } = partsOf(key)
    // The plan changes between months only.
    const allowance = allowanceAt(allowanceOf(workspace), startOfMonth(ofMonth))
    const month = months.get(key)
    const plan = planReservations(
      allowance,
      month,
      keyed.map(({ entry }) => entry),
    )
    const before = month ?? nothingUsed
    const isTaken = plan.fitting.length > 0
    const entries = isTaken ? plan.fitting : keyed.map(({ entry }) => entry)
    const after = isTaken ? plan.after : before
    const reach = reachOf({ workspace, allowance, noticed: month?.noticed ?? [], entries, after })
    return { key, ...plan, before, limits: limitsOf(allowance), reach }
  })
  const outcomes = new Map<string, LineOutcome>()
  const refused = plans.flatMap((plan) => [...plan.refused])
  const late = refused.length > 0 ? await lines.find(refused.map(([id]) => id)) : new Map<string, LineDoc>()
  for (const [id, refusal] of refused) {
    const token = late.get(id)?.token
    outcomes.set(id, token === undefined ? { refusal } : { token })
  }
  const takes = plans.filter(({ fitting }) => fitting.length > 0)
  const taken = await store.take(
    takes.map(({ key, fitting, limits, reach }) => ({ key, entries: fitting, limits, reach })),
  )
  for (const { key, fitting, reach } of plans) {
    // The limit may be lower than when the last send was made.
    const isNoted = reach.crossings.length > 0 && fitting.length === 0
    if (isNoted) await store.note(key, reach)
    if (isNoted || (reach.crossings.length > 0 && taken.has(key))) await moveEvents(key)
  }
  for (const { key, pending, fitting } of plans) {
    const entries: readonly Entry[] = taken.has(key) ? fitting : []
    for (const [id, token] of [...pending, ...entries.map(({ id, token }) => [id, token] as const)])
      outcomes.set(id, { token })
  }
  return { outcomes, usage: plans.map(({ key, before, after }) => [key, taken.has(key) ? after : before] as const) }
}
