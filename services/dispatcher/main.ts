import '@postrider/kit/telemetry.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { openDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoDurable } from '@postrider/adapters/mongo/durable.ts'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { transportsFor } from '@postrider/adapters/transports.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'
import { dispatcher } from './dispatcher.ts'
import { laneSizes } from './lanes.ts'
import { dispatcherMetrics } from './metrics.ts'
import { parkedTeller } from './parked.ts'
import { routesOver } from './routes.ts'

await run('dispatcher', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness } = await openProcess(open, 'dispatcher', config, dispatcherMetrics)
  const { db, now } = await openMongo({ open, url: config.MONGODB_URL, name: 'dispatcher', log, readiness })
  const { POSTRIDER_ROUTE: route, POSTRIDER_CONNECTIONS: connections, POSTRIDER_SENDER: sender } = config
  const transports = transportsFor({ route, connections, sender, now, log, mailbox: mongoMailbox(db) })
  const doorbell = openDoorbell({ open, name: 'dispatcher', config, metrics, log })
  open.use(
    dispatcher({
      emails: mongoEmails(db, parkedTeller(log, metrics)),
      durable: mongoDurable,
      doorbell,
      routes: routesOver(transports),
      closeTransports: transports.close,
      lanes: laneSizes({
        transactional: config.POSTRIDER_TRANSACTIONAL_CONCURRENCY,
        marketing: config.POSTRIDER_MARKETING_CONCURRENCY,
      }),
      heaviestBytes: config.POSTRIDER_MAX_MESSAGE_MIB,
      now,
      random: Math.random,
      pause: (ms) => pause(ms),
      log,
      metrics,
    }),
  )
  readiness.started()
})
