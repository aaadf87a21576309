import { type AddressResolverOptions, addressResolver } from '@postrider/adapters/http/addresses.ts'
import { type WebhookClientOptions, webhookClient } from '@postrider/adapters/http/webhookClient.ts'

/** Longer than a busy machine stops a test. */
const patientMs = 3_600_000

/** Starts a webhook client whose limits of time do not end a test. */
export const patientWebhookClient = ({ limits, ...options }: WebhookClientOptions) =>
  webhookClient({ ...options, limits: { totalMs: patientMs, idleMs: patientMs, ...limits } })

/** Resolves at one server, which has much time for a response. */
export const patientResolver = ({ host, port }: { host: string; port: number }, options: AddressResolverOptions = {}) =>
  addressResolver({ servers: [{ address: host, port }], tryMs: 60_000, ...options })
