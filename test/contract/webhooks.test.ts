import { auditIndexes } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoWebhookDeliveries, webhookDeliveryIndexes } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints, webhookEndpointIndexes } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays, webhookReplayIndexes } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { webhookDeliveriesConformance } from '@postrider/ports/webhookDeliveries.conformance.ts'
import { webhookEndpointsConformance } from '@postrider/ports/webhookEndpoints.conformance.ts'
import { webhookReplaysConformance } from '@postrider/ports/webhookReplays.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('webhook stores', () => {
  const open = sqliteForTests()
  webhookEndpointsConformance('SQLite', () => sqliteWebhookEndpoints(open().db))
  webhookDeliveriesConformance('SQLite', () => sqliteWebhookDeliveries(open().db))
  webhookReplaysConformance('SQLite', () => sqliteWebhookReplays(open().db))

  describe('cluster', () => {
    const endpoints = mongoForTests(webhookEndpointIndexes)
    webhookEndpointsConformance('MongoDB', async () => mongoWebhookEndpoints(await endpoints()))
    const deliveries = mongoForTests(auditIndexes, webhookDeliveryIndexes)
    webhookDeliveriesConformance('MongoDB', async () => mongoWebhookDeliveries(await deliveries()))
    const replays = mongoForTests(webhookReplayIndexes)
    webhookReplaysConformance('MongoDB', async () => mongoWebhookReplays(await replays()))
  })
})
