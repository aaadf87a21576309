import type { ChargeFailure } from '@postrider/domain/billing/collections.ts'
import { type PlanName, planNames } from '@postrider/domain/quota/plans.ts'
import { hourMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { ChargeOutcome, PaymentEvent, PaymentRequest, Payments } from '@postrider/ports/payments.ts'
import Stripe from 'stripe'

export type StripeOptions = {
  secretKey: string
  /** Signing secret of the webhook endpoint. */
  webhookSecret: string
  /** Address of the API; absent: Stripe's own. */
  api?: string | undefined
}

/** A call of the API ends before the call of the gateway does. */
const [timeoutMs, retries] = [3_000, 1]
/** A page works for this long; Stripe's shortest is 30 minutes. */
const pageMs = hourMs
/** How old a signature may be (Stripe's own default), in seconds. */
const toleranceSeconds = 300

/** What our payments carry, so that events of other products of the account are recognized. */
const product = 'postrider'

/**
 * Payments by card with Stripe Checkout. Our ledger decides the amounts; Stripe has no products or subscriptions of
 * ours.
 */
export const stripePayments = ({ secretKey, webhookSecret, api }: StripeOptions): Payments => {
  const stripe = new Stripe(secretKey, {
    ...addressOf(api),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    appInfo: { name: product },
  })
  return {
    ...charges(stripe),
    hasPages: true,
    begin: async (request) => {
      const until = request.now + (request.lifeMs ?? pageMs)
      // The same key for a repeated call: Stripe returns the session that it made.
      const session = await answered(() =>
        stripe.checkout.sessions.create(sessionOf(request, until), { idempotencyKey: request.id }),
      ).catch(asConflict)
      if (session.url === null) throw unavailableFault(undefined)
      return { session: session.id, url: session.url, until }
    },
    end: async (session) => {
      const refusedAsNull = (thrown: unknown): null => {
        if (!isRefusal(thrown)) throw thrown
        return null
      }
      const ended = await answered(() => stripe.checkout.sessions.expire(session)).catch(refusedAsNull)
      if (ended !== null) return true
      // It was paid, has ended, or does not exist.
      const found = await answered(() => stripe.checkout.sessions.retrieve(session)).catch(refusedAsNull)
      return found?.status !== 'complete'
    },
    portal: async (customer, returnUrl) => {
      const { url } = await answered(() =>
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
      ).catch(asConflict)
      return url
    },
    event: async (body, signature, now) => eventOf(verified(stripe, { body, signature, now, webhookSecret })),
  }
}

/**
 * Charges of invoices to the card that a customer saved. An invoice has one PaymentIntent, which succeeds at most once.
 * Its state is read before each try, so a try whose response was lost is not repeated.
 */
const charges = (stripe: Stripe): Pick<Payments, 'prepareCharge' | 'charge'> => {
  /** Returns the card that the customer chose in the portal, else the newest one. */
  const methodOf = async (customer: string): Promise<string | null> => {
    const found = await answered(() => stripe.customers.retrieve(customer))
    if (found.deleted) return null
    const chosen = textOf(found.invoice_settings?.default_payment_method ?? null)
    if (chosen !== null) return chosen
    const { data } = await answered(() => stripe.customers.listPaymentMethods(customer, { limit: 1 }))
    return data[0]?.id ?? null
  }
  return {
    prepareCharge: async ({ invoice, workspace, description, amountCents, customer }) => {
      const intent = await answered(() =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'usd',
            customer,
            description,
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            metadata: { product, workspace, invoice, collects: invoice },
          },
          { idempotencyKey: invoice },
        ),
      ).catch(asConflict)
      return intent.id
    },
    charge: async ({ id, payment, customer }) => {
      const read = () => answered(() => stripe.paymentIntents.retrieve(payment))
      try {
        const before = outcomeOf(await read())
        if (before !== null) return before
        const method = await methodOf(customer)
        if (method === null) return failedFor('no_payment_method')
        const sent = { payment_method: method, off_session: true }
        const intent = await answered(() => stripe.paymentIntents.confirm(payment, sent, { idempotencyKey: id }))
        return outcomeOf(intent) ?? failedFor(intent.status === 'requires_action' ? 'authentication' : 'declined')
      } catch (thrown) {
        if (thrown instanceof Stripe.errors.StripeCardError)
          return failedFor(thrown.code === 'authentication_required' ? 'authentication' : 'declined')
        if (!isRefusal(thrown)) throw thrown
        // Another call may have charged the card. Otherwise the card cannot be charged, or the customer was removed.
        return outcomeOf(await read().catch(asConflict)) ?? failedFor('declined')
      }
    },
  }
}

const failedFor = (reason: ChargeFailure): ChargeOutcome => ({ kind: 'failed', reason })

