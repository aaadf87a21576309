import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { openEmailsWithHints } from '@postrider/adapters/eventHints.ts'
import { openPeers } from '@postrider/adapters/grpc/client.ts'
import { intakeHandlers } from '@postrider/adapters/grpc/intake.ts'
import { quotaClient } from '@postrider/adapters/grpc/quota.ts'
import { templatesClient } from '@postrider/adapters/grpc/templates.ts'
import { openDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { mongoSuspensions } from '@postrider/adapters/mongo/accounts/workspaces.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { mongoDurable } from '@postrider/adapters/mongo/client/durable.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { emailIndexes, emailOutboxes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mailboxIndexes, mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { erasureIndexes, mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoStats, statsIndexes } from '@postrider/adapters/mongo/events/stats.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { mongoTestClocks, testClockIndexes } from '@postrider/adapters/mongo/testClocks.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { intakeSpec, quotaSpec, templatesSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { bytesOf } from '@postrider/kit/settings.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { Config } from './config.ts'
import { openIntake } from './intake.ts'
import { intakeMetrics } from './metrics.ts'

const indexes = {
  ...emailIndexes,
  ...erasureIndexes,
  ...idempotencyIndexes,
  ...mailboxIndexes,
  ...auditIndexes,
  ...workspaceEventIndexes,
  ...statsIndexes,
  ...testClockIndexes,
}

await run('intake', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'intake', config, intakeMetrics)
  openNameWatch({ open, config, log })
  const peer = openPeers({ open, name: 'intake', config, metrics, readiness, log })
  const templates = templatesClient(peer(templatesSpec, config.POSTRIDER_TEMPLATES))
  const { db, now } = await openMongo({ open, config, name: 'intake', indexes, log, readiness })
  open.use(openOutboxSweep({ db, outboxes: emailOutboxes, now, log }))
  const doorbell = openDoorbell({ open, name: 'intake', config, metrics, log })
  const endpoints = mongoWebhookEndpoints(db)
  const slices = makeSlices()
  const ring = { hints: doorbell.hints, durable: mongoDurable, log }
  const { intake } = open.use(
    openIntake({
      emails: openEmailsWithHints({ open, emails: mongoEmails(db, undefined, slices), endpoints, ...ring }),
      idempotency: mongoIdempotency(db, slices),
      mailbox: mongoMailbox(db),
      erasures: mongoErasures(db),
      audit: mongoAudit(db),
      webhooks: { endpoints, deliveries: mongoWebhookDeliveries(db) },
      testClocks: mongoTestClocks(db),
      hints: doorbell.hints,
      events: mongoEventFeed(db, undefined, slices),
      stats: mongoStats(db, slices),
      slices,
      workspaceEvents: mongoWorkspaceEvents(db, now),
      suspensions: mongoSuspensions(db),
      domains: mongoDomains(db),
      durable: mongoDurable,
      quota: quotaClient(peer(quotaSpec, config.POSTRIDER_QUOTA)),
      templates,
      doorbell,
      config,
      now,
      log,
      metrics,
    }),
  )
  const { port } = await openGrpc({
    open,
    name: 'intake',
    config,
    log,
    metrics,
    readiness,
    spec: intakeSpec,
    implementation: intakeHandlers(intake),
    longMessageBytes: bytesOf(config.POSTRIDER_CALL_MEMORY_MIB),
  })
  started({ grpc_port: port })
})
