import { invoiceStatuses } from '@postrider/domain/billing/invoices.ts'
import { planEffects } from '@postrider/domain/billing/planChoice.ts'
import { offeredPlans, planNames } from '@postrider/domain/quota/plans.ts'
import { z } from 'zod'
import { listOf, oneOf, page, strictObject, time } from './schema.ts'

const usd = (description: string, example = '20.00') =>
  z.string().describe(`${description} US dollars with two decimals.`).meta({ example })

const pendingPlan = oneOf(planNames).nullable().describe('The plan that begins at `changes_at`; null: none.')
const changesAt = time().nullable().describe('The end of the month, when `pending_plan` begins; null: there is none.')

/** Fields of a plan that begins later, of several records. */
export const pendingFields = { pending_plan: pendingPlan, changes_at: changesAt }

export const PlanRecord = z
  .looseObject({
    object: z.literal('plan'),
    id: oneOf(planNames),
    name: z.string().meta({ example: 'Pro' }),
    price_usd: usd('Price of a calendar month.'),
    monthly: z.number().nullable().describe('Sends included in a month; null: no limit.'),
    daily: z.number().nullable().describe('Sends of a day; null: no limit.'),
    overage: z
      .looseObject({ per: z.number(), price_usd: usd('Price of each started block of `per` sends.', '1.00') })
      .nullable()
      .describe('What sends beyond `monthly` cost; null: they are refused.'),
    current: z.boolean().describe('Whether it is the plan of the workspace.'),
  })
  .meta({ id: 'Plan' })

export const PlanList = listOf(PlanRecord, 'PlanList')

const offeredPlan = z.enum(offeredPlans, { error: `Must be one of the plans ${offeredPlans.join(', ')}.` })

/** Body of `POST /api/v1/billing/plan`. */
export const ChangePlan = strictObject({
  plan: offeredPlan.describe('The plan to change to; the current one revokes a downgrade.').meta({ example: 'pro' }),
}).meta({ id: 'ChangePlan' })

/** Query of `GET /api/v1/billing/plan/preview`. */
export const PreviewPlan = z.object({
  plan: offeredPlan.describe('The plan to change to.').meta({ example: 'pro' }),
})

export const PlanStateRecord = z
  .looseObject({
    object: z.literal('subscription'),
    plan: oneOf(planNames).describe('The plan in effect.'),
    ...pendingFields,
    checkout_url: z
      .string()
      .nullable()
      .describe(
        'The page where the upgrade is paid; the plan begins after the payment. Null: no payment is needed first.',
      ),
    payment: oneOf(['page', 'outside']).describe(
      '`page`: upgrades and open invoices are paid on pages of the payment provider. `outside`: the operator states how invoices are paid.',
    ),
    portal: z.boolean().describe('Whether `POST /billing/portal` has a page: after the first payment by card.'),
  })
  .meta({ id: 'Subscription' })

const lines = z.array(
  z
    .looseObject({
      description: z.string().meta({ example: 'Pro plan, 16 to 30 November 2026 (15 of 30 days)' }),
      quantity: z.number(),
      unit_usd: usd('Price of one unit.', '10.00'),
      amount_usd: usd('`quantity` times `unit_usd`.', '10.00'),
    })
    .meta({ id: 'InvoiceLine' }),
)

export const PlanPreviewRecord = z
  .looseObject({
    object: z.literal('plan_preview'),
    plan: oneOf(planNames),
    effect: oneOf(planEffects).describe(
      '`upgrade`: the plan begins immediately, or when it is paid. `downgrade`: the plan begins with the next month. `revoke`: the pending downgrade is revoked, and the current plan stays. `none`: nothing changes.',
    ),
    begins_at: time().nullable().describe('When the plan begins; null: it is in effect.'),
    lines: lines.describe('What is charged immediately, with corrections that are on no invoice yet.'),
    total_usd: usd('The sum of the lines; below 0, a credit stays.', '10.00'),
    due_usd: usd('What is invoiced immediately; 0.00: nothing.', '10.00'),
    limits: z
      .looseObject({ monthly: z.number().nullable(), daily: z.number().nullable() })
      .describe('Limits under the plan, with those that the operator set; null: no limit.'),
  })
  .meta({ id: 'PlanPreview' })

const invoiceFields = {
  object: z.literal('invoice'),
  id: z.string().meta({ example: 'in_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  number: z
    .string()
    .describe('Number of the invoice, unique in the installation. Numbers have no gaps.')
    .meta({ example: 'PR-000042' }),
  period: z
    .looseObject({ start: time(), end: time() })
    .describe('What the plan’s price is for: a calendar month (UTC), or the rest of one from the day of an upgrade.'),
  lines,
  total_usd: usd('The sum of the lines.', '10.00'),
  status: oneOf(invoiceStatuses).describe('Status of the invoice. `open`: to be paid.'),
  issued_at: time(),
  paid_at: time().nullable(),
}

export const InvoiceRecord = z.looseObject(invoiceFields).meta({ id: 'Invoice' })

export const InvoiceList = listOf(InvoiceRecord, 'InvoiceList')

export const LinkRecord = z
  .looseObject({ object: z.literal('link'), url: z.string().describe('A page to open in a browser.') })
  .meta({ id: 'Link' })

export const OperatorInvoice = z
  .looseObject({
    ...invoiceFields,
    workspace_id: z.string(),
    reason: z.string().describe('Reason for the change of its status; empty: none.'),
  })
  .meta({ id: 'OperatorInvoice' })

export const OperatorInvoiceList = listOf(OperatorInvoice, 'OperatorInvoiceList')

/** Query of `GET /api/v1/operator/invoices`. */
export const InvoiceFilters = z.object({
  ...page,
  workspace: z.string().min(1).optional().describe('Id of a workspace.'),
  status: z.enum(invoiceStatuses, { error: `Must be one of ${invoiceStatuses.join(', ')}.` }).optional(),
  period: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Must be a month, such as 2026-11.')
    .optional()
    .describe('The month of the invoice’s period, `YYYY-MM`.'),
})

const reason = z
  .string({ error: 'State the reason; it is stored with the change.' })
  .describe('Reason, stored with the change, up to 500 characters.')

/** Body of `PATCH /api/v1/operator/invoices/{id}`. */
export const UpdateInvoice = strictObject({
  status: z
    .enum(['paid', 'void'], { error: 'Must be paid or void.' })
    .describe('An open invoice becomes paid or void.'),
  reason: reason.optional(),
}).meta({ id: 'UpdateInvoice' })

/** Body of `POST /api/v1/operator/workspaces/{id}/adjustments`. */
export const CreateAdjustment = strictObject({
  sends: z
    .number({ error: 'Must be a whole number of sends other than 0; below 0 releases sends.' })
    .optional()
    .describe('Sends that are added to this month; below 0: released.')
    .meta({ example: -500 }),
  amount_usd: z
    .string({ error: 'Must be US dollars with at most two decimals other than 0; below 0 is a credit.' })
    .optional()
    .describe('Amount in US dollars on the next invoice; below 0: a credit.')
    .meta({ example: '-5.00' }),
  reason: reason.meta({ example: 'Credit for the outage of 20 November' }),
}).meta({ id: 'CreateAdjustment' })

export const AdjustmentRecord = z
  .looseObject({
    object: z.literal('adjustment'),
    id: z.string(),
    workspace_id: z.string(),
    month: z.string().describe('Month, `YYYY-MM`.'),
    sends: z.number().nullable(),
    amount_usd: z.string().nullable(),
    reason: z.string(),
    created_at: time(),
  })
  .meta({ id: 'Adjustment' })
