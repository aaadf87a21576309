import type { Link__Output } from '@postrider/contracts/gen/postrider/quota/v1/Link.ts'
import type { PortalRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/PortalRequest.ts'
import type {
  Invoice,
  InvoiceChange,
  InvoiceLine,
  InvoicePayment,
  InvoiceQuery,
  InvoiceScope,
} from '@postrider/contracts/services.ts'
import { byOperator } from '@postrider/domain/audit/entry.ts'
import { type Billing, changeCollection, hasNew } from '@postrider/domain/billing/account.ts'
import type { Charge } from '@postrider/domain/billing/charges.ts'
import { minPageMs, newCollection, type PaymentPage } from '@postrider/domain/billing/collections.ts'
import { invoiceNumber, reasonProblems, totalOf } from '@postrider/domain/billing/invoices.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredInvoice } from '@postrider/ports/billing.ts'
import { invoiceEntry } from './auditEntries.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'

const notFoundFault = () => new Fault('not_found', 'There is no such invoice.')

/** Returns a line as callers see it. */
export const lineRecord = ({ description, quantity, unitCents, amountCents }: Charge): InvoiceLine => ({
  description,
  quantity,
  unit_cents: unitCents,
  amount_cents: amountCents,
})

/** Returns an invoice as callers see it. */
const invoiceRecord = (invoice: StoredInvoice): Invoice => ({
  id: invoice.id,
  workspace: invoice.workspace,
  number: invoiceNumber(invoice.seq),
  period_start: invoice.start,
  period_end: invoice.end,
  lines: invoice.lines.map(lineRecord),
  total_cents: totalOf(invoice),
  status: invoice.status,
  issued_at: invoice.issuedAt,
  paid_at: invoice.paidAt,
  reason: invoice.reason,
})

/** Returns a page of invoices, and stores first what a crash of an earlier change may have left. */
export const listInvoices = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  { scope, status, month, before, limit }: InvoiceQuery,
): Promise<{ invoices: Invoice[] }> => {
  if (scope !== 'all' && before === null) await storeLeft(deps, scope.workspace)
  const invoices = await deps.billing.invoices({
    ...(scope === 'all' ? {} : scope),
    ...(status === null ? {} : { status }),
    ...(month === null ? {} : { month }),
    before: before ?? '',
    limit,
  })
  return { invoices: invoices.map(invoiceRecord) }
}

const storeLeft = async (deps: Pick<Deps, 'billing' | 'ledger' | 'now'>, workspace: string): Promise<void> => {
  const { account } = await deps.billing.read(workspace)
  if (account === null || !hasNew(account)) return
  await changeBilling(deps, workspace, (billing) => billing)
}

const existing = async (
  { billing }: Pick<Deps, 'billing'>,
  { scope, id }: { scope: InvoiceScope; id: string },
): Promise<StoredInvoice> => {
  const invoice = await billing.invoice(id, scope === 'all' ? null : scope.workspace)
  if (invoice === null) throw notFoundFault()
  return invoice
}

export const getInvoice = async (
  deps: Pick<Deps, 'billing'>,
  request: { scope: InvoiceScope; id: string },
): Promise<Invoice> => invoiceRecord(await existing(deps, request))

/** Marks an open invoice as paid or void. Repeating it changes nothing. */
export const setInvoiceStatus = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  { id, status: to, reason, operator, client_address: clientAddress }: InvoiceChange,
): Promise<Invoice> => {
  refuseAny(reasonProblems(reason, to === 'void'))
  const invoice = await existing(deps, { scope: 'all', id })
  if (invoice.status === to) return invoiceRecord(invoice)
  const at = deps.now()
  const origin = { workspace: invoice.workspace, at, ...byOperator(operator), clientAddress }
  const entry = invoiceEntry(origin, { id, number: invoiceNumber(invoice.seq), to, reason })
  const changed = await deps.billing.setStatus({ id, from: ['open'], to, at, reason }, entry)
  if (changed === null) {
    const now = await existing(deps, { scope: 'all', id })
    throw new Fault('conflict', `The invoice is ${now.status}; only an open one can be marked ${to}.`)
  }
  await wakeCollection(deps, changed)
  return invoiceRecord(changed)
}

