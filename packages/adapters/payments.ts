import { Fault } from '@postrider/kit/fault.ts'
import type { Payments } from '@postrider/ports/payments.ts'

/** The variables that select the payment provider. */
export type PaymentsConfig = {
  POSTRIDER_STRIPE_SECRET_KEY?: string | undefined
  POSTRIDER_STRIPE_WEBHOOK_SECRET?: string | undefined
  POSTRIDER_STRIPE_API?: string | undefined
}

/** Opens the configured payment provider. Stripe's library is loaded only if it is the one. */
export const openPayments = async (config: PaymentsConfig): Promise<Payments> => {
  const { POSTRIDER_STRIPE_SECRET_KEY: secretKey, POSTRIDER_STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (secretKey === undefined || webhookSecret === undefined) return offlinePayments()
  const { stripePayments } = await import('./stripe/payments.ts')
  return stripePayments({ secretKey, webhookSecret, api: config.POSTRIDER_STRIPE_API })
}

/** Payments outside of the service: plans begin immediately, and the operator marks invoices as paid. */
export const offlinePayments = (): Payments => ({
  hasPages: false,
  begin: async () => null,
  end: async () => true,
  prepareCharge: async () => null,
  charge: async () => ({ kind: 'failed', reason: 'no_payment_method' }),
  portal: async () => null,
  event: async () => {
    throw new Fault('not_found', 'This service has no payment provider that sends events.')
  },
})
