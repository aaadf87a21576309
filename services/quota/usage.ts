import type { Meter__Output } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { Usage__Output } from '@postrider/contracts/gen/postrider/quota/v1/Usage.ts'
import { type Allowance, overageOf, type Plan, plans } from '@postrider/domain/quota/plans.ts'
import { type Meter, remainingOf } from '@postrider/domain/quota/quota.ts'
import { dayEnd, isoTime, monthEnd, monthStart } from '@postrider/domain/time.ts'
import type { LedgerUsage } from '@postrider/ports/ledger.ts'
import { limitsRecord } from './limits.ts'

/** Formats US dollars with two decimals; money is text in the API. */
const amount = (usd: number): string => usd.toFixed(2)

const meterRecord = (meter: Meter): Meter__Output => {
  const remaining = remainingOf(meter)
  if (meter.limit === null || remaining === null) return { used: meter.used }
  return { limit: meter.limit, used: meter.used, remaining }
}

/** Returns what a workspace has sent in the month and day of `at`, compared with its plan. */
export const usageOf = (allowance: Allowance, { monthly, daily, history }: LedgerUsage, at: number): Usage__Output => {
  const plan: Plan = plans[allowance.plan]
  const overage = overageOf(allowance.plan, monthly.limit, monthly.used)
  return {
    plan: allowance.plan,
    period_start: isoTime(monthStart(at)),
    period_end: isoTime(monthEnd(at)),
    monthly: meterRecord(monthly),
    daily: meterRecord(daily),
    daily_resets_at: isoTime(dayEnd(at)),
    overage_allowed: plan.overage !== null && monthly.limit !== null,
    overage_sends: overage.sends,
    overage_blocks: overage.blocks,
    overage_amount_usd: amount(overage.amountUsd),
    ...(allowance.spendingCapUsd === null ? {} : { overage_cap_usd: amount(allowance.spendingCapUsd) }),
    overrides: limitsRecord(allowance),
    history,
  }
}
