import { dayEnd, monthEnd } from '../time.ts'
import { type Allowance, isCapped, limitsOf } from './plans.ts'

/** The sends of one email. `id` is the email's id; the UTC month and day of `at` are charged. */
export type Reservation = { workspace: string; id: string; count: number; at: number }

/** A reservation that has no ledger line yet. `token` proves which reservation a commit belongs to. */
export type PendingReservation = Reservation & { token: string }

/** Sends used in the UTC month and day of one time. */
export type Used = { month: number; day: number }

/** The highest quota: far more sends than an installation makes, and far below the largest exact integer. */
export const maxQuota = 1_000_000_000_000

/** The state of one quota; `limit` is null when the quota has no limit. */
export type Meter = { limit: number | null; used: number }

/** The state of a workspace's two quotas. */
export type Standing = { monthly: Meter; daily: Meter }

/** Returns the state of both quotas when this many sends are used. */
export const standingOf = (allowance: Allowance, used: Used): Standing => {
  const { monthly, daily } = limitsOf(allowance)
  return { monthly: { limit: monthly.limit, used: used.month }, daily: { limit: daily.limit, used: used.day } }
}

/** The quota that a reservation exceeds. */
export type QuotaRefusal = {
  quota: 'monthly' | 'daily'
  /** Maximum number of sends in the period, with the overage that the spending cap allows. */
  limit: number
  /** Sends still allowed in the period: fewer than the reservation needs. */
  left: number
  resetsAt: number
  /** The spending cap without which the sends would fit; null when the limit is the plan's or the operator's alone. */
  spendingCapCents: number | null
}

/**
 * Returns why a reservation does not fit, or null when it fits. A reservation fits as a whole or not at all. When it
 * exceeds both quotas the refusal names the monthly one, which resets later.
 * @param used sends of the month and day of `at`, without this reservation
 */
export const quotaRefusalOf = (
  allowance: Allowance,
  used: Used,
  { count, at }: Pick<Reservation, 'count' | 'at'>,
): QuotaRefusal | null => {
  const { monthly, daily } = limitsOf(allowance)
  if (monthly.max !== null && used.month + count > monthly.max) {
    return {
      quota: 'monthly',
      limit: monthly.max,
      left: Math.max(monthly.max - used.month, 0),
      resetsAt: monthEnd(at),
      spendingCapCents: isCapped(allowance) ? allowance.spendingCapCents : null,
    }
  }
  if (daily.limit !== null && used.day + count > daily.limit) {
    const left = Math.max(daily.limit - used.day, 0)
    return { quota: 'daily', limit: daily.limit, left, resetsAt: dayEnd(at), spendingCapCents: null }
  }
  return null
}

/** Returns the sends left in a quota; null: no limit. Past the included sends it is 0, even if overage is allowed. */
export const remainingOf = ({ limit, used }: Meter): number | null =>
  limit === null ? null : Math.min(Math.max(limit - used, 0), limit)

/** The quota with the fewest sends left after a send. */
export type QuotaStanding = { period: 'day' | 'month'; limit: number; remaining: number; resetsAt: number }

/** Returns the quota with the fewest sends left, the month when both have equally many; null: neither has a limit. */
export const tightestOf = ({ monthly, daily }: Standing, at: number): QuotaStanding | null => {
  const [left, leftToday] = [remainingOf(monthly), remainingOf(daily)]
  if (daily.limit !== null && leftToday !== null && (left === null || leftToday < left)) {
    return { period: 'day', limit: daily.limit, remaining: leftToday, resetsAt: dayEnd(at) }
  }
  if (monthly.limit === null || left === null) return null
  return { period: 'month', limit: monthly.limit, remaining: left, resetsAt: monthEnd(at) }
}

/** Returns the id of the ledger line that releases the send of one recipient of an email. */
export const releaseLineId = (emailId: string, recipient: number): string => `${emailId}/${recipient}/release`

/**
 * Returns the releases that still have to be written: each id once, and no more sends than the reservation has left.
 * @param left sends of the reservation that no line has released
 * @param written ids of the release lines that exist
 */
export const releasable = <Release extends { id: string }>(
  left: number,
  written: ReadonlySet<string>,
  wanted: readonly Release[],
): Release[] => {
  const missing = new Map(wanted.filter(({ id }) => !written.has(id)).map((release) => [release.id, release]))
  return [...missing.values()].slice(0, Math.max(left, 0))
}

/**
 * Returns the releases that a reservation covers, and the others. A written one is covered.
 * @param sends of the reservation, of which each written release has one
 */
export const coveredReleases = <Release extends { id: string }>(
  sends: number,
  written: ReadonlySet<string>,
  wanted: readonly Release[],
): { covered: Release[]; excess: Release[] } => {
  const missing = new Set(releasable(sends - written.size, written, wanted))
  const isCovered = (release: Release): boolean => written.has(release.id) || missing.has(release)
  return { covered: wanted.filter(isCovered), excess: wanted.filter((release) => !isCovered(release)) }
}
