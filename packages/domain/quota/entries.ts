import { dayOf } from '../time.ts'
import type { Allowance } from './plans.ts'
import { type QuotaRefusal, quotaRefusalOf, type Reservation, type Used } from './quota.ts'

/**
 * The rules of a ledger that stores a month's numbers and its lines in separate documents, without transactions.
 *
 * A reservation starts as an entry of its month; the update that adds the entry adds its sends to the numbers. Then the
 * email is inserted, then the line with the email's id, then the entry is removed. A release has the same steps with
 * `n` below 0; its sends leave the numbers in the update that removes the entry. So a crash leaves an entry, and the
 * entry shows which steps are missing. The line decides: there is one of an id, and it carries the token of the entry
 * it was made from.
 */
export type Entry = {
  id: string
  /** Sends that are taken; below 0: sends that are released. */
  n: number
  /** Day of the month, two digits. */
  day: string
  /** Unique to the entry. */
  token: string
  at: number
}

/** A fact of the ledger: inserted once, never changed. */
export type Line = {
  workspace: string
  /** `YYYY-MM-DD` */
  day: string
  /**
   * `void`: a reservation whose email was never inserted; see `voidLineFor` and `restVoidLine`. `adjust`: a correction
   * of the month by the operator; its day is `adjustDay`.
   */
  kind: 'reserve' | 'release' | 'void' | 'adjust'
  sends: number
  /** Token of the entry that became this line. */
  token: string
}

/** A line of a ledger without entries, which writes a line and its change of the numbers in one transaction. */
export type DirectLine = Omit<Line, 'token'> & { id: string }

/**
 * Sends of a month, in total and by day of the month (two digits). Never less than the sum of its lines and entries.
 * The total is below 0 when sends that a correction released are released again, by a canceled or refused email.
 */
export type MonthUsage = { used: number; days: Record<string, number> }

/** The day of corrections: they count for the month and for none of its days. */
export const adjustDay = '00'

/** Returns whether a correction of a month with `used` sends is allowed: no more than those are released. */
export const isAdjustable = (used: number, sends: number): boolean => sends > 0 || used + sends >= 0

/** Returns the days of a month (`YYYY-MM`) that have sends as whole dates, oldest first. */
export const daysWithSends = (month: string, days: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.keys(days)
      .toSorted()
      .flatMap((day) => {
        const sends = days[day] ?? 0
        return sends > 0 && day !== adjustDay ? [[`${month}-${day}`, sends]] : []
      }),
  )

export const nothingUsed: MonthUsage = { used: 0, days: {} }

/** Returns the day of the month of a time, two digits. */
export const dayKey = (at: number): string => dayOf(at).slice('YYYY-MM-'.length)

/** Returns the sends of the month and of the day of a time. */
export const usedOn = ({ used, days }: MonthUsage, at: number): Used => ({ month: used, day: days[dayKey(at)] ?? 0 })

/** Returns the line that an entry becomes. */
export const lineFor = (workspace: string, { n, at, token }: Entry): Line => ({
  workspace,
  day: dayOf(at),
  kind: n > 0 ? 'reserve' : 'release',
  sends: n,
  token,
})

/** Returns the line of a reservation. @param day of its time, `YYYY-MM-DD`, which the caller needs too */
export const reserveLine = ({ id, workspace, count }: Reservation, day: string): DirectLine => ({
  id,
  workspace,
  day,
  kind: 'reserve',
  sends: count,
})

/** Returns the line that releases one send of a reservation. It counts for the day of the reservation. */
export const releaseLine = (reserved: DirectLine, id: string): DirectLine => ({
  ...reserved,
  id,
  kind: 'release',
  sends: -1,
})

/** Returns the line of a correction of a month (`YYYY-MM`). The correction has no entry, so its id is the token. */
export const adjustLine = (correction: { workspace: string; month: string; id: string; sends: number }): Line => ({
  workspace: correction.workspace,
  day: `${correction.month}-${adjustDay}`,
  kind: 'adjust',
  sends: correction.sends,
  token: correction.id,
})

/**
 * Returns the line that an entry becomes when its email was never inserted. It prevents another reservation of the id.
 */
export const voidLineFor = (workspace: string, entry: Entry): Line => ({
  ...lineFor(workspace, entry),
  kind: 'void',
  sends: 0,
})

