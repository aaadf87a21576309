import type { Delivery__Output as Delivery } from '@postrider/contracts/gen/postrider/webhooks/v1/Delivery.ts'
import type { Endpoint__Output as Endpoint } from '@postrider/contracts/gen/postrider/webhooks/v1/Endpoint.ts'
import type { EndpointWithSecret__Output as EndpointWithSecret } from '@postrider/contracts/gen/postrider/webhooks/v1/EndpointWithSecret.ts'
import type { ReplayState__Output as ReplayState } from '@postrider/contracts/gen/postrider/webhooks/v1/ReplayState.ts'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { given } from '@postrider/kit/fault.ts'

/** Records of webhooks, made from the messages of their service. */

export const webhookRecord = (endpoint: Endpoint) => ({
  object: 'webhook' as const,
  id: endpoint.id,
  url: endpoint.url,
  // The service writes none for all of them.
  events: endpoint.events.length === 0 ? [...eventTypes] : endpoint.events,
  description: endpoint.description,
  mode: endpoint.mode,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabled_reason ?? null,
  failing_since: endpoint.failing_since ?? null,
  former_secret_expires_at: endpoint.secrets_valid_until[0] ?? null,
  replay: endpoint.replay ? replayRecord(endpoint.id, endpoint.replay) : null,
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at,
})

/** Returns the types as the service stores them: none for all, so that a webhook with all gets later types too. */
export const storedTypes = (events: readonly string[]): string[] =>
  eventTypes.every((type) => events.includes(type)) && events.length === eventTypes.length ? [] : [...events]

export const webhookWithSecret = ({ endpoint, secret }: EndpointWithSecret) => ({
  ...webhookRecord(given(endpoint, 'endpoint')),
  secret,
})

export const deliveryRecord = (delivery: Delivery) => ({
  object: 'webhook_delivery' as const,
  id: delivery.id,
  webhook_id: delivery.endpoint,
  event_id: delivery.event_id,
  type: delivery.type,
  status: delivery.status,
  reason: delivery.reason ?? null,
  test: delivery.test,
  attempts: delivery.attempts.map(({ at, status_code, duration_ms, error, response }) => ({
    at,
    status_code: status_code ?? null,
    duration_ms,
    ...(error !== undefined && { error }),
    response: response ? { body: response.body, truncated: response.cut } : null,
  })),
  next_at: delivery.next_at ?? null,
  created_at: delivery.created_at,
})

export const deliveryWithRequest = (delivery: Delivery) => {
  const { request } = delivery
  return {
    ...deliveryRecord(delivery),
    request: request
      ? { url: request.url, headers: request.headers, body: request.body, truncated: request.cut }
      : null,
  }
}

export const replayRecord = (webhook: string, replay: ReplayState) => ({
  object: 'webhook_replay' as const,
  id: replay.id,
  webhook_id: webhook,
  status: replay.status,
  from: replay.from,
  to: replay.to,
  position: replay.position ?? null,
  progress: progressOf(replay),
  sent: replay.sent,
  delivered: replay.delivered,
  created_at: replay.created_at,
  ended_at: replay.ended_at ?? null,
})

/** Returns the part of the window up to the last event that was sent, with three decimals. */
const progressOf = ({ status, from, to, position }: ReplayState): number => {
  if (status === 'done') return 1
  if (position === undefined) return 0
  const part = (Date.parse(position) - Date.parse(from)) / (Date.parse(to) - Date.parse(from))
  return Math.round(Math.min(1, Math.max(0, part)) * 1_000) / 1_000
}
