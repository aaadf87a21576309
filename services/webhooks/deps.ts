import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookRules } from '@postrider/domain/webhooks/url.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { SecretBox } from '@postrider/kit/secretBox.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import type { EventHints } from '@postrider/ports/eventHints.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import type { WebhookClient } from '@postrider/ports/webhookClient.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import type { WebhookReplayStore } from '@postrider/ports/webhookReplays.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { WebhooksMetrics } from './metrics.ts'

/** Dependencies of every part of this service. */
export type Deps = {
  endpoints: WebhookEndpointStore
  deliveries: WebhookDeliveryStore
  replays: WebhookReplayStore
  emails: Pick<EmailStore, 'get'>
  feed: EventFeed
  workspaceEvents: Pick<WorkspaceEventStore, 'insert'>
  hints: EventHints
  clocks: Pick<TestClockStore, 'get'>
  client: Pick<WebhookClient, 'post'>
  /** Where webhooks may go. */
  rules: WebhookRules
  box: SecretBox
  durable: Pick<Durable, 'synced'>
  /** The store's clock. */
  now: Clock
  /** Measures the age of what is cached. */
  elapsed: Monotonic
  /** Uniform in [0, 1). */
  random: () => number
  pause(ms: number): Promise<unknown>
  /** For long work: of each workspace a part runs in turn. */
  slices: Slices
  limits: WebhookLimits
  log: Log
  metrics: WebhooksMetrics
}

/** Limits of this service. */
export type WebhookLimits = {
  /** Maximum number of endpoints of a workspace. */
  endpoints: number
  /** Requests to receivers at the same time. */
  requests: number
  /** Replays of one workspace at the same time; one more is for others. */
  replays: number
  /** How long the log of deliveries is stored. */
  recordMs: number
}

/** Limits that the configuration does not set. */
export const defaultWebhookLimits: Pick<WebhookLimits, 'replays'> = { replays: 8 }

/** Endpoints that are cached for a short time. */
export type EndpointCache = {
  /** Returns the enabled endpoints of a workspace. */
  enabledOf(workspace: string): Promise<readonly WebhookEndpoint[]>
  /** Returns an endpoint; null: it does not exist. */
  get(id: string): Promise<WebhookEndpoint | null>
  /** Replaces the cached data of a workspace and an endpoint by that of the store. */
  forget(endpoint: { id: string; workspace: string }): void
}