/**
 * Returns the line that releases the remaining sends of a reservation without an email; null: all its sends are
 * released. The line of the reservation exists already and prevents another one of the id, so this line has an id of
 * its own.
 * @param left sends of the reservation that no line has released
 */
export const restVoidLine = (reserved: DirectLine, left: number): DirectLine | null =>
  left > 0 ? { ...reserved, id: `${reserved.id}/void`, kind: 'void', sends: -left } : null

/**
 * Returns whether the update that removes an entry also subtracts its sends from the totals: for a reservation when
 * another entry's line or a void line has its id, for a release when the line is its own.
 */
export const subtractsFromTotals = ({ n, token }: Entry, line: Line | undefined): boolean => {
  const becameLine = line?.token === token && line.kind !== 'void'
  return n > 0 ? !becameLine : becameLine
}

/**
 * Returns the sends that an entry and the line of its id count for together. The result is the same before and after
 * the entry's line is inserted, so a recount is correct at any moment.
 */
export const countedSends = ({ n, token }: Entry, line: Line | undefined): number => {
  const isOwn = line?.token === token
  // A release counts when its entry is removed: until then, its own line and the sends still in the totals cancel out.
  if (n < 0) return line && !isOwn ? line.sends : 0
  return line && !isOwn ? line.sends + n : n
}

/** A correction of a month: `n` sends are added, or released if `n` is below 0. */
export type Correction = { id: string; n: number }

/** Records from which the numbers of a month follow. */
export type MonthFacts = {
  /** Sends of the lines by day (`YYYY-MM-DD`), without corrections and the lines of pending ids. */
  sums: Iterable<readonly [day: string, sends: number]>
  pending: readonly Entry[]
  /** The lines of pending ids, by id. */
  lines: ReadonlyMap<string, Line>
  /** A correction is part of the month before it has a line, so it may occur twice. */
  corrections: readonly Correction[]
}

/**
 * Returns the numbers of a month and each of its corrections once. The result is the same at any moment; see
 * `countedSends`.
 */
export const recountOf = ({
  sums,
  pending,
  lines,
  corrections,
}: MonthFacts): MonthUsage & { adjusted: Correction[] } => {
  const days: Record<string, number> = {}
  const add = (day: string, sends: number): void => {
    days[day] = (days[day] ?? 0) + sends
  }
  for (const [day, sends] of sums) add(day.slice('YYYY-MM-'.length), sends)
  for (const entry of pending) add(entry.day, countedSends(entry, lines.get(entry.id)))
  const adjusted = [...new Map(corrections.map((one) => [one.id, one])).values()]
  for (const { n } of adjusted) add(adjustDay, n)
  return { used: Object.values(days).reduce((sum, sends) => sum + sends, 0), days, adjusted }
}

/** Plan for reservations that have no line yet. */
export type ReservationPlan = {
  /** Tokens of the entries that exist already, by id: a repeated reservation takes over the first one's entry. */
  pending: ReadonlyMap<string, string>
  refused: ReadonlyMap<string, QuotaRefusal>
  /** Entries that fit together, in order of arrival; the others have to wait for the next read of the month. */
  fitting: readonly Entry[]
  /** The month's numbers with the fitting entries. */
  after: MonthUsage
}

/**
 * Plans reservations of one month. An entry is refused when it does not fit by itself, and left over when it fits
 * only without the earlier ones.
 */
export const planReservations = (
  allowance: Allowance,
  month: (MonthUsage & { pending: readonly Entry[] }) | undefined,
  wanted: readonly Entry[],
): ReservationPlan => {
  const now: MonthUsage = month ?? nothingUsed
  const after = { used: now.used, days: { ...now.days } }
  const pending = new Map(month?.pending.map(({ id, token }) => [id, token]))
  const refused = new Map<string, QuotaRefusal>()
  const fitting = wanted.filter((entry) => {
    if (pending.has(entry.id)) return false
    const reservation = { count: entry.n, at: entry.at }
    const refusal = quotaRefusalOf(allowance, usedOn(now, entry.at), reservation)
    if (refusal) refused.set(entry.id, refusal)
    if (refusal || quotaRefusalOf(allowance, usedOn(after, entry.at), reservation)) return false
    after.used += entry.n
    after.days[entry.day] = (after.days[entry.day] ?? 0) + entry.n
    return true
  })
  return { pending, refused, fitting, after }
}
