import { Fault } from '@postrider/kit/fault.ts'
import type { Payments } from '@postrider/ports/payments.ts'

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
