import { centsOf, maxSendsOf, overageOf } from '@postrider/contracts/http/values.ts'
import type { Plan } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { dayMs } from '../../ui/times.ts'

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

/** Returns the price of sends beyond a plan as the rules of the service read it. */
const blocksOf = ({ overage }: Pick<Plan, 'overage'>) =>
  overage && { blockSends: overage.per, blockCents: centsOf(Number(overage.price_usd)) }

type Limited = Pick<Usage, 'monthly' | 'overage'>

/** Returns the sends of the month past which the service refuses more; null: it never does. */
export const maxSends = ({ monthly: { limit }, overage: { cap_usd } }: Limited, plan: Pick<Plan, 'overage'>) =>
  maxSendsOf(limit, blocksOf(plan), cap_usd === null ? null : centsOf(Number(cap_usd)))

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
  const overage = overageOf(blocksOf(plan), limit, sends)
  const isReached = max !== null && used < max && wanted > max
  return {
    sends,
    overage: overage.sends,
    cents: overage.amountCents,
    refusedFrom: isReached ? start + (max / used) * elapsed : null,
  }
}
