import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { openPeers } from '@postrider/adapters/grpc/client.ts'
import { intakeHandlers } from '@postrider/adapters/grpc/intake.ts'
import { quotaClient } from '@postrider/adapters/grpc/quota.ts'
import { openDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/accounts/audit.ts'
import { mongoSuspensions } from '@postrider/adapters/mongo/accounts/suspensions.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoDurable } from '@postrider/adapters/mongo/durable.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mailboxIndexes, mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { intakeSpec, quotaSpec, templatesSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'
import { openIntake } from './intake.ts'
import { intakeMetrics } from './metrics.ts'

const indexes = { ...emailIndexes, ...idempotencyIndexes, ...mailboxIndexes, ...auditIndexes }

await run('intake', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'intake', config, intakeMetrics)
  openNameWatch({ open, config, log })
  const peer = openPeers({ open, name: 'intake', config, metrics, readiness, log })
  const templates = peer(templatesSpec, config.POSTRIDER_TEMPLATES)
  const { db, now } = await openMongo({ open, config, name: 'intake', indexes, log, readiness })
  const { intake } = open.use(
    openIntake({
      emails: mongoEmails(db),
      idempotency: mongoIdempotency(db),
      mailbox: mongoMailbox(db),
      audit: mongoAudit(db),
      suspensions: mongoSuspensions(db),
      durable: mongoDurable,
      quota: quotaClient(peer(quotaSpec, config.POSTRIDER_QUOTA)),
      templates,
      doorbell: openDoorbell({ open, name: 'intake', config, metrics, log }),
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
  })
  started({ grpc_port: port })
})
