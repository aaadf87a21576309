import type { Attempt__Output as AttemptMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Attempt.ts'
import type { Delivery__Output as DeliveryMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Delivery.ts'
import type { Endpoint__Output as EndpointMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Endpoint.ts'
import type { ReplayState__Output as ReplayMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/ReplayState.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { WebhookAttempt, WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import { signingSecrets } from '@postrider/domain/webhooks/secrets.ts'
import { shownNextAt } from '@postrider/domain/webhooks/testClock.ts'

/** Returns an endpoint as its service shows it. @param replay the newest one; null: none is stored */
export const endpointMessage = (
  endpoint: WebhookEndpoint,
  replay: WebhookReplay | null,
  now: number,
): EndpointMessage => ({
  id: endpoint.id,
  mode: endpoint.mode ?? '',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  ...(endpoint.disabledReason !== null && { disabled_reason: endpoint.disabledReason }),
  ...(endpoint.failingSince !== null && { failing_since: isoTime(endpoint.failingSince) }),
  created_at: isoTime(endpoint.createdAt),
  updated_at: isoTime(endpoint.updatedAt),
  secrets_valid_until: signingSecrets(endpoint, now).flatMap(({ expiresAt }) =>
    expiresAt === null ? [] : [isoTime(expiresAt)],
  ),
  ...(replay !== null && { replay: replayMessage(replay) }),
})

export const deliveryMessage = (delivery: WebhookDelivery): DeliveryMessage => {
  const nextAt = shownNextAt(delivery)
  return {
    id: delivery.id,
    endpoint: delivery.endpoint,
    event_id: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    test: delivery.isTest,
    ...(delivery.reason !== null && { reason: delivery.reason }),
    attempts: delivery.attempts.map(attemptMessage),
    ...(nextAt !== null && { next_at: isoTime(nextAt) }),
    created_at: isoTime(delivery.createdAt),
  }
}

const attemptMessage = ({ at, statusCode, durationMs, error, response }: WebhookAttempt): AttemptMessage => ({
  at: isoTime(at),
  ...(statusCode !== null && { status_code: statusCode }),
  duration_ms: Math.round(durationMs),
  ...(error !== null && { error }),
  ...(response !== null && { response: { body: response.body, cut: response.isCut } }),
})

export const replayMessage = (replay: WebhookReplay): ReplayMessage => ({
  id: replay.id,
  status: replay.status,
  from: isoTime(replay.from),
  to: isoTime(replay.to),
  ...(replay.cursor !== null && { position: isoTime(replay.cursor.at) }),
  sent: replay.sent,
  delivered: replay.delivered,
  created_at: isoTime(replay.createdAt),
  ...(replay.endedAt !== null && { ended_at: isoTime(replay.endedAt) }),
})
