import { type Allowance, allowanceAt, type PlanName, plans } from '../quota/plans.ts'
import { dayStart, endOfMonth, monthOf } from '../time.ts'
import { type Charge, planCharge } from './charges.ts'
import { type Collection, newCollection, type PaymentNotice } from './collections.ts'
import type { InvoiceStatus } from './invoices.ts'

/*
 * What a workspace is charged: account.ts (the state, its lines and invoices), planChoice.ts (what a choice of a plan
 * does), months.ts (ends of months and overage), corrections.ts (by the operator), collections.ts (charges of a saved
 * card). charges.ts makes the lines, money.ts rounds, and preview.ts shows the effect of a choice. kind.ts decides
 * how billing treats a workspace.
 */

/**
 * The billing of a workspace. Each function returns the state after one decision; a store writes the state, the plan
 * included, in one guarded update. Lines and invoices that a decision made are part of the state until they are stored,
 * so a crash loses none and repeats none.
 */
export type BillingAccount = {
  /** The month (`YYYY-MM`) whose plan is charged. Earlier months are in `ended` until they are closed. */
  month: string
  /** Price of a month in cents that `month` was charged by: its days count once, even after several changes. */
  paidCents: number
  /** Lines of plans in `month`. */
  planLines: number
  /** Corrections so far. */
  adjustLines: number
  /** Months that ended and are not closed, oldest first, with what applied at their end. */
  ended: MonthTerms[]
  /** The last closed months, oldest first: sends that are released or reserved late correct them. */
  closed: ClosedMonth[]
  /** Lines that are on no invoice. */
  unbilled: Pick<Charge, 'id' | 'month' | 'amountCents'>[]
  /** Lines to be stored. */
  newLines: Charge[]
  /** Invoices to be stored. They get their numbers then. */
  newInvoices: InvoiceDraft[]
  /** Corrections of sends to be stored in the ledger of sends; absent: none. */
  newSends?: SendsAdjustment[]
  /** Requests for corrections that had an idempotency key, the newest last; absent: none. */
  requests?: AdjustmentRequest[]
  /** The payment that an upgrade waits for; absent: none. */
  checkout?: Checkout | null
  /** Ids of the payments that were applied, the newest last. */
  payments?: string[]
  /** The customer at the payment provider; absent: none yet. */
  customer?: string
  /** Where payment pages lead to afterwards, as the last request gave it; absent: none was requested. */
  returnUrl?: string
  /** Open invoices that are charged without their owner, or have a page; absent: none. */
  collections?: Collection[]
  /** Notices to be stored; absent: none. */
  newNotices?: PaymentNotice[]
}

export type SendsAdjustment = { id: string; sends: number; at: number }
/** `key` and `fingerprint` are digests of the request; `id` is that of its correction, made at `at`. */
export type AdjustmentRequest = { key: string; fingerprint: string; id: string; at: number }

export type MonthTerms = { month: string; plan: PlanName; limit: number | null }
export type ClosedMonth = MonthTerms & { blocks: number }

/** An invoice without its number. */
export type InvoiceDraft = {
  id: string
  workspace: string
  month: string
  /** First millisecond of its period, and the first after it. */
  start: number
  end: number
  lines: string[]
  totalCents: number
  status: InvoiceStatus
  issuedAt: number
}

/** A payment that was begun. `id` is ours and appears in what the provider reports. */
export type Checkout = {
  id: string
  session: string
  url: string
  plan: PlanName
  at: number
  amountCents: number
  until: number
}

/** Billing record of a workspace, which a store reads and writes as one. */
export type Billing = { workspace: string; allowance: Allowance; account: BillingAccount }

/** Time of a decision, and the source of ids for invoices. */
export type BillingContext = { now: number; newInvoiceId: () => string }

const priceOf = (plan: PlanName): number => plans[plan].priceCents

