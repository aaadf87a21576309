import type { Indexes } from '../client/connect.ts'
import { webhookDeliveryIndexes } from './deliveries.ts'
import { webhookEndpointIndexes } from './endpoints.ts'
import { webhookReplayIndexes } from './replays.ts'

/** Indexes of endpoints, deliveries and replays. */
export const webhookIndexes: Indexes = {
  ...webhookEndpointIndexes,
  ...webhookDeliveryIndexes,
  ...webhookReplayIndexes,
}

/** The collections with outboxes that the webhooks service sweeps. */
export const webhookOutboxes = {
  indexed: ['webhook_endpoints', 'webhook_replays'],
  noticed: 'webhook_deliveries',
} as const
