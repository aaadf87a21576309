import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { accountIndexes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/accounts/audit.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { openLimiter } from '@postrider/adapters/redis/limiter.ts'
import { accountsSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { openAccounts } from './accounts.ts'
import { Config } from './config.ts'
import { accountsMetrics } from './metrics.ts'

await run('accounts', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'accounts', config, accountsMetrics)
  openNameWatch({ open, config, log })
  const indexes = { ...accountIndexes, ...auditIndexes }
  const { db, now } = await openMongo({ open, config, name: 'accounts', indexes, log, readiness })
  const limiter = await openLimiter({ open, name: 'accounts', config, metrics, log })
  const stores = { accounts: mongoAccounts(db), audit: mongoAudit(db) }
  const { accounts } = openAccounts({
    ...stores,
    ledger: mongoLedger(db),
    limiter,
    now,
    metrics,
    signup: config.POSTRIDER_SIGNUP,
    defaultPlan: config.POSTRIDER_DEFAULT_PLAN,
  })
  const { port } = await openGrpc({
    open,
    name: 'accounts',
    config,
    log,
    metrics,
    readiness,
    spec: accountsSpec,
    implementation: accounts,
  })
  started({ grpc_port: port })
})
