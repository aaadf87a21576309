import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type {
  DeliveryRecord,
  DeliveryWithRequest,
  ReplayRecord,
  WebhookRecord,
  WebhookWithSecret,
} from '@postrider/contracts/http/webhook.ts'
import type {
  EndpointWithSecret,
  ShownDelivery,
  ShownEndpoint,
  ShownReplay,
  ShownRequest,
} from '@postrider/contracts/services.ts'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'

/* Records of webhooks in the API. */

export const webhookRecord = (endpoint: ShownEndpoint) =>
  ({
    object: 'webhook',
    id: endpoint.id,
    url: endpoint.url,
    // The service writes none for all of them.
    events: endpoint.events.length === 0 ? [...eventTypes] : endpoint.events,
    description: endpoint.description,
    mode: endpoint.mode ?? '',
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: isoTimeOrNull(endpoint.failingSince),
    former_secret_expires_at: isoTimeOrNull(endpoint.secretsValidUntil[0] ?? null),
    replay: endpoint.replay && replayRecord(endpoint.id, endpoint.replay),
    created_at: isoTime(endpoint.createdAt),
    updated_at: isoTime(endpoint.updatedAt),
  }) satisfies RecordOf<typeof WebhookRecord>

/** Returns the types as the service stores them: none for all, so that a webhook with all gets later types too. */
export const storedTypes = (events: readonly string[]): string[] =>
  eventTypes.every((type) => events.includes(type)) && events.length === eventTypes.length ? [] : [...events]

export const webhookWithSecret = ({ endpoint, secret }: EndpointWithSecret) =>
  ({ ...webhookRecord(endpoint), secret }) satisfies RecordOf<typeof WebhookWithSecret>

export const deliveryRecord = (delivery: ShownDelivery) =>
  ({
    object: 'webhook_delivery',
    id: delivery.id,
    webhook_id: delivery.endpoint,
    event_id: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    reason: delivery.reason,
    test: delivery.isTest,
    attempts: delivery.attempts.map(({ at, statusCode, durationMs, error, response }) => ({
      at: isoTime(at),
      status_code: statusCode,
      duration_ms: durationMs,
      ...(error !== null && { error }),
      response: response && { body: response.body, truncated: response.isCut },
    })),
    next_at: isoTimeOrNull(delivery.nextAt),
    created_at: isoTime(delivery.createdAt),
  }) satisfies RecordOf<typeof DeliveryRecord>

export const deliveryWithRequest = ({ request, ...delivery }: ShownDelivery & { request: ShownRequest | null }) =>
  ({
    ...deliveryRecord(delivery),
    request: request && {
      url: request.url,
      headers: request.headers,
      body: request.body,
      truncated: request.isCut,
    },
  }) satisfies RecordOf<typeof DeliveryWithRequest>

export const replayRecord = (webhook: string, replay: ShownReplay) =>
  ({
    object: 'webhook_replay',
    id: replay.id,
    webhook_id: webhook,
    status: replay.status,
    from: isoTime(replay.from),
    to: isoTime(replay.to),
    position: isoTimeOrNull(replay.position),
    progress: progressOf(replay),
    sent: replay.sent,
    delivered: replay.delivered,
    created_at: isoTime(replay.createdAt),
    ended_at: isoTimeOrNull(replay.endedAt),
  }) satisfies RecordOf<typeof ReplayRecord>

/** Returns the part of the window up to the last event that was sent, with three decimals. */
const progressOf = ({ status, from, to, position }: ShownReplay): number => {
  if (status === 'done') return 1
  if (position === null) return 0
  return Math.round(Math.min(1, Math.max(0, (position - from) / (to - from))) * 1_000) / 1_000
}
