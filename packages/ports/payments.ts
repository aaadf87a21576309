import type { ChargeFailure } from '@postrider/domain/billing/collections.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'

/**
 * A payment provider. The service decides what is to be paid and stores what was paid; a provider shows a page for the
 * payment and reports its end.
 */
export type Payments = {
  /**
   * Whether it has pages where upgrades and invoices are paid, and sends events about them; else they are paid outside
   * of the service.
   */
  hasPages: boolean
  /**
   * Begins a payment. Repeatable by `id`.
   * @returns null: payments are made outside of the service, so an upgrade begins immediately and its invoice stays
   * open
   * @throws Fault `unavailable`
   */
  begin(request: PaymentRequest): Promise<BegunPayment | null>
  /**
   * Ends a payment that was begun, so that it can no longer be made. A payment that was made stays.
   * @returns whether its page is closed and was not paid; false: it was paid, or the payment is under way
   */
  end(session: string): Promise<boolean>
  /**
   * Prepares the charge of an invoice to the saved card of a customer. Repeatable: the id of the invoice is the key, so
   * an invoice has one payment, which can succeed once, however often it is tried.
   * @returns the id of the payment; null: the provider does not charge cards without the customer
   * @throws Fault `conflict`: the provider refuses this payment permanently; `unavailable`
   */
  prepareCharge(request: ChargeRequest): Promise<string | null>
  /**
   * Charges the saved card without its owner. Repeatable by `id`: a repeated try has the result of the first one.
   * @throws Fault `unavailable`: the result is not known, and is that of the next call
   */
  charge(charge: { id: string; payment: string; customer: string }): Promise<ChargeOutcome>
  /** Returns a page where the customer manages cards and receipts; null: the provider has none. */
  portal(customer: string, returnUrl: string): Promise<string | null>
  /**
   * Reads an event that the provider sent.
   * @param signature the header that proves its origin
   * @param now milliseconds since the epoch: an old signature is refused
   * @returns null: the event does not concern a payment of this service
   * @throws Fault `malformed_request`: the signature is missing, wrong or old; `not_found`: no provider sends events
   */
  event(body: Uint8Array, signature: string, now: number): Promise<PaymentEvent | null>
}

export type ChargeRequest = {
  invoice: string
  workspace: string
  description: string
  amountCents: number
  customer: string
}

/** `waiting`: the payment method takes days, and an event reports the result. */
export type ChargeOutcome = { kind: 'paid' | 'waiting' } | { kind: 'failed'; reason: ChargeFailure }

export type PaymentRequest = {
  /** Ours; the events about the payment carry it. */
  id: string
  workspace: string
  /** The plan that begins when it is paid; null: an invoice is paid. */
  plan: PlanName | null
  /** The invoice that is paid; null: a plan, whose invoice is issued when it is paid. */
  invoice: string | null
  description: string
  amountCents: number
  /** Id of the customer that the provider reported at an earlier payment; null: none yet. */
  customer: string | null
  /** Address that the payment page suggests; empty: none. */
  email: string
  /** Where the payment page leads to afterwards. */
  returnUrl: string
  /** Milliseconds since the epoch. */
  now: number
  /** How long the page works, 30 minutes to 24 hours; absent: the provider's default. */
  lifeMs?: number
}

/** `until`: the page works until then, in milliseconds since the epoch. */
export type BegunPayment = { session: string; url: string; until: number }

/** Events are repeated, late and in any order; the ids make them recognizable. */
export type PaymentEvent = {
  id: string
  kind: 'paid' | 'ended'
  session: string
  workspace: string
  plan: PlanName | null
  invoice: string | null
  customer: string | null
  amountCents: number
}
