import type { Plan } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { dayMs } from '../../ui/times.ts'
import { centsOf } from './money.ts'

/** Forecast of the month if it continues at the same rate. Times in milliseconds. */
export type Forecast = {
  /** Sends by the end of the month. */
  sends: number
  /** Sends beyond the plan, and their cost in cents. */
  overage: number
  cents: number
  /** When sends begin to be refused: the quota is used up, or the cap is reached; null: not in this month. */
  refusedFrom: number | null
}

type Limited = Pick<Usage, 'monthly' | 'overage'>

/** Returns the sends of the month past which the service refuses more; null: it never does. */
export const maxSends = ({ monthly: { limit }, overage: { cap_usd } }: Limited, plan: Pick<Plan, 'overage'>) => {
  if (limit === null) return null
  if (plan.overage === null) return limit
  if (cap_usd === null) return null
  return limit + Math.floor(centsOf(cap_usd) / centsOf(plan.overage.price_usd)) * plan.overage.per
}

/** Returns the forecast of the month; null: less than a day of it has passed, or nothing was sent. */
export const forecastOf = (
  usage: Limited & Pick<Usage, 'period'>,
  plan: Pick<Plan, 'overage'>,
  now: number,
): Forecast | null => {
  const [start, end] = [Date.parse(usage.period.start), Date.parse(usage.period.end)]
  const { used, limit } = usage.monthly
  const elapsed = Math.min(now, end) - start
  if (elapsed < dayMs || used === 0) return null
  const max = maxSends(usage, plan)
  const wanted = Math.max(used, Math.round((used / elapsed) * (end - start)))
  const sends = max === null ? wanted : Math.max(used, Math.min(wanted, max))
  const overage = limit === null || plan.overage === null ? 0 : Math.max(0, sends - limit)
  const cents = plan.overage === null ? 0 : Math.ceil(overage / plan.overage.per) * centsOf(plan.overage.price_usd)
  const isReached = max !== null && used < max && wanted > max
  return { sends, overage, cents, refusedFrom: isReached ? start + (max / used) * elapsed : null }
}
