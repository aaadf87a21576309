import '@postrider/kit/telemetry.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit.ts'
import { ledgerIndexes, mongoLedger } from '@postrider/adapters/mongo/ledger.ts'
import { openMongo } from '@postrider/adapters/mongo/openMongo.ts'
import { quotaWire } from '@postrider/contracts/wire.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { wireSecurity } from '@postrider/kit/grpc/security.ts'
import { serveGrpc } from '@postrider/kit/grpc/serve.ts'
import { tracedCalls } from '@postrider/kit/grpc/traced.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'
import { quotaService } from './quota.ts'

await run('quota', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness } = await openProcess(open, 'quota', config)
  const indexes = { ...ledgerIndexes, ...auditIndexes }
  const { db, now } = await openMongo({ open, url: config.MONGODB_URL, name: 'quota', indexes, log, readiness })
  const implementation = quotaService({ ledger: mongoLedger(db), audit: mongoAudit(db), now })
  const edge = { ...wireSecurity(config), port: config.PORT, log, metrics, ready: readiness.ready, around: tracedCalls }
  open.use(await serveGrpc({ ...edge, services: [{ wire: quotaWire, implementation }] }))
  readiness.started()
})
