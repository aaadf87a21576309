import type { Meter__Output as Meter } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type {
  AdjustmentRecord,
  InvoiceRecord,
  OperatorInvoice,
  PlanPreviewRecord,
  PlanRecord,
  PlanStateRecord,
} from '@postrider/contracts/http/billing.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { UsageRecord } from '@postrider/contracts/http/workspace.ts'
import type { Adjustment, Invoice, InvoiceLine, PlanPreview, PlanState, Usage } from '@postrider/contracts/services.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { offeredPlans, type Plan, type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { requirePart } from '@postrider/kit/fault.ts'

/** Returns the plans that a workspace can choose, and its own. */
export const planRecords = (current: string) => {
  const own = Object.keys(plans).filter((name) => name === current) as PlanName[]
  return [...new Set([...offeredPlans, ...own])].map((id) => {
    const { name, priceCents, monthly, daily, overage }: Plan = plans[id]
    return {
      object: 'plan',
      id,
      name,
      price_usd: usdText(priceCents),
      monthly,
      daily,
      overage: overage && { per: overage.blockSends, price_usd: usdText(overage.blockCents) },
      current: id === current,
    } satisfies RecordOf<typeof PlanRecord>
  })
}

/** Returns the plan that begins later, from a message of quota. */
const pendingOf = ({ pending_plan, changes_at }: Pick<PlanState, 'pending_plan' | 'changes_at'>) => ({
  pending_plan: pending_plan ?? null,
  changes_at: isoTimeOrNull(changes_at ?? null),
})

export const planStateRecord = (state: PlanState) =>
  ({
    object: 'subscription',
    plan: state.plan,
    ...pendingOf(state),
    checkout_url: state.checkout_url ?? null,
    // Processes of release 0.1 report neither.
    payment: state.payment ?? 'outside',
    portal: state.portal ?? false,
  }) satisfies RecordOf<typeof PlanStateRecord>

const lineRecord = ({ description, quantity, unit_cents, amount_cents }: InvoiceLine) => ({
  description,
  quantity,
  unit_usd: usdText(unit_cents),
  amount_usd: usdText(amount_cents),
})

export const planPreviewRecord = (plan: string, preview: PlanPreview) =>
  ({
    object: 'plan_preview',
    plan,
    effect: preview.effect,
    begins_at: isoTimeOrNull(preview.begins_at ?? null),
    lines: preview.lines.map(lineRecord),
    total_usd: usdText(preview.total_cents),
    due_usd: usdText(preview.due_cents),
    limits: { monthly: preview.monthly ?? null, daily: preview.daily ?? null },
  }) satisfies RecordOf<typeof PlanPreviewRecord>

export const invoiceRecord = (invoice: Invoice) =>
  ({
    object: 'invoice',
    id: invoice.id,
    number: invoice.number,
    period: { start: isoTime(invoice.period_start), end: isoTime(invoice.period_end) },
    lines: invoice.lines.map(lineRecord),
    total_usd: usdText(invoice.total_cents),
    status: invoice.status,
    issued_at: isoTime(invoice.issued_at),
    paid_at: isoTimeOrNull(invoice.paid_at),
  }) satisfies RecordOf<typeof InvoiceRecord>

export const operatorInvoiceRecord = (invoice: Invoice) =>
  ({
    ...invoiceRecord(invoice),
    workspace_id: invoice.workspace,
    reason: invoice.reason,
  }) satisfies RecordOf<typeof OperatorInvoice>

export const adjustmentRecord = (adjustment: Adjustment) =>
  ({
    object: 'adjustment',
    id: adjustment.id,
    workspace_id: adjustment.workspace,
    month: adjustment.month,
    sends: adjustment.sends ?? null,
    amount_usd: adjustment.amount_cents === undefined ? null : usdText(adjustment.amount_cents),
    reason: adjustment.reason,
    created_at: isoTime(adjustment.created_at),
  }) satisfies RecordOf<typeof AdjustmentRecord>

const meterRecord = (meter: Meter | null) => {
  const { limit, used, remaining } = requirePart(meter, 'meter')
  return { limit: limit ?? null, used, remaining: remaining ?? null }
}

export const usageRecord = (usage: Usage) => {
  const { monthly, daily } = usage.overrides
  return {
    plan: usage.plan,
    period: { start: isoTime(usage.period_start), end: isoTime(usage.period_end) },
    monthly: meterRecord(usage.monthly),
    daily: { ...meterRecord(usage.daily), resets_at: isoTime(usage.daily_resets_at) },
    overage: {
      allowed: usage.overage_allowed,
      sends: usage.overage_sends,
      blocks: usage.overage_blocks,
      amount_usd: usdText(usage.overage_amount_cents),
      cap_usd: usage.overage_cap_cents === null ? null : usdText(usage.overage_cap_cents),
    },
    overrides: { monthly, daily },
    history: usage.history.map(({ date, sends }) => ({ date, sends })),
    ...pendingOf(usage),
  } satisfies RecordOf<typeof UsageRecord>
}
