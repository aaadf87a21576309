import { acceptedAt, exampleOf, invoice, list, type OperationExamples } from './parts.ts'

const subscription = {
  object: 'subscription',
  plan: 'pro',
  pending_plan: null,
  changes_at: null,
  checkout_url: null,
  payment: 'outside',
  portal: false,
}

/** Examples of the operations on plans, usage and invoices. */
export const billingExamples: Readonly<Record<string, OperationExamples>> = {
  getUsage: {
    reply: {
      plan: 'free',
      period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
      monthly: { limit: 3_000, used: 120, remaining: 2_880 },
      daily: { limit: 100, used: 20, remaining: 80, resets_at: '2026-11-22T00:00:00.000Z' },
      overage: { allowed: false, sends: 0, blocks: 0, amount_usd: '0.00', cap_usd: null },
      overrides: { monthly: 'plan', daily: 'plan' },
      history: [{ date: '2026-11-21', sends: 20 }],
      pending_plan: null,
      changes_at: null,
    },
  },
  listPlans: {
    reply: {
      object: 'list',
      data: [
        {
          object: 'plan',
          id: 'free',
          name: 'Free',
          price_usd: '0.00',
          monthly: 3_000,
          daily: 100,
          overage: null,
          current: true,
        },
        {
          object: 'plan',
          id: 'pro',
          name: 'Pro',
          price_usd: '20.00',
          monthly: 50_000,
          daily: null,
          overage: { per: 1_000, price_usd: '1.00' },
          current: false,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  getPlan: { reply: { ...subscription, pending_plan: 'free', changes_at: '2026-12-01T00:00:00.000Z' } },
  previewPlan: {
    reply: {
      object: 'plan_preview',
      plan: 'pro',
      effect: 'upgrade',
      begins_at: acceptedAt,
      lines: invoice.lines,
      total_usd: invoice.total_usd,
      due_usd: invoice.total_usd,
      limits: { monthly: 50_000, daily: null },
    },
  },
  changePlan: { requests: exampleOf('An upgrade', { plan: 'pro' }), reply: subscription },
  listInvoices: { reply: list(invoice) },
  getInvoice: { reply: invoice },
  printInvoice: {},
  payInvoice: { reply: { object: 'link', url: 'https://checkout.stripe.com/c/pay/cs_live_a1' } },
  openPortal: { reply: { object: 'link', url: 'https://billing.stripe.com/p/session/live_a1' } },
}
