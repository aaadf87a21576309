import { changeCollection } from '@postrider/domain/billing/account.ts'
import {
  afterFailedCharge,
  type ChargeFailure,
  type Collection,
  charging,
  isAsRead,
  noticePageMs,
  type PaymentNotice,
  type PaymentPage,
  waiting,
  withoutCharges,
} from '@postrider/domain/billing/collections.ts'
import { invoiceNumber, totalOf } from '@postrider/domain/billing/invoices.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { hasCode, isUnavailable } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredInvoice } from '@postrider/ports/billing.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'
import type { CollectOutcome } from './metrics.ts'
import { applyToInvoice } from './paymentEvents.ts'

type Target = { workspace: string; invoice: StoredInvoice; due: Collection; customer: string }

/**
 * Charges the saved card for the open invoices of a workspace that are due. Each try has these steps, which can be
 * repeated after a crash of any of them: end the page that an owner may pay on; prepare the payment, which the invoice
 * has once; store that it is charged; charge it; store the result.
 * @throws Fault `unavailable`: the provider or the store does not respond; the next check continues
 */
export const collectDue = async (deps: Deps, workspace: string): Promise<void> => {
  // Stores invoices first that a crash left in the state.
  const { account } = await changeBilling(deps, workspace, (billing) => billing)
  for (const due of (account.collections ?? []).filter(({ nextAt }) => nextAt <= deps.now())) {
    const invoice = await deps.billing.invoice(due.invoice, workspace)
    const outcome =
      invoice?.status === 'open' && account.customer !== undefined
        ? await collectOne(deps, { workspace, invoice, due, customer: account.customer })
        : await drop(deps, workspace, due)
    if (outcome !== null) deps.metrics.collections.inc({ outcome })
  }
}

/** Changes how an invoice is collected, if no other request changed it since it was read. @returns whether it did */
const change = async (
  deps: Deps,
  workspace: string,
  asRead: Collection,
  to: (collection: Collection) => Collection | null,
): Promise<boolean> => {
  let isChanged = false
  await changeBilling(deps, workspace, (billing) =>
    changeCollection(billing, asRead.invoice, (found) => {
      isChanged = isAsRead(found, asRead)
      return isChanged ? to(found) : found
    }),
  )
  return isChanged
}

/** The invoice is paid or void, or there is no customer: its page ends, and it is not collected any more. */
const drop = async (deps: Deps, workspace: string, due: Collection): Promise<null> => {
  if (due.page !== null) await deps.payments.end(due.page.session)
  await change(deps, workspace, due, () => null)
  return null
}

/** @returns null: another request changed the collection, and the next check continues */
const collectOne = async (deps: Deps, target: Target): Promise<CollectOutcome | null> => {
  const { payments, now } = deps
  const { workspace, invoice, due, customer } = target
  if (due.page !== null && !(await payments.end(due.page.session))) {
    // An owner has paid or is paying; an event reports it.
    return (await change(deps, workspace, due, (found) => waiting(found, now()))) ? 'waiting' : null
  }
  const payment = due.payment ?? (await prepare(deps, target))
  if (payment === null) return drop(deps, workspace, due)
  if (payment === 'refused') {
    deps.log.warn({ workspace, invoice_id: invoice.id }, 'invoice charge refused')
    return (await change(deps, workspace, due, withoutCharges)) ? 'refused' : null
  }
  const marked = charging(due, payment)
  if (!(await change(deps, workspace, due, () => marked))) return null
  const outcome = await payments.charge({ id: `${invoice.id}/${due.failures}`, payment, customer })
  switch (outcome.kind) {
    case 'paid':
      await applyToInvoice(
        deps,
        {
          id: payment,
          kind: 'paid',
          session: payment,
          workspace,
          plan: null,
          customer,
          amountCents: due.amountCents,
          invoice: invoice.id,
        },
        invoice.id,
      )
      return 'paid'
    case 'waiting':
      await change(deps, workspace, marked, (found) => waiting(found, now()))
      return 'waiting'
    case 'failed':
      return (await storeFailure(deps, { ...target, due: marked }, outcome.reason)) ? 'failed' : null
  }
}

const prepare = async (
  { payments }: Deps,
  { workspace, invoice, customer }: Target,
): Promise<string | 'refused' | null> => {
  const description = `Invoice ${invoiceNumber(invoice.seq)}`
  const request = { invoice: invoice.id, workspace, description, amountCents: totalOf(invoice), customer }
  return payments.prepareCharge(request).catch((thrown: unknown) => {
    if (hasCode(thrown, 'conflict')) return 'refused' as const
    throw thrown
  })
}

/** Stores a failure with the notice to the owners and the page where they pay, in one write. */
const storeFailure = async (deps: Deps, target: Target, reason: ChargeFailure): Promise<boolean> => {
  const { workspace, due, invoice } = target
  const page = await pageFor(deps, target)
  const now = deps.now()
  const failed = afterFailedCharge(due, page, now)
  const notice: PaymentNotice = {
    id: `${due.invoice}/${due.failures}`,
    workspace,
    invoice: due.invoice,
    number: invoiceNumber(invoice.seq),
    amountCents: due.amountCents,
    at: now,
    reason,
    page: page && { url: page.url, until: page.until },
    nextAt: failed.nextAt === neverMs ? null : failed.nextAt,
  }
  let isStored = false
  await changeBilling(deps, workspace, (billing) => {
    const changed = changeCollection(billing, due.invoice, (found) => (isAsRead(found, due) ? failed : found))
    isStored = changed !== billing
    if (!isStored) return billing
    return { ...changed, account: { ...changed.account, newNotices: [...(changed.account.newNotices ?? []), notice] } }
  })
  // No one has its address.
  if (!isStored && page !== null) await deps.payments.end(page.session)
  return isStored
}

/** @returns null: the provider refuses one, or where it leads to afterwards is not known */
const pageFor = async (
  { billing, payments, now }: Deps,
  { workspace, invoice, customer }: Target,
): Promise<PaymentPage | null> => {
  const returnUrl = (await billing.read(workspace)).account?.returnUrl
  if (returnUrl === undefined) return null
  const begun = payments.begin({
    id: newId('pay'),
    workspace,
    plan: null,
    invoice: invoice.id,
    description: `Invoice ${invoiceNumber(invoice.seq)}`,
    amountCents: totalOf(invoice),
    customer,
    email: '',
    returnUrl,
    now: now(),
    lifeMs: noticePageMs,
  })
  return begun.catch((thrown: unknown) => {
    if (isUnavailable(thrown)) throw thrown
    return null
  })
}
