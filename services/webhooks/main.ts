import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { webhooksHandlers } from '@postrider/adapters/grpc/webhooks.ts'
import { addressResolver } from '@postrider/adapters/http/addresses.ts'
import { webhookClient } from '@postrider/adapters/http/webhookClient.ts'
import { openDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { auditIndexes } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { mongoDurable } from '@postrider/adapters/mongo/client/durable.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoTestClocks } from '@postrider/adapters/mongo/testClocks.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { webhookIndexes, webhookOutboxes } from '@postrider/adapters/mongo/webhooks/webhooks.ts'
import { webhooksSpec } from '@postrider/contracts/services.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { run } from '@postrider/kit/run.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { Config } from './config.ts'
import { webhooksMetrics } from './metrics.ts'
import { openWebhooks } from './webhooks.ts'

const indexes = { ...webhookIndexes, ...workspaceEventIndexes, ...emailIndexes, ...auditIndexes }

await run('webhooks', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'webhooks', config, webhooksMetrics)
  openNameWatch({ open, config, log })
  const { db, now } = await openMongo({ open, config, name: 'webhooks', indexes, log, readiness })
  open.use(openOutboxSweep({ db, outboxes: webhookOutboxes, now, log }))
  const { hints } = openDoorbell({ open, name: 'webhooks', config, metrics, log })
  const rules = webhookRules({ allow: config.POSTRIDER_WEBHOOK_ALLOW, ports: config.POSTRIDER_WEBHOOK_PORTS })
  const resolve = addressResolver({ servers: config.POSTRIDER_DNS ?? [] })
  const slices = makeSlices()
  const options = {
    endpoints: mongoWebhookEndpoints(db),
    deliveries: mongoWebhookDeliveries(db),
    replays: mongoWebhookReplays(db),
    emails: mongoEmails(db, undefined, slices),
    feed: mongoEventFeed(db, undefined, slices),
    workspaceEvents: mongoWorkspaceEvents(db, now),
    hints,
    clocks: mongoTestClocks(db),
    client: webhookClient({ rules, resolve, now }),
    rules,
    durable: mongoDurable,
    slices,
    secrets: masterSecrets(config.POSTRIDER_SECRET),
    config,
    now,
    log,
    metrics,
  }
  const wait = { log, stopping: open.stopping }
  const { webhooks } = open.use(await retryUntilAvailable('MongoDB', wait, () => openWebhooks(options)))
  const { port } = await openGrpc({
    open,
    name: 'webhooks',
    config,
    log,
    metrics,
    readiness,
    spec: webhooksSpec,
    implementation: webhooksHandlers(webhooks),
  })
  started({ grpc_port: port })
})
