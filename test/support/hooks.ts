import assert from 'node:assert/strict'
import type { SeenWebhook, WebhookReply } from '@postrider/ports/webhookClient.conformance.ts'
import { Webhook } from 'standardwebhooks'
import type { Caller } from './client.ts'
import type { ListRecord } from './records.ts'
import { until } from './until.ts'
import { startWebhookServer } from './webhookReceiver.ts'

/* What tests of the API read of webhooks. */

export type WebhookRecord = {
  id: string
  url: string
  events: string[]
  description: string
  mode: string
  enabled: boolean
  disabled_reason: string | null
  former_secret_expires_at: string | null
  replay: Record<string, unknown> | null
}

export type DeliveryRecord = {
  id: string
  event_id: string
  type: string
  status: string
  reason: string | null
  test: boolean
  attempts: {
    at: string
    status_code: number | null
    duration_ms: number
    error?: string
    response: { body: string; truncated: boolean } | null
  }[]
  next_at: string | null
}

export type Payload = { id: string; type: string; timestamp: string; data: Record<string, unknown> }

export const bodyOf = ({ body }: SeenWebhook): Payload => JSON.parse(body) as Payload

/** Verifies with the reference implementation. @throws if it refuses the signature */
export const verified = (secret: string, { body, headers }: SeenWebhook): Payload =>
  new Webhook(secret).verify(body, { ...headers }) as Payload

/**
 * A receiver of one webhook: `reply` decides each response, by the number of requests for the same event before. The
 * request waits for it.
 */
export const startHook = async (
  caller: Caller,
  fields: Record<string, unknown> = {},
  reply: (seen: SeenWebhook, before: number) => WebhookReply | Promise<WebhookReply> = () => ({}),
) => {
  const counts = new Map<string, number>()
  const server = await startWebhookServer((seen) => {
    const id = seen.headers['webhook-id'] ?? ''
    const before = counts.get(id) ?? 0
    counts.set(id, before + 1)
    return reply(seen, before)
  })
  const made = await caller.call<WebhookRecord & { secret: string }>({
    path: '/api/v1/webhooks',
    json: { url: server.url, ...fields },
  })
  assert.equal(made.status, 201, made.text)
  const { id, secret } = made.body
  const path = `/api/v1/webhooks/${id}`
  const deliveries = async (query = ''): Promise<DeliveryRecord[]> => {
    const response = await caller.call<ListRecord<DeliveryRecord>>({ path: `${path}/deliveries${query}` })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }
  return {
    id,
    path,
    secret,
    made,
    seen: server.seen,
    deliveries,
    read: async () => (await caller.call<WebhookRecord>({ path })).body,
    /** Waits for a request that `wanted` accepts. */
    waitFor: (what: string, wanted: (payload: Payload) => boolean): Promise<SeenWebhook> =>
      until(what, () => server.seen.find((one) => wanted(bodyOf(one)))),
    /** Waits until the delivery of an event is in a state. */
    delivery: async (eventId: string, wanted: (one: DeliveryRecord) => boolean): Promise<DeliveryRecord> => {
      let last: DeliveryRecord | undefined
      const check = async () => {
        last = (await deliveries(`?event_id=${eventId}`))[0]
        return last && wanted(last) ? last : undefined
      }
      return until(`the delivery of ${eventId}`, check).catch((reason: Error) => {
        throw new Error(`${reason.message}; it is ${JSON.stringify(last)}`)
      })
    },
    [Symbol.asyncDispose]: async () => {
      await caller.call({ method: 'DELETE', path })
      await server[Symbol.asyncDispose]()
    },
  }
}

export type Hook = Awaited<ReturnType<typeof startHook>>
