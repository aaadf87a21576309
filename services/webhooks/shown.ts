import type { ShownAttempt, ShownDelivery, ShownEndpoint, ShownReplay } from '@postrider/contracts/services.ts'
import type { WebhookAttempt, WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import { signingSecrets } from '@postrider/domain/webhooks/secrets.ts'
import { shownNextAt } from '@postrider/domain/webhooks/testClock.ts'

/*
 * The public form of the records of this service. Each member is named, so that no other member, such as a sealed
 * secret, leaves the service.
 */

/** @param replay the newest one; null: none is stored */
export const shownEndpoint = (endpoint: WebhookEndpoint, replay: WebhookReplay | null, now: number): ShownEndpoint => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  failingSince: endpoint.failingSince,
  createdAt: endpoint.createdAt,
  updatedAt: endpoint.updatedAt,
  secretsValidUntil: signingSecrets(endpoint, now).flatMap(({ expiresAt }) => expiresAt ?? []),
  replay: replay && shownReplay(replay),
})

export const shownDelivery = (delivery: WebhookDelivery): ShownDelivery => ({
  id: delivery.id,
  endpoint: delivery.endpoint,
  eventId: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  isTest: delivery.isTest,
  reason: delivery.reason,
  attempts: delivery.attempts.map(shownAttempt),
  nextAt: shownNextAt(delivery),
  createdAt: delivery.createdAt,
})

const shownAttempt = ({ at, statusCode, durationMs, error, response }: WebhookAttempt): ShownAttempt => ({
  at,
  statusCode,
  durationMs: Math.round(durationMs),
  error,
  response,
})

export const shownReplay = (replay: WebhookReplay): ShownReplay => ({
  id: replay.id,
  status: replay.status,
  from: replay.from,
  to: replay.to,
  position: replay.cursor?.at ?? null,
  sent: replay.sent,
  delivered: replay.delivered,
  createdAt: replay.createdAt,
  endedAt: replay.endedAt,
})