/** @returns null: the payment was not tried, or failed and can be tried again */
const outcomeOf = ({ status }: Stripe.PaymentIntent): ChargeOutcome | null => {
  if (status === 'succeeded') return { kind: 'paid' }
  if (status === 'processing') return { kind: 'waiting' }
  return status === 'canceled' ? failedFor('declined') : null
}

const addressOf = (api: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } => {
  if (api === undefined) return {}
  const { hostname, port, protocol } = new URL(api)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: Number(port || (isPlain ? 80 : 443)), protocol: isPlain ? 'http' : 'https' }
}

const sessionOf = (request: PaymentRequest, until: number): Stripe.Checkout.SessionCreateParams => {
  const { workspace, plan, invoice, description, amountCents, customer, email, returnUrl } = request
  const metadata = { product, workspace, plan: plan ?? '', invoice: invoice ?? '' }
  return {
    mode: 'payment',
    client_reference_id: workspace,
    metadata,
    // The card is saved: invoices of months are charged to it.
    payment_intent_data: { metadata, setup_future_usage: 'off_session' },
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: description } },
      },
    ],
    expires_at: Math.floor(until / 1_000),
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...(customer === null
      ? { customer_creation: 'always', ...(email === '' ? {} : { customer_email: email }) }
      : { customer }),
  }
}

type Signed = { body: Uint8Array; signature: string; now: number; webhookSecret: string }

/** @throws Fault `malformed_request`: the signature is missing, wrong or old, or the body is not an event */
const verified = (stripe: Stripe, { body, signature, now, webhookSecret }: Signed): Stripe.Event => {
  try {
    return stripe.webhooks.constructEvent(Buffer.from(body), signature, webhookSecret, toleranceSeconds, undefined, now)
  } catch (cause) {
    throw new Fault('malformed_request', 'The signature of the event is missing, wrong or old.', { cause })
  }
}

const textOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const planOf = (text: string | undefined): PlanName | null => planNames.find((name) => name === text) ?? null

/**
 * Reads an event about a checkout session of ours. What counts is the state of the session in the event, because events
 * come in any order: a session that is paid is paid in each of them.
 */
const eventOf = (event: Stripe.Event): PaymentEvent | null => {
  const { id, type, data } = event
  if (type === 'payment_intent.succeeded') return chargeOf(event)
  if (!type.startsWith('checkout.session.')) return null
  const session = data.object as Stripe.Checkout.Session
  const { metadata } = session
  if (metadata?.['product'] !== product || !metadata['workspace']) return null
  const kind = kindOf(type, session)
  if (kind === null) return null
  return {
    id,
    kind,
    session: session.id,
    workspace: metadata['workspace'],
    plan: planOf(metadata['plan']),
    invoice: metadata['invoice'] || null,
    customer: textOf(session.customer),
    amountCents: session.amount_total ?? 0,
  }
}

/** Reads an event about the charge of an invoice. The payments of checkout sessions are reported by these. */
const chargeOf = ({ id, data }: Stripe.Event): PaymentEvent | null => {
  const intent = data.object as Stripe.PaymentIntent
  const { metadata } = intent
  if (metadata['product'] !== product || !metadata['workspace'] || !metadata['collects']) return null
  return {
    id,
    kind: 'paid',
    session: intent.id,
    workspace: metadata['workspace'],
    plan: null,
    invoice: metadata['collects'],
    customer: textOf(intent.customer),
    amountCents: intent.amount_received,
  }
}

/** @returns null: the payment is still under way, as some methods take days */
const kindOf = (
  type: string,
  { payment_status: paid, status }: Stripe.Checkout.Session,
): PaymentEvent['kind'] | null => {
  if (paid === 'paid') return 'paid'
  return status === 'expired' || type === 'checkout.session.async_payment_failed' ? 'ended' : null
}

const unavailableFault = (cause: unknown) =>
  new Fault('unavailable', 'The payment provider does not respond; try again in a minute.', {
    retryAfterMs: 60_000,
    cause,
  })

/** Stripe refuses the payment, such as one below its least amount; repeating it changes nothing. */
const refusedFault = () =>
  new Fault('conflict', 'The payment provider refuses this payment; ask the operator of the service how to pay it.')

/** An idempotency key with other parameters is refused until Stripe deletes it. */
const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof Stripe.errors.StripeInvalidRequestError || thrown instanceof Stripe.errors.StripeIdempotencyError

/** @throws Fault `conflict` for a refusal: what Stripe writes about it may name parts of the key */
const asConflict = (thrown: unknown): never => {
  throw isRefusal(thrown) || thrown instanceof Stripe.errors.StripeCardError ? refusedFault() : thrown
}

/** Calls the API. Its errors go no further: they may name parts of the key. */
const answered = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (thrown) {
    if (isRefusal(thrown) || thrown instanceof Stripe.errors.StripeCardError) throw thrown
    throw unavailableFault(undefined)
  }
}
