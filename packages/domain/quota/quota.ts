import { Fault } from '@postrider/kit/fault.ts'
import { isoTime } from '../time.ts'
import { type Plan, plans } from './plans.ts'

export type Reservation = { workspace: string; id: string; count: number; at: number }

/** Where a quota stands: `limit` null where there is none. */
export type Meter = { limit: number | null; used: number }

export type Standing = { monthly: Meter; daily: Meter }

/** A plan with what the operator put over it: `plan` = the plan's own limit, null = no limit. */
export type Allowance = {
  plan: 'free' | 'pro'
  monthly: number | null | 'plan'
  daily: number | null | 'plan'
  /** Most overage the owner will pay in a month; null: no cap. Over it the quota is used up. */
  spendingCapUsd: number | null
}

/** The rules of every ledger, whatever keeps its lines. */

/** What a workspace has before anybody sets anything. */
export const newAllowance: Allowance = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapUsd: null }

/** `limit`: what the plan includes. `most`: where a send is refused; null where none is. */
export type Limits = { monthly: { limit: number | null; most: number | null }; daily: { limit: number | null } }

export const limitsOf = (allowance: Allowance): Limits => {
  const { monthly, daily, overage }: Plan = plans[allowance.plan]
  const limit = allowance.monthly === 'plan' ? monthly : allowance.monthly
  return {
    monthly: { limit, most: limit === null ? null : mostOf(limit, overage, allowance.spendingCapUsd) },
    daily: { limit: allowance.daily === 'plan' ? daily : allowance.daily },
  }
}

const mostOf = (limit: number, overage: Plan['overage'], capUsd: number | null): number | null => {
  if (overage === null) return limit
  if (capUsd === null) return null
  return limit + Math.floor(capUsd / overage.blockUsd) * overage.blockSends
}

/** The UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10)

/** The UTC month of a day or time of it, `YYYY-MM`. */
export const monthOf = (at: number): string => isoTime(at).slice(0, 7)

/** The first instant after the UTC month of a time. */
export const monthEnd = (at: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

const dayMs = 86_400_000

/** The first instant after the UTC day of a time. */
export const dayEnd = (at: number): number => at - (at % dayMs) + dayMs

/** Where both quotas stand once so much is used. */
export const standingOf = (allowance: Allowance, used: { month: number; day: number }): Standing => {
  const { monthly, daily } = limitsOf(allowance)
  return { monthly: { limit: monthly.limit, used: used.month }, daily: { limit: daily.limit, used: used.day } }
}

type Exceeded = { name: string; limit: number; used: number; resetsAt: number }

/**
 * The refusal of a reservation that doesn't fit wholly. Where neither quota has room the month is named: it lasts longer.
 * @param used what the month and the day of `at` have used without it
 * @returns null: it fits
 */
export const refusalOf = (
  allowance: Allowance,
  used: { month: number; day: number },
  { count, at }: Pick<Reservation, 'count' | 'at'>,
): Fault | null => {
  const { monthly, daily } = limitsOf(allowance)
  if (monthly.most !== null && used.month + count > monthly.most) {
    const capped = monthly.most === monthly.limit ? '' : ` (with the spending cap of ${allowance.spendingCapUsd} USD)`
    const name = `monthly quota${capped}`
    return quotaExceeded({ name, limit: monthly.most, used: used.month, resetsAt: monthEnd(at) }, count, at)
  }
  if (daily.limit !== null && used.day + count > daily.limit) {
    return quotaExceeded({ name: 'daily quota', limit: daily.limit, used: used.day, resetsAt: dayEnd(at) }, count, at)
  }
  return null
}

/** `Quota-Reset` is in seconds from now, as `Retry-After` and the `t` of `RateLimit` are. */
const quotaExceeded = ({ name, limit, used, resetsAt }: Exceeded, count: number, at: number): Fault => {
  const left = Math.max(limit - used, 0)
  const detail =
    left === 0
      ? `The ${name} of ${limit} sends is used up; it resets at ${isoTime(resetsAt)}.`
      : `This takes ${count} sends and the ${name} of ${limit} sends has ${left} left; it resets at ${isoTime(resetsAt)}.`
  return new Fault('quota_exceeded', detail, {
    headers: {
      'Quota-Limit': String(limit),
      'Quota-Remaining': String(left),
      'Quota-Reset': String(Math.ceil((resetsAt - at) / 1_000)),
    },
  })
}
