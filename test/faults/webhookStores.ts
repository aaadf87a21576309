import { auditIndexes } from '@postrider/adapters/mongo/audit/document.ts'
import { mongoDurable } from '@postrider/adapters/mongo/client/durable.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { webhookIndexes } from '@postrider/adapters/mongo/webhooks/webhooks.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { EventHints } from '@postrider/ports/eventHints.ts'
import { webhooksMetrics } from '@postrider/webhooks/metrics.ts'
import { type OpenWebhooksOptions, openWebhooks } from '@postrider/webhooks/webhooks.ts'
import type { Db } from 'mongodb'
import type { fakeWebhookClient } from '../support/fakeWebhookClient.ts'

/** Stores that a process of webhooks reads and writes. */
export type WebhookStores = Pick<
  OpenWebhooksOptions,
  'endpoints' | 'deliveries' | 'replays' | 'feed' | 'workspaceEvents' | 'durable'
> & { emails: EmailStore }

export const webhookDatabaseIndexes = [webhookIndexes, emailIndexes, workspaceEventIndexes, auditIndexes]

export const mongoWebhookStores = (db: Db, now: () => number): WebhookStores => ({
  endpoints: mongoWebhookEndpoints(db),
  deliveries: mongoWebhookDeliveries(db),
  replays: mongoWebhookReplays(db),
  emails: mongoEmails(db),
  feed: mongoEventFeed(db),
  workspaceEvents: mongoWorkspaceEvents(db, now),
  durable: mongoDurable,
})

export const sqliteWebhookStores = (db: SqliteDatabase, now: () => number): WebhookStores => ({
  endpoints: sqliteWebhookEndpoints(db),
  deliveries: sqliteWebhookDeliveries(db),
  replays: sqliteWebhookReplays(db),
  emails: sqliteEmails(db),
  feed: sqliteEventFeed(db),
  workspaceEvents: sqliteWorkspaceEvents(db, now),
  durable: db,
})

type OpenOnOptions = {
  stores: WebhookStores
  hints: EventHints
  client: Pick<ReturnType<typeof fakeWebhookClient>, 'post'>
  now: () => number
}

/** Opens a process of webhooks on these stores. Retries have no jitter. */
export const openWebhooksOn = ({ stores, hints, client, now }: OpenOnOptions) =>
  openWebhooks({
    ...stores,
    clocks: { get: async () => null },
    hints,
    // The test closes it: several processes use it one after the other.
    client: { post: client.post, close: async () => {} },
    rules: webhookRules({ allow: ['127.0.0.0/8'] }),
    secrets: ['a-master-key-of-thirty-two-characters'],
    config: { POSTRIDER_MAX_WEBHOOKS: 100, POSTRIDER_WEBHOOK_REQUESTS: 64, POSTRIDER_RETENTION_RECORD_DAYS: 90 },
    now,
    random: () => 0,
    pause: async () => {},
    log: makeLog('test', 'silent'),
    metrics: makeMetrics(webhooksMetrics),
  })
