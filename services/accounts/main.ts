import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { accountsHandlers } from '@postrider/adapters/grpc/accounts.ts'
import { openPeers } from '@postrider/adapters/grpc/client.ts'
import { intakeClient } from '@postrider/adapters/grpc/intake.ts'
import { accountIndexes, accountOutboxes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoKeyNotices } from '@postrider/adapters/mongo/accounts/keyNotices.ts'
import { linkIndexes, mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { mongoUsers } from '@postrider/adapters/mongo/accounts/users.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { mongoWorkspaceErasure, removedWorkspaceIndexes } from '@postrider/adapters/mongo/erasure/workspaceErasure.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import {
  mongoNotifications,
  notificationIndexes,
  notificationOutboxes,
} from '@postrider/adapters/mongo/notifications/notifications.ts'
import { mongoReputation, reputationIndexes } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { openLimiter } from '@postrider/adapters/redis/limiter.ts'
import { accountsSpec, intakeSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { run } from '@postrider/kit/run.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { Config } from './config.ts'
import { accountsMetrics } from './metrics.ts'
import { openAccounts } from './openAccounts.ts'

await run('accounts', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'accounts', config, accountsMetrics)
  openNameWatch({ open, config, log })
  const indexes = {
    ...accountIndexes,
    ...auditIndexes,
    ...linkIndexes,
    ...notificationIndexes,
    ...removedWorkspaceIndexes,
    ...reputationIndexes,
    ...workspaceEventIndexes,
  }
  const { db, now } = await openMongo({ open, config, name: 'accounts', indexes, log, readiness })
  const outboxes = { indexed: [...accountOutboxes.indexed, ...notificationOutboxes.indexed] }
  open.use(openOutboxSweep({ db, outboxes, now, log }))
  const limiter = await openLimiter({ open, name: 'accounts', config, metrics, log })
  const peer = openPeers({ open, name: 'accounts', config, metrics, readiness, log })
  // People log in and sign up even while intake is unavailable; the emails are sent later.
  const intake = peer(intakeSpec, config.POSTRIDER_INTAKE, { isOptional: true })
  const { accounts, resealSecrets } = open.use(
    openAccounts({
      accounts: mongoAccounts(db),
      users: mongoUsers(db),
      links: mongoLinks(db),
      domains: mongoDomains(db),
      audit: mongoAudit(db),
      ledger: mongoLedger(db),
      billing: mongoBilling(db),
      notifications: mongoNotifications(db),
      events: mongoWorkspaceEvents(db, now),
      reputation: mongoReputation(db),
      keyNotices: mongoKeyNotices(db),
      erasure: mongoWorkspaceErasure(db),
      secrets: masterSecrets(config.POSTRIDER_SECRET),
      publicUrl: () => config.POSTRIDER_PUBLIC_URL,
      intake: intakeClient(intake),
      limiter,
      config,
      now,
      log,
      metrics,
    }),
  )
  const { port } = await openGrpc({
    open,
    name: 'accounts',
    config,
    log,
    metrics,
    readiness,
    spec: accountsSpec,
    implementation: accountsHandlers(accounts),
  })
  await retryUntilAvailable('MongoDB', { log, stopping: open.stopping }, resealSecrets)
  started({ grpc_port: port })
})
