import type { Meter__Output } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { Usage } from '@postrider/contracts/services.ts'
import { type Allowance, allowanceAt, overageOf, type Plan, plans } from '@postrider/domain/quota/plans.ts'
import { type Meter, remainingOf } from '@postrider/domain/quota/quota.ts'
import { dayEnd, monthEnd, monthStart } from '@postrider/domain/time.ts'
import type { LedgerUsage } from '@postrider/ports/ledger.ts'
import { limitsOf } from './limits.ts'

const meterRecord = (meter: Meter): Meter__Output => {
  const remaining = remainingOf(meter)
  // A month that corrections and cancels took below 0 shows as unused.
  const used = Math.max(meter.used, 0)
  if (meter.limit === null || remaining === null) return { used }
  return { limit: meter.limit, used, remaining }
}

/** Returns the plan that begins at the end of the month, if one does. */
export const pendingRecord = ({ pending }: Allowance): { pending_plan?: string; changes_at?: number } =>
  pending ? { pending_plan: pending.plan, changes_at: pending.at } : {}

/** Returns what a workspace has sent in the month and day of `at`, compared with its plan. */
export const usageOf = (stored: Allowance, { monthly, daily, history }: LedgerUsage, at: number): Usage => {
  const allowance = allowanceAt(stored, at)
  const plan: Plan = plans[allowance.plan]
  const overage = overageOf(plan.overage, monthly.limit, monthly.used)
  return {
    plan: allowance.plan,
    period_start: monthStart(at),
    period_end: monthEnd(at),
    monthly: meterRecord(monthly),
    daily: meterRecord(daily),
    daily_resets_at: dayEnd(at),
    overage_allowed: plan.overage !== null && monthly.limit !== null,
    overage_sends: overage.sends,
    overage_blocks: overage.blocks,
    overage_amount_cents: overage.amountCents,
    overage_cap_cents: allowance.spendingCapCents,
    overrides: limitsOf(allowance),
    history,
    ...pendingRecord(allowance),
  }
}
