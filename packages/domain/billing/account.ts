import {
  type Allowance,
  allowanceAt,
  isUpgrade,
  limitsOf,
  newAllowance,
  overageOf,
  type Plan,
  type PlanName,
  plans,
} from '../quota/plans.ts'
import { dayMs, dayStart, endOfMonth, monthAfter, monthEnd, monthOf, startOfMonth } from '../time.ts'
import { adjustCharge, type Charge, monthName, overageCharge, planCharge } from './charges.ts'
import { type Collection, never, newCollection, type PaymentNotice } from './collections.ts'

export { never } from './collections.ts'

/**
 * The billing of a workspace. Each function returns the state after one decision; a store writes the state, the plan
 * included, in one guarded update. Lines and invoices that a decision made are part of the state until they are stored,
 * so a crash loses none and repeats none.
 */
export type BillingAccount = {
  /** The month (`YYYY-MM`) whose plan is charged. Earlier months are in `ended` until they are closed. */
  month: string
  /** Price of a month in cents that `month` was charged by: its days count once, also after several changes. */
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

export type InvoiceStatus = 'open' | 'paid' | 'void'

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

/** What a store reads and writes as one. */
export type Billing = { workspace: string; allowance: Allowance; account: BillingAccount }

/** When a decision is made, and the source of ids for invoices. */
export type Moment = { now: number; newInvoiceId: () => string }

/** Longest wait after the end of a month for requests that began in it: longer than any of them takes. */
export const closeGraceMs = 300_000

/** How many closed months are corrected: mail is scheduled 30 days ahead at most and may be tried for days after. */
const correctedMonths = 3

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

const withLine = (account: BillingAccount, line: Charge): BillingAccount => ({
  ...account,
  unbilled: [...account.unbilled, { id: line.id, month: line.month, amountCents: line.amountCents }],
  newLines: [...account.newLines, line],
})

/** Charges a plan from the day of `at` to the end of the month, less what the month was charged already. */
const chargePlan = (billing: Billing, plan: PlanName, at: number): Billing => {
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
const issue = (
  billing: Billing,
  { month, start, moment: { now, newInvoiceId } }: { month: string; start: number; moment: Moment },
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
const mostCollections = 100

const withCollection = (account: BillingAccount, { id, totalCents }: InvoiceDraft, now: number): BillingAccount => {
  const { collections = [] } = account
  if (collections.length >= mostCollections) return account
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

const sumOf = (lines: readonly { amountCents: number }[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * Returns the billing of a workspace that has none. A plan with a price is charged from the day on which it began, which
 * is the day of `now` if it was not recorded.
 */
export const openBilling = (workspace: string, allowance: Allowance, moment: Moment): Billing => {
  const at = Math.min(allowance.since ?? moment.now, moment.now)
  const { plan } = allowanceAt(allowance, at)
  const opened = chargePlan({ workspace, allowance, account: emptyAccount(monthOf(at)) }, plan, at)
  return issue(opened, { month: monthOf(at), start: dayStart(at), moment })
}

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
export const closeMonth = (billing: Billing, usedIn: ReadonlyMap<string, number>, moment: Moment): Billing => {
  const [terms, ...ended] = billing.account.ended
  if (terms === undefined) return billing
  const corrected = billing.account.closed.reduce(
    (state, closed) => correct(state, closed, { usedIn, invoiceMonth: monthAfter(terms.month), now: moment.now }),
    billing,
  )
  const { blocks } = overageOf(terms.plan, terms.limit, usedIn.get(terms.month) ?? 0)
  const charged = chargeOverage(corrected, terms, blocks, moment.now)
  const closed = [...charged.account.closed, ...(plans[terms.plan].overage ? [{ ...terms, blocks }] : [])]
  const isKept = ({ month }: ClosedMonth): boolean => monthsBetween(month, terms.month) < correctedMonths
  const account = { ...charged.account, ended, closed: closed.filter(isKept) }
  const closedBilling = { ...withoutPastPending(charged, terms.month), account }
  const month = monthAfter(terms.month)
  return issue(closedBilling, { month, start: startOfMonth(month), moment })
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

type Correction = { usedIn: ReadonlyMap<string, number>; invoiceMonth: string; now: number }

const correct = (billing: Billing, closed: ClosedMonth, { usedIn, invoiceMonth, now }: Correction): Billing => {
  const used = usedIn.get(closed.month)
  if (used === undefined) return billing
  const { blocks } = overageOf(closed.plan, closed.limit, used)
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

const addAdjustment = (
  billing: Billing,
  { month, at, description }: { month: string; at: number; description: string },
  amount: { quantity?: number; unitCents: number },
): Billing => {
  const { workspace, account } = billing
  const line = adjustCharge({ workspace, month, n: account.adjustLines, at, description }, amount)
  return { ...billing, account: { ...withLine(account, line), adjustLines: account.adjustLines + 1 } }
}

/** Adds a correction by the operator. It appears on the next invoice. @param billing rolled to the month of `now` */
export const adjust = (billing: Billing, amountCents: number, reason: string, now: number): Billing =>
  addAdjustment(billing, { month: monthOf(now), at: now, description: reason }, { unitCents: amountCents })

/** Adds a correction of the sends of the month of `at`. */
export const adjustSends = (billing: Billing, adjustment: SendsAdjustment): Billing => {
  const { account } = billing
  return { ...billing, account: { ...account, newSends: [...(account.newSends ?? []), adjustment] } }
}

/** How long a repeated request for a correction gets the first answer. */
export const requestLifeMs = dayMs

/** Returns the request that had this key; null: there is none, or it is forgotten. */
export const earlierRequest = ({ requests = [] }: BillingAccount, key: string, now: number): AdjustmentRequest | null =>
  requests.find((one) => one.key === key && one.at > now - requestLifeMs) ?? null

/** Records the request for a correction, in the same write as the correction. Forgets those whose time is over. */
export const withRequest = (billing: Billing, request: AdjustmentRequest): Billing => {
  const { account } = billing
  const recent = (account.requests ?? []).filter(({ at }) => at > request.at - requestLifeMs)
  return { ...billing, account: { ...account, requests: [...recent, request] } }
}

/** Makes a plan the current one immediately, charges the rest of the month and issues the invoice for it. */
export const startPlan = (billing: Billing, plan: PlanName, moment: Moment, at = moment.now): Billing => {
  const changed = { ...billing, allowance: { ...billing.allowance, plan, pending: null } }
  const charged = chargePlan(changed, plan, at)
  if (charged === changed) return changed
  return issue(charged, { month: monthOf(at), start: dayStart(at), moment })
}

/** Returns what an upgrade now would cost: the total of the invoice that it issues, in cents; 0: no invoice. */
export const upgradeCents = (billing: Billing, plan: PlanName, now: number): number => {
  const issued = startPlan(billing, plan, { now, newInvoiceId: () => '' }).account.newInvoices
  return sumOf(issued.slice(billing.account.newInvoices.length).map(({ totalCents }) => ({ amountCents: totalCents })))
}

/** What a person's choice of a plan comes to. */
export const planEffects = ['none', 'upgrade', 'downgrade', 'revoke'] as const

export type PlanChoice = (typeof planEffects)[number]

/** Returns what choosing a plan does: an upgrade immediately, a downgrade at the end of the month, or its revocation. */
export const choiceOf = ({ allowance }: Billing, plan: PlanName, now: number): PlanChoice => {
  const current = allowanceAt(allowance, now)
  if (plan === current.plan) return current.pending ? 'revoke' : 'none'
  if (isUpgrade(current.plan, plan)) return 'upgrade'
  return current.pending?.plan === plan ? 'none' : 'downgrade'
}

/** Lets a lower plan begin at the end of the month of `now`, or keeps the current one if `plan` is null. */
export const planForNextMonth = (billing: Billing, plan: PlanName | null, now: number): Billing => {
  const current = allowanceAt(billing.allowance, now)
  const pending = plan === null ? null : { plan, at: monthEnd(now) }
  return { ...billing, allowance: { ...current, pending } }
}

/**
 * Ends the billing of a workspace that is deleted: its month is charged as usual, and no later one. Nothing is given back
 * for the rest of the month, and a credit that no later charge can use up is dropped. @param billing as stored, not rolled to the present month
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

/** Whether a decision left something that is not stored yet. */
export const hasNew = ({ newLines, newInvoices, newSends = [], newNotices = [] }: BillingAccount): boolean =>
  [newLines, newInvoices, newSends, newNotices].some((list) => list.length > 0)

/** Returns when a job has to look at this billing. */
export const dueAt = (billing: Billing): number => {
  const { ended, month, collections = [] } = billing.account
  if (hasNew(billing.account)) return 0
  const close = isActive(billing) ? endOfMonth(ended[0]?.month ?? month) + closeGraceMs : never
  return Math.min(close, ...collections.map(({ nextAt }) => nextAt))
}
