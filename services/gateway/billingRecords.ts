import type { Adjustment__Output as Adjustment } from '@postrider/contracts/gen/postrider/quota/v1/Adjustment.ts'
import type { Invoice__Output as Invoice } from '@postrider/contracts/gen/postrider/quota/v1/Invoice.ts'
import type { PlanState__Output as PlanState } from '@postrider/contracts/gen/postrider/quota/v1/PlanState.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { offeredPlans, type Plan, type PlanName, plans } from '@postrider/domain/quota/plans.ts'

/** Returns the plans that a workspace can choose, and its own. */
export const planRecords = (current: string) => {
  const own = Object.keys(plans).filter((name) => name === current) as PlanName[]
  return [...new Set([...offeredPlans, ...own])].map((id) => {
    const { name, priceCents, monthly, daily, overage }: Plan = plans[id]
    return {
      object: 'plan' as const,
      id,
      name,
      price_usd: usdText(priceCents),
      monthly,
      daily,
      overage: overage && { per: overage.blockSends, price_usd: usdText(overage.blockCents) },
      current: id === current,
    }
  })
}

/** Returns the plan that begins later, from a message of quota. */
export const pendingOf = ({ pending_plan, changes_at }: { pending_plan?: string; changes_at?: string }) => ({
  pending_plan: pending_plan ?? null,
  changes_at: changes_at ?? null,
})

export const planStateRecord = (state: PlanState) => ({
  object: 'subscription' as const,
  plan: state.plan,
  ...pendingOf(state),
  checkout_url: state.checkout_url ?? null,
})

export const invoiceRecord = (invoice: Invoice) => ({
  object: 'invoice' as const,
  id: invoice.id,
  number: invoice.number,
  period: { start: invoice.period_start, end: invoice.period_end },
  lines: invoice.lines.map(({ description, quantity, unit_usd, amount_usd }) => ({
    description,
    quantity,
    unit_usd,
    amount_usd,
  })),
  total_usd: invoice.total_usd,
  status: invoice.status,
  issued_at: invoice.issued_at,
  paid_at: invoice.paid_at || null,
})

export const operatorInvoiceRecord = (invoice: Invoice) => ({
  ...invoiceRecord(invoice),
  workspace_id: invoice.workspace,
  reason: invoice.reason,
})

export const adjustmentRecord = (adjustment: Adjustment) => ({
  object: 'adjustment' as const,
  id: adjustment.id,
  workspace_id: adjustment.workspace,
  month: adjustment.month,
  sends: adjustment.sends ?? null,
  amount_usd: adjustment.amount_usd ?? null,
  reason: adjustment.reason,
  created_at: adjustment.created_at,
})
