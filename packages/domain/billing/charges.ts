import { countText } from '../countText.ts'
import { type Plan, type PlanName, plans } from '../quota/plans.ts'
import { daysOfMonth, endOfMonth, monthOf } from '../time.ts'
import { prorated } from './money.ts'

/** A line of the billing ledger: added once, never changed. An invoice is the sum of its lines. */
export type Charge = {
  /** `<workspace>/<month>/<kind>/<n>`: the same decision always has the same id. */
  id: string
  workspace: string
  /** The UTC month (`YYYY-MM`) on whose invoice, or a later one, the line appears. */
  month: string
  /** `plan`: price of a plan, in advance. `overage`: sends past the plan, in arrears. `adjust`: a correction. */
  kind: 'plan' | 'overage' | 'adjust'
  at: number
  description: string
  quantity: number
  unitCents: number
  amountCents: number
}

/**
 * Names of the months. `Intl` has them too, but loads Node's language data, which would add 10 ms to the start of each
 * process.
 */
const monthNames = 'January February March April May June July August September October November December'.split(' ')

/** Returns a month as people read it: `November 2026`. */
export const monthName = (month: string): string => {
  const [year, number] = month.split('-')
  return `${monthNames[Number(number) - 1]} ${year}`
}

type PlanCharge = { workspace: string; plan: PlanName; at: number; n: number; paidCents: number }

/**
 * Returns the price of a plan from the day of `at`, a whole day, to the end of the month.
 * @param options `n`: how many lines of plans the month has; `paidCents`: the price of a month that was charged already
 */
export const planCharge = ({ workspace, plan, at, n, paidCents }: PlanCharge): Charge => {
  const { name, priceCents }: Plan = plans[plan]
  const month = monthOf(at)
  const ofDays = daysOfMonth(month)
  const first = new Date(at).getUTCDate()
  const days = ofDays - first + 1
  const amountCents = prorated(Math.max(priceCents - paidCents, 0), days, ofDays)
  const span = first === ofDays ? `${first} ${monthName(month)}` : `${first} to ${ofDays} ${monthName(month)}`
  return {
    id: `${workspace}/${month}/plan/${n}`,
    workspace,
    month,
    kind: 'plan',
    at,
    description: `${name} plan, ${first === 1 ? monthName(month) : `${span} (${days} of ${ofDays} days)`}`,
    quantity: 1,
    unitCents: amountCents,
    amountCents,
  }
}

/** Sends past the plan in a month, in started blocks. `limit`: the sends that the month included. */
type OverageCharge = { workspace: string; plan: PlanName; used: string; limit: number; blocks: number; at: number }

/** @param charge `used`: the month of the sends, `YYYY-MM`; the line appears on the invoice of the next month */
export const overageCharge = ({ workspace, plan, used, limit, blocks, at }: OverageCharge): Charge => {
  const { blockSends = 0, blockCents = 0 } = (plans[plan] as Plan).overage ?? {}
  return {
    id: `${workspace}/${used}/overage/0`,
    workspace,
    month: monthOf(endOfMonth(used)),
    kind: 'overage',
    at,
    description: `Sends beyond ${countText(limit)} in ${monthName(used)}, each started ${countText(blockSends)}`,
    quantity: blocks,
    unitCents: blockCents,
    amountCents: blocks * blockCents,
  }
}

type Adjustment = { workspace: string; month: string; n: number; at: number; description: string }

/** Returns a correction. @param options `n`: how many corrections the workspace has */
export const adjustCharge = (
  { workspace, month, n, at, description }: Adjustment,
  { quantity = 1, unitCents }: { quantity?: number; unitCents: number },
): Charge => ({
  id: `${workspace}/${month}/adjust/${n}`,
  workspace,
  month,
  kind: 'adjust',
  at,
  description,
  quantity,
  unitCents,
  amountCents: quantity * unitCents,
})
