import { allowanceAt, type Limits, limitsOf, type PlanName } from '../quota/plans.ts'
import { monthEnd, monthOf } from '../time.ts'
import type { Billing } from './account.ts'
import type { Charge } from './charges.ts'
import { choiceOf, type PlanChoice, startPlan } from './planChoice.ts'

/** Effect of the choice of a plan. */
export type ChoicePreview = {
  choice: PlanChoice
  /** When the plan begins; null: it is in effect. */
  beginsAt: number | null
  /** Ids of the lines that the choice charges, with earlier ones that are on no invoice. */
  lines: string[]
  /** Lines among them that are not stored. */
  newLines: Charge[]
  /** What is allowed under the plan, with the limits that the operator set. */
  limits: Limits
}

/** Returns what choosing a plan now would do. @param billing rolled to the month of `now` */
export const previewOf = (billing: Billing, plan: PlanName, now: number): ChoicePreview => {
  const choice = choiceOf(billing, plan, now)
  const current = allowanceAt(billing.allowance, now)
  const limits = limitsOf({ ...current, plan, pending: null })
  const nothing = { choice, lines: [], newLines: [], limits }
  if (choice === 'upgrade') return { ...nothing, beginsAt: now, ...linesOf(billing, plan, now) }
  if (choice === 'downgrade') return { ...nothing, beginsAt: monthEnd(now) }
  return { ...nothing, beginsAt: current.pending?.plan === plan ? current.pending.at : null }
}

const linesOf = (billing: Billing, plan: PlanName, now: number): Pick<ChoicePreview, 'lines' | 'newLines'> => {
  const { newLines: before, newInvoices } = billing.account
  const { account } = startPlan(billing, plan, { now, newInvoiceId: () => '' })
  // The month was charged by this price already.
  if (account.newLines.length === before.length) return { lines: [], newLines: [] }
  // A total that a credit covers is not issued.
  const waiting = account.unbilled.filter(({ month }) => month <= monthOf(now)).map(({ id }) => id)
  return { lines: account.newInvoices[newInvoices.length]?.lines ?? waiting, newLines: account.newLines }
}
