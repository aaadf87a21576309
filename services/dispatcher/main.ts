import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { openEmailsWithHints } from '@postrider/adapters/eventHints.ts'
import { openDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { mongoSuspensions } from '@postrider/adapters/mongo/accounts/workspaces.ts'
import { mongoDurable } from '@postrider/adapters/mongo/client/durable.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { mongoReputation } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { openTransports } from '@postrider/adapters/transports.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { bytesOf } from '@postrider/kit/settings.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { Config } from './config.ts'
import { openDispatcher } from './dispatcher.ts'
import { dispatcherMetrics, reportParked } from './metrics.ts'

await run('dispatcher', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'dispatcher', config, dispatcherMetrics)
  openNameWatch({ open, config, log })
  const { db, now } = await openMongo({ open, config, name: 'dispatcher', log, readiness })
  const doorbell = openDoorbell({ open, name: 'dispatcher', config, metrics, log })
  const slices = makeSlices()
  const stored = mongoEmails(db, reportParked(log, metrics), slices)
  const endpoints = mongoWebhookEndpoints(db)
  const ring = { hints: doorbell.hints, durable: mongoDurable, log }
  open.use(
    openDispatcher({
      emails: openEmailsWithHints({ open, emails: stored, endpoints, ...ring }),
      suspensions: mongoSuspensions(db),
      domains: mongoDomains(db),
      secrets: config.POSTRIDER_SECRET === undefined ? null : masterSecrets(config.POSTRIDER_SECRET),
      sender: config.POSTRIDER_SENDER,
      outcomes: mongoReputation(db),
      durable: mongoDurable,
      doorbell,
      transports: openTransports({
        mailRoute: config.POSTRIDER_ROUTE,
        connections: config.POSTRIDER_CONNECTIONS,
        sender: config.POSTRIDER_SENDER,
        mailbox: mongoMailbox(db),
        now,
        log,
        slices,
      }),
      slices,
      concurrency: {
        transactional: config.POSTRIDER_TRANSACTIONAL_CONCURRENCY,
        marketing: config.POSTRIDER_MARKETING_CONCURRENCY,
      },
      maxMessageBytes: bytesOf(config.POSTRIDER_MAX_MESSAGE_MIB),
      messageMemoryBytes: bytesOf(config.POSTRIDER_MESSAGE_MEMORY_MIB),
      now,
      log,
      metrics,
    }),
  )
  started()
})
