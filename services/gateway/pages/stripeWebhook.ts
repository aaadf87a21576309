import { Fault } from '@postrider/kit/fault.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
import { openBodies } from '../bodies/bodyRoom.ts'
import type { RouteDeps, Step } from '../deps.ts'
import { withBody } from '../steps/readBody.ts'
import { sendJson } from './html.ts'

/** Stripe's events are a few KiB. */
const maxBytes = 256 * 1_024

/** How long it is cached whether there is a payment provider: unauthenticated clients can send requests at any rate. */
const knownMs = 10_000

/**
 * `POST /api/v1/billing/stripe/webhook`: an event of the payment provider. Its signature covers the body byte for byte
 * and is the only thing that opens this path, so the body is passed on as it is. Without a provider the path does not
 * exist, and no body is read.
 */
export const stripeWebhook = ({
  quota,
  memory,
  durable,
  elapsed,
}: Pick<RouteDeps, 'quota' | 'memory' | 'durable' | 'elapsed'>): Step => {
  const sendsEvents = knownProvider(quota, elapsed)
  return async function stripeWebhook(context) {
    if (!(await sendsEvents())) throw new Fault('not_found', 'There is nothing at this path.')
    const signature = context.get('stripe-signature')
    await withBody(context, { maxBytes, memory: openBodies(memory, memory.payments) }, async (body) => {
      await quota.TakePaymentEvent({ body, signature })
      await durable.synced()
    })
    sendJson(context, { received: true })
  }
}

/**
 * Returns whether a provider sends events. If quota does not respond, or is of an earlier release, returns true; the
 * call with the event then fails.
 */
const knownProvider = (
  quota: Pick<RouteDeps['quota'], 'GetPaymentProvider'>,
  elapsed: RouteDeps['elapsed'],
): (() => Promise<boolean>) => {
  const known = ttlCache<boolean>({ freshMs: knownMs, max: 1, elapsed })
  const readStatus = async (): Promise<boolean> => {
    const at = elapsed()
    const response = await quota.GetPaymentProvider({}).catch(() => null)
    if (response !== null) known.set('', response.sends_events, at)
    return response?.sends_events ?? true
  }
  const reading = singleFlight(readStatus)
  return async () => known.get('') ?? reading.run()
}
