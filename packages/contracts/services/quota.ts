import type { InvoiceStatus } from '@postrider/domain/billing/invoices.ts'
import type { Override } from '@postrider/domain/quota/plans.ts'
import type { PendingReservation, QuotaStanding, Reservation } from '@postrider/domain/quota/quota.ts'
import type { Adjustment__Output as AdjustmentMessage } from '../gen/postrider/quota/v1/Adjustment.ts'
import type { Invoice__Output as InvoiceMessage } from '../gen/postrider/quota/v1/Invoice.ts'
import type { InvoiceLine__Output as InvoiceLineMessage } from '../gen/postrider/quota/v1/InvoiceLine.ts'
import type { Limits__Output as LimitsMessage } from '../gen/postrider/quota/v1/Limits.ts'
import type { PlanPreview__Output as PlanPreviewMessage } from '../gen/postrider/quota/v1/PlanPreview.ts'
import type { PlanState__Output as PlanStateMessage } from '../gen/postrider/quota/v1/PlanState.ts'
import type { QuotaDefinition } from '../gen/postrider/quota/v1/Quota.ts'
import type { Usage__Output as UsageMessage } from '../gen/postrider/quota/v1/Usage.ts'
import { allowedCalls } from './allowedCalls.ts'
import { callMs, idempotent, mebibyte, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'
import type { WithTimes } from './times.ts'

export type QuotaRpc = Service<QuotaDefinition>

/** Fields of messages with a time. */
export const quotaTimes = {
  usage: { always: ['period_start', 'period_end', 'daily_resets_at'], optional: ['changes_at'] },
  planState: { always: [], optional: ['changes_at'] },
  planPreview: { always: [], optional: ['begins_at'] },
  invoice: { always: ['period_start', 'period_end', 'issued_at'], maybe: ['paid_at'] },
  adjustment: { always: ['created_at'] },
} as const

type Times = typeof quotaTimes

/**
 * The plan of a workspace, and the limits that replace those of the plan. `spending_cap_cents` in US cents; null: none.
 */
export type Limits = Omit<LimitsMessage, 'monthly' | 'daily' | 'spending_cap_usd'> & {
  monthly: Override
  daily: Override
  spending_cap_cents: number | null
}

/** Money is US cents in a process, and dollars as text in a message: `total_cents` is `total_usd` there. */
export type Usage = WithTimes<
  Omit<UsageMessage, 'overrides' | 'overage_amount_usd' | 'overage_cap_usd'>,
  Times['usage']
> & {
  overrides: Limits
  overage_amount_cents: number
  /** The spending cap; null: none. */
  overage_cap_cents: number | null
}
export type PlanState = WithTimes<PlanStateMessage, Times['planState']>
export type InvoiceLine = Omit<InvoiceLineMessage, 'unit_usd' | 'amount_usd'> & {
  unit_cents: number
  amount_cents: number
}
export type PlanPreview = WithTimes<
  Omit<PlanPreviewMessage, 'lines' | 'total_usd' | 'due_usd'>,
  Times['planPreview']
> & { lines: InvoiceLine[]; total_cents: number; due_cents: number }
export type Invoice = WithTimes<Omit<InvoiceMessage, 'lines' | 'total_usd'>, Times['invoice']> & {
  lines: InvoiceLine[]
  total_cents: number
}
export type Adjustment = WithTimes<Omit<AdjustmentMessage, 'amount_usd'>, Times['adjustment']> & {
  amount_cents?: number
}

/** Scope of a read of invoices: one workspace, or all of them, for the operator. */
export type InvoiceScope = { workspace: string } | 'all'

/** Null: every status, every month, and from the newest invoice. */
export type InvoiceQuery = {
  scope: InvoiceScope
  status: InvoiceStatus | null
  month: string | null
  before: string | null
  limit: number
}
export type InvoiceChange = Omit<Request<'SetInvoiceStatus'>, 'status'> & {
  status: Exclude<InvoiceStatus, 'open'>
}
export type InvoicePayment = { workspace: string; id: string; email: string; return_url: string }
/** `amount_cents` null: the text is no amount. */
export type AdjustRequest = Omit<Request<'Adjust'>, 'amount_usd'> & { amount_cents?: number | null }

/**
 * The methods whose messages have times, money or structured values, as a process uses them. The others are used in
 * their proto form.
 */
type Structured = {
  /** Reserves `count` sends in the month and day of `at`. Repeating an id reserves nothing more.
   * @returns the tighter quota after this call; null where nothing is limited
   * @throws Fault `quota_exceeded` */
  Reserve(entry: Reservation): Promise<{ token: string; standing: QuotaStanding | null }>
  /** Writes the reserve line. Idempotent. */
  Commit(entry: PendingReservation): Promise<void>
  /** Releases one send for each recipient number. Idempotent. */
  Release(entry: { workspace: string; id: string; recipients: readonly number[]; at: number }): Promise<void>
  /** Lists reservations older than `before` that have no line yet, the oldest first. */
  ListPending(request: { before: number; limit: number }): Promise<PendingReservation[]>
  /** Ends such a reservation: with a line if its email exists (`there`), else by releasing its sends. Idempotent.
   * @returns whether sends were released */
  Settle(request: { pending: PendingReservation; there: boolean }): Promise<boolean>
  /** Decides as `Reserve` does, and reserves nothing. @throws Fault `quota_exceeded` */
  Probe(entry: Omit<Reservation, 'id'>): Promise<void>
  /** Returns what is used of the month and day of `at`; absent: of now. */
  GetUsage(request: { workspace: string; at?: number }): Promise<Usage>
  GetLimits(request: Request<'GetLimits'>): Promise<Limits>
  /**
   * Changes the given fields.
   * @throws Fault `validation_failed`: a number is out of its range, or there is no such plan
   */
  SetLimits(change: LimitsChange): Promise<Limits>
  GetPlan(request: Request<'GetPlan'>): Promise<PlanState>
  ChangePlan(request: Request<'ChangePlan'>): Promise<PlanState>
  PreviewPlan(request: Request<'PreviewPlan'>): Promise<PlanPreview>
  /** Returns a page, newest first, that starts after the id `before`. */
  ListInvoices(query: InvoiceQuery): Promise<{ invoices: Invoice[] }>
  GetInvoice(request: { scope: InvoiceScope; id: string }): Promise<Invoice>
  SetInvoiceStatus(change: InvoiceChange): Promise<Invoice>
  /** @throws Fault `validation_failed`, `conflict` */
  Adjust(request: AdjustRequest): Promise<Adjustment>
  /** Returns a page where an open invoice is paid. @throws Fault `conflict` */
  PayInvoice(payment: InvoicePayment): Promise<{ url: string }>
}

export type LimitsChange = Omit<Request<'SetLimits'>, 'monthly' | 'daily' | 'spending_cap_usd'> &
  Partial<Pick<Limits, 'monthly' | 'daily' | 'spending_cap_cents'>>

type Request<Method extends keyof QuotaRpc> = Parameters<QuotaRpc[Method]>[0]

/** Plans, the sends made under them, and what is to be paid for both. */
export type Quota = Omit<QuotaRpc, keyof Structured> & Structured

export const quotaSpec: ServiceSpec<QuotaRpc> = {
  proto: 'postrider/quota/v1/quota.proto',
  name: 'postrider.quota.v1.Quota',
  callers: { gateway: allowedCalls.gateway.quota, intake: allowedCalls.intake.quota },
  messageBytes: 4 * mebibyte,
  methods: {
    Reserve: idempotent,
    Commit: idempotent,
    Release: idempotent,
    ListPending: read,
    Settle: idempotent,
    GetUsage: read,
    SetLimits: write,
    GetLimits: read,
    GetPlan: read,
    ChangePlan: write,
    PreviewPlan: read,
    ListInvoices: read,
    GetInvoice: read,
    SetInvoiceStatus: write,
    Adjust: write,
    PayInvoice: write,
    OpenPortal: read,
    TakePaymentEvent: { deadlineMs: callMs, repeatable: true },
    GetPaymentProvider: read,
    Probe: idempotent,
  },
}
