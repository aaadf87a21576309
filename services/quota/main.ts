import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { quotaHandlers } from '@postrider/adapters/grpc/quota.ts'
import { mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { auditIndexes } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { billingOutboxes, mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { billingIndexes } from '@postrider/adapters/mongo/billing/docs.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { ledgerOutboxes, mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { openPayments } from '@postrider/adapters/payments.ts'
import { quotaSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'
import { quotaMetrics } from './metrics.ts'
import { openQuota } from './quota.ts'

await run('quota', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'quota', config, quotaMetrics)
  openNameWatch({ open, config, log })
  const indexes = { ...ledgerIndexes, ...billingIndexes, ...auditIndexes, ...workspaceEventIndexes }
  const { db, now } = await openMongo({ open, config, name: 'quota', indexes, log, readiness })
  const outboxes = { ...ledgerOutboxes, indexed: [...ledgerOutboxes.indexed, ...billingOutboxes.indexed] }
  open.use(openOutboxSweep({ db, outboxes, now, log }))
  const { quota } = open.use(
    openQuota({
      ledger: mongoLedger(db, now),
      billing: mongoBilling(db),
      accounts: mongoAccounts(db),
      payments: await openPayments(config),
      now,
      log,
      metrics,
    }),
  )
  const { port } = await openGrpc({
    open,
    name: 'quota',
    config,
    log,
    metrics,
    readiness,
    spec: quotaSpec,
    implementation: quotaHandlers(quota),
  })
  started({ grpc_port: port })
})
