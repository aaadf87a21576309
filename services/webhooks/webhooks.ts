import type { Webhooks } from '@postrider/contracts/services.ts'
import { dayMs } from '@postrider/domain/time.ts'
import { webhookSecretPurpose } from '@postrider/domain/webhooks/endpoint.ts'
import { pauseInBackground } from '@postrider/kit/pause.ts'
import { makeSecretBox, requireReadable } from '@postrider/kit/secretBox.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { WebhookClient } from '@postrider/ports/webhookClient.ts'
import { openChores } from './chores.ts'
import type { Config } from './config.ts'
import { deliveryRequests } from './deliveryRequests.ts'
import { type Deps, defaultWebhookLimits, type WebhookLimits } from './deps.ts'
import { endpointCache, fullEndpoints } from './endpointCache.ts'
import { endpointRequests } from './endpointRequests.ts'
import { openHintReader } from './hintReader.ts'
import { openReplayer } from './replayer.ts'
import { openScanner } from './scanner.ts'
import { resealAll } from './sealedSecrets.ts'
import { openSender } from './sender.ts'

/*
 * Webhooks: who is notified of an event. The files of this service:
 *
 *   hints ─▶ hintReader ─┐
 *                        ├─▶ sender.add ─▶ attempt ─▶ receiver   sender: what is due; backlog: the next endpoint
 *   feed ──▶ scanner ────┘      ▲             └─▶ outcome        outcome: what an attempt changes about its endpoint
 *   feed ──▶ replayer ── sender.send
 *
 * An endpoint has a limited number of deliveries that wait (`fullEndpoints`): above it, its events stay in the feed.
 * endpointRequests.ts and deliveryRequests.ts do what people request; changeEndpoint.ts makes the one guarded write of
 * every change; shown.ts has the public form of records; sealedSecrets.ts encrypts signing secrets; endpointCache.ts
 * saves reads of endpoints; testClocks.ts reads the clocks of test mail; concurrencyLimits.ts bounds requests;
 * chores.ts reports, removes and counts. The rules are in packages/domain/webhooks.
 */

export type OpenWebhooksOptions = Omit<Deps, 'random' | 'pause' | 'elapsed' | 'slices' | 'box' | 'limits' | 'client'> &
  Partial<Pick<Deps, 'random' | 'pause' | 'elapsed' | 'slices'>> & {
    /** Closed by the service. */
    client: WebhookClient
    config: Pick<Config, 'POSTRIDER_MAX_WEBHOOKS' | 'POSTRIDER_WEBHOOK_REQUESTS' | 'POSTRIDER_RETENTION_RECORD_DAYS'>
    /** The master keys: the first encrypts, all of them decrypt. */
    secrets: readonly [string, ...string[]]
    /** Where they differ from `defaultWebhookLimits` and the configuration. */
    limits?: Partial<WebhookLimits>
  }

/**
 * Opens the service, which sends what is due until it is disposed. Then it ends the requests that run; their deliveries
 * are due again immediately.
 * @throws Fault `conflict`: signing secrets are encrypted under a secret that is not configured
 */
export const openWebhooks = async (options: OpenWebhooksOptions) => {
  const { config, secrets, limits, ...given } = options
  const box = makeSecretBox({ secrets, purpose: webhookSecretPurpose })
  const deps = {
    random: Math.random,
    pause: pauseInBackground,
    elapsed: performance.now.bind(performance),
    slices: makeSlices(),
    ...given,
    box,
    limits: {
      ...defaultWebhookLimits,
      endpoints: config.POSTRIDER_MAX_WEBHOOKS,
      requests: config.POSTRIDER_WEBHOOK_REQUESTS,
      recordMs: config.POSTRIDER_RETENTION_RECORD_DAYS * dayMs,
      ...limits,
    },
  }
  await requireReadable(box, deps.endpoints, 'signing secrets of webhooks')
  const count = await resealAll(box, deps.endpoints)
  if (count > 0) deps.log.info({ count }, 're-encrypted webhook secrets')
  // An endpoint exists, and no request waits for this process yet.
  if ((await deps.endpoints.secretIds()).length > 0) deps.client.prepare?.()
  const cache = endpointCache(deps)
  const parts = { ...deps, cache, isFull: fullEndpoints(deps) }
  const sender = openSender(parts)
  const hintReader = openHintReader(parts, sender)
  const scanner = openScanner(parts, sender)
  const replayer = openReplayer(parts, sender)
  const chores = openChores(deps)
  const webhooks: Webhooks = {
    ...endpointRequests({ ...parts, sender }),
    ...deliveryRequests({ ...deps, sender }),
  }
  return {
    webhooks,
    /** Reads hints and the feed, and sends what is due at the clock's current time. */
    drain: async (): Promise<void> => {
      await hintReader.ended()
      while ((await scanner.scanDue()) > 0) {}
      await sender.drain()
      await chores.reportNotices()
    },
    /** Works on replays until each ends or waits for the feed. */
    replayDue: replayer.replayDue,
    reportNotices: chores.reportNotices,
    purge: chores.purge,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([hintReader, scanner, chores].map((part) => part[Symbol.asyncDispose]()))
      // The requests of a replay end with those of the sender.
      await Promise.all([replayer, sender].map((part) => part[Symbol.asyncDispose]()))
      await deps.client.close()
    },
  }
}
