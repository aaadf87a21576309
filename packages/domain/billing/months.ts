import { allowanceAt, limitsOf, overageOf, type Plan, plans } from '../quota/plans.ts'
import { endOfMonth, monthAfter, monthOf, neverMs, startOfMonth } from '../time.ts'
import {
  type Billing,
  type BillingContext,
  type ClosedMonth,
  chargePlan,
  hasNew,
  issue,
  type MonthTerms,
  withLine,
} from './account.ts'
import { monthName, overageCharge } from './charges.ts'
import { addAdjustment } from './corrections.ts'

/** Maximum wait after the end of a month for requests that began in it: longer than any of them takes. */
const closeGraceMs = 300_000

/** How many closed months are corrected: mail is scheduled 30 days ahead at most and may be tried for days after. */
const correctedMonths = 3

/** Whether a month's end has anything to do: a price, overage, lines to invoice, or a month to correct. */
const isActive = ({ allowance, account }: Billing): boolean => {
  const { priceCents, overage }: Plan = plans[allowance.plan]
  const next: Plan | null = allowance.pending ? plans[allowance.pending.plan] : null
  return (
    priceCents > 0 ||
    overage !== null ||
    next !== null ||
    account.unbilled.length > 0 ||
    account.closed.length > 0 ||
    account.ended.length > 0
  )
}

/** Ends the months before that of `now`: stores what applied in them and charges the plan of each next month. */
export const rollMonths = (billing: Billing, now: number): Billing => {
  let rolled = billing
  while (rolled.account.month < monthOf(now)) rolled = isActive(rolled) ? endMonth(rolled) : skipTo(rolled, now)
  return rolled
}

const newMonth = { paidCents: 0, planLines: 0 }

const skipTo = (billing: Billing, now: number): Billing => ({
  ...billing,
  account: { ...billing.account, ...newMonth, month: monthOf(now) },
})

const endMonth = (billing: Billing): Billing => {
  const { allowance, account } = billing
  const before = allowanceAt(allowance, startOfMonth(account.month))
  const terms: MonthTerms = { month: account.month, plan: before.plan, limit: limitsOf(before).monthly.limit }
  const month = monthAfter(account.month)
  const next = { ...billing, account: { ...account, ...newMonth, month, ended: [...account.ended, terms] } }
  return chargePlan(next, allowanceAt(allowance, startOfMonth(month)).plan, startOfMonth(month))
}

/** Returns the oldest month that is to be closed; null: none. It can be closed when its sends are settled. */
export const monthToClose = ({ account }: Billing, now: number): string | null => {
  const [oldest] = account.ended
  return oldest !== undefined && now >= endOfMonth(oldest.month) + closeGraceMs ? oldest.month : null
}

/**
 * Closes the oldest ended month: charges its overage, corrects closed months whose sends changed since, and issues the
 * invoice of the month after it.
 * @param usedIn sends of that month and of the closed months, by month
 */
export const closeMonth = (billing: Billing, usedIn: ReadonlyMap<string, number>, context: BillingContext): Billing => {
  const [terms, ...ended] = billing.account.ended
  if (terms === undefined) return billing
  const corrected = billing.account.closed.reduce(
    (state, closed) =>
      correctClosed(state, closed, { usedIn, invoiceMonth: monthAfter(terms.month), now: context.now }),
    billing,
  )
  const { blocks } = overageOf(plans[terms.plan].overage, terms.limit, usedIn.get(terms.month) ?? 0)
  const charged = chargeOverage(corrected, terms, blocks, context.now)
  const closed = [...charged.account.closed, ...(plans[terms.plan].overage ? [{ ...terms, blocks }] : [])]
  const isKept = ({ month }: ClosedMonth): boolean => monthsBetween(month, terms.month) < correctedMonths
  const account = { ...charged.account, ended, closed: closed.filter(isKept) }
  const closedBilling = { ...withoutPastPending(charged, terms.month), account }
  const month = monthAfter(terms.month)
  return issue(closedBilling, { month, start: startOfMonth(month), context })
}

const monthsBetween = (from: string, to: string): number => {
  const [one, other] = [new Date(startOfMonth(from)), new Date(startOfMonth(to))]
  return (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth()
}

/**
 * A downgrade that took effect replaces the plan only now: until the month before it is settled, late requests of that
 * month need the plan that it had.
 */
const withoutPastPending = (billing: Billing, closed: string): Billing => {
  const { pending } = billing.allowance
  if (!pending || pending.at > endOfMonth(closed)) return billing
  return { ...billing, allowance: { ...billing.allowance, plan: pending.plan, pending: null } }
}

const chargeOverage = (billing: Billing, terms: MonthTerms, blocks: number, at: number): Billing => {
  if (blocks === 0 || terms.limit === null) return billing
  const { workspace, account } = billing
  const line = overageCharge({ workspace, plan: terms.plan, used: terms.month, limit: terms.limit, blocks, at })
  return { ...billing, account: withLine(account, line) }
}

type LateSends = { usedIn: ReadonlyMap<string, number>; invoiceMonth: string; now: number }

const correctClosed = (billing: Billing, closed: ClosedMonth, { usedIn, invoiceMonth, now }: LateSends): Billing => {
  const used = usedIn.get(closed.month)
  if (used === undefined) return billing
  const { blocks } = overageOf(plans[closed.plan].overage, closed.limit, used)
  const difference = blocks - closed.blocks
  if (difference === 0) return billing
  const description = `Correction of sends beyond the plan in ${monthName(closed.month)}`
  const unitCents = (plans[closed.plan] as Plan).overage?.blockCents ?? 0
  const changed = addAdjustment(
    billing,
    { month: invoiceMonth, at: now, description },
    { quantity: difference, unitCents },
  )
  const months = changed.account.closed.map((one) => (one.month === closed.month ? { ...one, blocks } : one))
  return { ...changed, account: { ...changed.account, closed: months } }
}

/** Returns when a job must check this billing. */
export const dueAt = (billing: Billing): number => {
  const { ended, month, collections = [] } = billing.account
  if (hasNew(billing.account)) return 0
  const close = isActive(billing) ? endOfMonth(ended[0]?.month ?? month) + closeGraceMs : neverMs
  return Math.min(close, ...collections.map(({ nextAt }) => nextAt))
}
