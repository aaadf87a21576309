import type { RouteDeps, Step } from '../deps.ts'
import { openBodies } from '../steps/bodyRoom.ts'
import { withBody } from '../steps/readBody.ts'
import { sendJson } from './html.ts'

/** Stripe's events are a few KiB. */
const mostBytes = 256 * 1_024

/**
 * `POST /api/v1/billing/stripe/webhook`: an event of the payment provider. Its signature covers the body byte for byte and
 * is the only thing that opens this path, so the body is passed on as it is.
 */
export const stripeWebhook = ({ quota, memory, durable }: Pick<RouteDeps, 'quota' | 'memory' | 'durable'>): Step =>
  async function stripeWebhook(context) {
    const signature = context.get('stripe-signature')
    await withBody(context, { mostBytes, memory: openBodies(memory, memory.payments) }, async (body) => {
      await quota.TakePaymentEvent({ body, signature })
      await durable.settled()
    })
    sendJson(context, { received: true })
  }
