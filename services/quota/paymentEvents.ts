import type { PaymentEventRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/PaymentEventRequest.ts'
import { type Billing, type BillingContext, changeCollection } from '@postrider/domain/billing/account.ts'
import { withoutPage } from '@postrider/domain/billing/collections.ts'
import { adjust } from '@postrider/domain/billing/corrections.ts'
import { invoiceNumber, totalOf } from '@postrider/domain/billing/invoices.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { choiceOf, startPlan } from '@postrider/domain/billing/planChoice.ts'
import { monthOf } from '@postrider/domain/time.ts'
import type { PaymentEvent } from '@postrider/ports/payments.ts'
import { invoiceEntry, planEntry } from './auditEntries.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'

/** Payments of a workspace that are remembered: events about older ones are long over. */
const maxPayments = 100

/**
 * Applies a signed event of the payment provider. Events are repeated, late and in any order, so each effect is guarded
 * by the state: a payment is applied once, even if several events report it.
 */
export const takePaymentEvent = async (deps: Deps, request: PaymentEventRequest__Output): Promise<void> => {
  const { billing, payments, metrics, now } = deps
  const event = await payments.event(request.body, request.signature, now()).catch((thrown: unknown) => {
    metrics.paymentEvents.inc({ outcome: 'refused' })
    throw thrown
  })
  if (event === null || (await billing.read(event.workspace)).account === null) {
    metrics.paymentEvents.inc({ outcome: 'ignored' })
    return
  }
  if (await billing.hasEvent(event.id)) {
    metrics.paymentEvents.inc({ outcome: 'repeated' })
    return
  }
  if (event.kind === 'ended') await endCheckout(deps, event)
  else if (event.invoice === null) await applyUpgrade(deps, event)
  else await applyToInvoice(deps, event, event.invoice)
  // Last: an event whose effect was not stored is applied when it is repeated.
  await billing.addEvent(event.id, now())
  metrics.paymentEvents.inc({ outcome: 'applied' })
}

/** A payment that ended without money is not offered again. */
const endCheckout = async (deps: Deps, { workspace, session, invoice }: PaymentEvent): Promise<void> => {
  await changeBilling(deps, workspace, (billing) => {
    if (billing.account.checkout?.session === session) return withoutCheckout(billing)
    if (invoice === null) return billing
    return changeCollection(billing, invoice, (found) => (found.page?.session === session ? withoutPage(found) : found))
  })
}

const withoutCheckout = (billing: Billing): Billing => ({
  ...billing,
  account: { ...billing.account, checkout: null },
})

/** Remembers a payment, and the customer who made it. */
const withPayment = (billing: Billing, { session, customer }: PaymentEvent): Billing => {
  const payments = [...(billing.account.payments ?? []), session].slice(-maxPayments)
  const account = { ...billing.account, payments, ...(customer === null ? {} : { customer }) }
  return { ...billing, account }
}

const isApplied = ({ account }: Billing, { session }: PaymentEvent): boolean =>
  account.payments?.includes(session) ?? false

/** Stores money that pays for nothing as a credit on the next invoice. */
const withCredit = (billing: Billing, { amountCents }: PaymentEvent, now: number): Billing =>
  amountCents > 0 ? adjust(billing, -amountCents, 'Credit for a payment received', now) : billing

const originOf = ({ now }: Deps, { workspace }: PaymentEvent) => ({
  workspace,
  at: now(),
  actor: 'system',
  clientAddress: '',
})

const applyUpgrade = async (deps: Deps, event: PaymentEvent): Promise<void> => {
  await changeBilling(
    deps,
    event.workspace,
    (billing, context) => (isApplied(billing, event) ? billing : upgraded(billing, event, context)),
    {
      entryOf: planEntry(originOf(deps, event), 'payment.receive', {
        target: event.session,
        after: { amount_usd: usdText(event.amountCents) },
      }),
    },
  )
}

/**
 * Begins the plan that was paid for, as of the day on which the payment was begun if that is in this month, and marks
 * its invoice as paid. A payment that does not fit, because the plan began otherwise or the amount changed, is a
 * credit.
 */
const upgraded = (billing: Billing, event: PaymentEvent, context: BillingContext): Billing => {
  const { checkout } = billing.account
  const awaited = checkout?.session === event.session ? checkout : null
  const paid = withPayment(billing, event)
  const free = awaited === null ? paid : withoutCheckout(paid)
  const plan = awaited?.plan ?? event.plan
  if (plan === null || choiceOf(free, plan, context.now) !== 'upgrade') return withCredit(free, event, context.now)
  const isThisMonth = awaited !== null && monthOf(awaited.at) === monthOf(context.now)
  const begun = startPlan(free, plan, context, isThisMonth ? awaited.at : context.now)
  const invoice = begun.account.newInvoices.at(-1)
  const isIssued = begun.account.newInvoices.length > free.account.newInvoices.length
  if (!isIssued || invoice?.totalCents !== event.amountCents) return withCredit(begun, event, context.now)
  const newInvoices = begun.account.newInvoices.map((one) =>
    one === invoice ? { ...one, status: 'paid' as const } : one,
  )
  return changeCollection({ ...begun, account: { ...begun.account, newInvoices } }, invoice.id, () => null)
}

/** Marks an invoice as paid by a payment. A payment that it does not need is a credit. */
export const applyToInvoice = async (deps: Deps, event: PaymentEvent, id: string): Promise<void> => {
  const { billing, now } = deps
  const { workspace, session } = event
  const reason = `payment ${session}`
  const found = await billing.invoice(id, workspace)
  const isWhole = found !== null && totalOf(found) === event.amountCents
  const entry = invoiceEntry(originOf(deps, event), {
    id,
    number: found === null ? '' : invoiceNumber(found.seq),
    to: 'paid',
    reason,
  })
  const marked = isWhole ? await billing.setStatus({ id, from: ['open'], to: 'paid', at: now(), reason }, entry) : null
  // A repeated event finds the invoice paid by the same payment.
  const isPaid = marked !== null || (found?.status === 'paid' && found.reason === reason)
  await changeBilling(deps, workspace, (state, context) => {
    if (isApplied(state, event)) return state
    const paid = withPayment(state, event)
    return isPaid ? changeCollection(paid, id, () => null) : withCredit(paid, event, context.now)
  })
}
