import type { Payments } from '@postrider/ports/payments.ts'
import { offlinePayments } from './offline/payments.ts'

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