export const emptyAccount = (month: string): BillingAccount => ({
  month,
  paidCents: 0,
  planLines: 0,
  adjustLines: 0,
  ended: [],
  closed: [],
  unbilled: [],
  newLines: [],
  newInvoices: [],
})

/** Adds a line that is on no invoice yet. */
export const withLine = (account: BillingAccount, line: Charge): BillingAccount => ({
  ...account,
  unbilled: [...account.unbilled, { id: line.id, month: line.month, amountCents: line.amountCents }],
  newLines: [...account.newLines, line],
})

/** Charges a plan from the day of `at` to the end of the month, less what the month was charged already. */
export const chargePlan = (billing: Billing, plan: PlanName, at: number): Billing => {
  const { workspace, account } = billing
  const price = priceOf(plan)
  if (price <= account.paidCents) return billing
  const line = planCharge({ workspace, plan, at, n: account.planLines, paidCents: account.paidCents })
  return {
    ...billing,
    account: { ...withLine(account, line), paidCents: price, planLines: account.planLines + 1 },
  }
}

/**
 * Issues an invoice with every line up to its month that is on none. A total that is not positive is not issued: its
 * lines wait for the next invoice, so a credit is used up before anything is to be paid.
 */
export const issue = (
  billing: Billing,
  { month, start, context: { now, newInvoiceId } }: { month: string; start: number; context: BillingContext },
): Billing => {
  const { workspace, account } = billing
  const lines = account.unbilled.filter((line) => line.month <= month)
  const totalCents = sumOf(lines)
  if (totalCents <= 0) return billing
  const draft: InvoiceDraft = {
    id: newInvoiceId(),
    workspace,
    month,
    start,
    end: endOfMonth(month),
    lines: lines.map(({ id }) => id),
    totalCents,
    status: 'open',
    issuedAt: now,
  }
  const unbilled = account.unbilled.filter((line) => line.month > month)
  const issued = { ...account, unbilled, newInvoices: [...account.newInvoices, draft] }
  return { ...billing, account: account.customer === undefined ? issued : withCollection(issued, draft, now) }
}

/** Invoices of one workspace that are collected at the same time. Others stay open, and are paid on a page. */
const maxCollections = 100

const withCollection = (account: BillingAccount, { id, totalCents }: InvoiceDraft, now: number): BillingAccount => {
  const { collections = [] } = account
  if (collections.length >= maxCollections) return account
  return { ...account, collections: [...collections, newCollection(id, totalCents, now)] }
}

/** Changes how an invoice is collected. @param change null: it is not collected any more */
export const changeCollection = (
  billing: Billing,
  invoice: string,
  change: (collection: Collection) => Collection | null,
): Billing => {
  const { collections = [] } = billing.account
  const found = collections.find((one) => one.invoice === invoice)
  if (found === undefined) return billing
  const changed = change(found)
  if (changed === found) return billing
  const others = collections.flatMap((one) => (one !== found ? [one] : changed === null ? [] : [changed]))
  return { ...billing, account: { ...billing.account, collections: others } }
}

/** Returns the sum of lines in cents. */
export const sumOf = (lines: readonly { amountCents: number }[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * Returns the billing of a workspace that has none. A plan with a price is charged from the day on which it began,
 * which is the day of `now` if it was not recorded.
 */
export const openBilling = (workspace: string, allowance: Allowance, context: BillingContext): Billing => {
  const at = Math.min(allowance.since ?? context.now, context.now)
  const { plan } = allowanceAt(allowance, at)
  const opened = chargePlan({ workspace, allowance, account: emptyAccount(monthOf(at)) }, plan, at)
  return issue(opened, { month: monthOf(at), start: dayStart(at), context: context })
}

/** Returns whether a decision left something that is not stored yet. */
export const hasNew = ({ newLines, newInvoices, newSends = [], newNotices = [] }: BillingAccount): boolean =>
  [newLines, newInvoices, newSends, newNotices].some((list) => list.length > 0)
