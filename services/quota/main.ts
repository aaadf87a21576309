import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { quotaHandlers } from '@postrider/adapters/grpc/quota.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/accounts/audit.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { quotaSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { RecordServiceConfig } from '@postrider/kit/settings.ts'
import { quotaService } from './quota.ts'

await run('quota', readConfig(RecordServiceConfig, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'quota', config)
  openNameWatch({ open, config, log })
  const indexes = { ...ledgerIndexes, ...auditIndexes }
  const { db, now } = await openMongo({ open, config, name: 'quota', indexes, log, readiness })
  const quota = quotaService({ ledger: mongoLedger(db), audit: mongoAudit(db), now })
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