/**
 * Lets the job end the collection of an invoice that is not open any more. A crash before it leaves one that does
 * nothing.
 */
const wakeCollection = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  { id, workspace }: StoredInvoice,
): Promise<void> => {
  const { account } = await deps.billing.read(workspace)
  if (!account?.collections?.some(({ invoice }) => invoice === id)) return
  const now = deps.now()
  await changeBilling(deps, workspace, (billing) =>
    changeCollection(billing, id, (found) => ({ ...found, nextAt: now })),
  )
}

const chargingFault = () =>
  new Fault('conflict', 'A payment of this invoice is under way; read the invoice again in some minutes.')

/** Returns a page where an open invoice is paid; a repeated request gets the same page. */
export const payInvoice = async (
  deps: Deps,
  { workspace, id, return_url: returnUrl, email }: InvoicePayment,
): Promise<Link__Output> => {
  const { payments, now } = deps
  const invoice = await existing(deps, { scope: { workspace }, id })
  if (invoice.status !== 'open')
    throw new Fault('conflict', `The invoice is ${invoice.status}; only an open invoice can be paid.`)
  const { account } = await deps.billing.read(workspace)
  const collection = account?.collections?.find((one) => one.invoice === invoice.id)
  if (collection?.isCharging) throw chargingFault()
  const former = collection?.page ?? null
  if (former !== null && former.until > now() + minPageMs) return { url: former.url }
  const amountCents = totalOf(invoice)
  const page = await payments.begin({
    id: newId('pay'),
    workspace,
    plan: null,
    invoice: invoice.id,
    description: `Invoice ${invoiceNumber(invoice.seq)}`,
    amountCents,
    customer: account?.customer ?? null,
    email,
    returnUrl,
    now: now(),
  })
  if (page === null) throw noPageFault('pay this invoice as its operator asks, who then marks it as paid')
  try {
    await changeBilling(deps, workspace, (billing) =>
      withPage(billing, { invoice: invoice.id, amountCents, returnUrl, page, former }),
    )
  } catch (thrown) {
    // No one has its address.
    await payments.end(page.session).catch(() => {})
    throw thrown
  }
  if (former !== null) await payments.end(former.session).catch(() => {})
  return { url: page.url }
}

type NewPage = {
  invoice: string
  amountCents: number
  returnUrl: string
  page: PaymentPage
  former: PaymentPage | null
}

/** Stores a page. An invoice without a saved card is not charged, and has a page only. */
const withPage = (billing: Billing, { invoice, amountCents, returnUrl, page, former }: NewPage): Billing => {
  const { collections = [] } = billing.account
  const isKnown = collections.some((one) => one.invoice === invoice)
  const fresh = isKnown ? [] : [newCollection(invoice, amountCents, neverMs)]
  const account = { ...billing.account, returnUrl, collections: [...collections, ...fresh] }
  return changeCollection({ ...billing, account }, invoice, (found) => {
    if (found.isCharging || (found.page !== null && found.page.session !== former?.session)) throw chargingFault()
    return { ...found, page }
  })
}

/** Returns the provider's page for cards and receipts. */
export const openPortal = async (
  { billing, payments }: Pick<Deps, 'billing' | 'payments'>,
  { workspace, return_url: returnUrl }: PortalRequest__Output,
): Promise<Link__Output> => {
  const { account } = await billing.read(workspace)
  if (account?.customer === undefined)
    throw new Fault('conflict', 'This page exists after the first payment by card; pay an open invoice first.')
  const url = await payments.portal(account.customer, returnUrl)
  if (url === null) throw noPageFault('ask its operator')
  return { url }
}

const noPageFault = (advice: string) => new Fault('conflict', `This service has no pages for payments; ${advice}.`)
