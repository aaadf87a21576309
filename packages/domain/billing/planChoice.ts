import { allowanceAt, isUpgrade, newAllowance, type PlanName } from '../quota/plans.ts'
import { dayStart, endOfMonth, monthEnd, monthOf, startOfMonth } from '../time.ts'
import { type Billing, type BillingContext, chargePlan, hasNew, issue, sumOf } from './account.ts'

/** Makes a plan the current one immediately, charges the rest of the month and issues the invoice for it. */
export const startPlan = (billing: Billing, plan: PlanName, context: BillingContext, at = context.now): Billing => {
  const changed = { ...billing, allowance: { ...billing.allowance, plan, pending: null } }
  const charged = chargePlan(changed, plan, at)
  if (charged === changed) return changed
  return issue(charged, { month: monthOf(at), start: dayStart(at), context: context })
}

/** Returns what an upgrade now would cost: the total of the invoice that it issues, in cents; 0: no invoice. */
export const upgradeCents = (billing: Billing, plan: PlanName, now: number): number => {
  const issued = startPlan(billing, plan, { now, newInvoiceId: () => '' }).account.newInvoices
  return sumOf(issued.slice(billing.account.newInvoices.length).map(({ totalCents }) => ({ amountCents: totalCents })))
}

/** The effect of a person's choice of a plan. */
export const planEffects = ['none', 'upgrade', 'downgrade', 'revoke'] as const

export type PlanChoice = (typeof planEffects)[number]

/**
 * Returns what choosing a plan does: an upgrade immediately, a downgrade at the end of the month, or its revocation.
 */
export const choiceOf = ({ allowance }: Billing, plan: PlanName, now: number): PlanChoice => {
  const current = allowanceAt(allowance, now)
  if (plan === current.plan) return current.pending ? 'revoke' : 'none'
  if (isUpgrade(current.plan, plan)) return 'upgrade'
  return current.pending?.plan === plan ? 'none' : 'downgrade'
}

/** Schedules a lower plan for the end of the month of `now`, or keeps the current plan if `plan` is null. */
export const planForNextMonth = (billing: Billing, plan: PlanName | null, now: number): Billing => {
  const current = allowanceAt(billing.allowance, now)
  const pending = plan === null ? null : { plan, at: monthEnd(now) }
  return { ...billing, allowance: { ...current, pending } }
}

/**
 * Ends the billing of a workspace that is deleted: its month is charged as usual, and no later one. Nothing is refunded
 * for the rest of the month, and a credit that no later charge can use up is dropped.
 * @param billing as stored, not rolled to the current month
 */
export const endBilling = (billing: Billing): Billing => {
  const { allowance, account } = billing
  const at = endOfMonth(account.month)
  const pending = allowance.pending ?? null
  if (pending?.plan === newAllowance.plan && pending.at <= at) return billing
  const { plan } = allowanceAt(allowance, startOfMonth(account.month))
  if (plan === newAllowance.plan && pending === null) return withoutCredit(billing)
  return { ...billing, allowance: { ...allowance, pending: { plan: newAllowance.plan, at } } }
}

const withoutCredit = (billing: Billing): Billing => {
  const { account } = billing
  const { ended, closed, unbilled } = account
  const isWaiting = ended.length > 0 || closed.length > 0 || hasNew(account)
  if (isWaiting || unbilled.length === 0 || sumOf(unbilled) > 0) return billing
  return { ...billing, account: { ...account, unbilled: [] } }
}
