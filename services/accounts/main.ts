import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { openPeers } from '@postrider/adapters/grpc/client.ts'
import { accountIndexes, accountOutboxes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoKeyNotices } from '@postrider/adapters/mongo/accounts/keyNotices.ts'
import { linkIndexes, mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { mongoUsers } from '@postrider/adapters/mongo/accounts/security.ts'
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
import { retentionLimits } from '@postrider/domain/retention/retention.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { run } from '@postrider/kit/run.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { openAccounts } from './accounts.ts'
import { Config } from './config.ts'
import { openWorkspaceEraser } from './eraseWorkspaces.ts'
import { mailQueue } from './mailQueue.ts'
import { accountsMetrics } from './metrics.ts'
import { openNotifier } from './notifier.ts'
import { openPaymentNotices } from './paymentNotices.ts'
import { openReputationWatch } from './reputation.ts'
import { logResealed } from './secondFactor.ts'
import { systemMail } from './systemMail.ts'
import { openUnusedKeys } from './unusedKeys.ts'

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
  // People log in and sign up also while intake is unavailable; the mails are sent later.
  const intake = peer(intakeSpec, config.POSTRIDER_INTAKE, { isOptional: true })
  const mails = open.use(mailQueue({ mail: systemMail(intake), log, metrics }))
  const stores = { accounts: mongoAccounts(db), audit: mongoAudit(db), domains: mongoDomains(db) }
  const [notifications, events] = [mongoNotifications(db), mongoWorkspaceEvents(db, now)]
  const publicUrl = () => config.POSTRIDER_PUBLIC_URL
  const { accounts, resealSecrets } = openAccounts({
    ...stores,
    users: mongoUsers(db),
    links: mongoLinks(db),
    secrets: masterSecrets(config.POSTRIDER_SECRET),
    mails,
    publicUrl,
    notifications,
    events,
    ledger: mongoLedger(db),
    limiter,
    now,
    metrics,
    signup: config.POSTRIDER_SIGNUP,
    retention: retentionLimits(config),
    defaultPlan: config.POSTRIDER_DEFAULT_PLAN,
  })
  const notices = mongoKeyNotices(db)
  const reputation = mongoReputation(db)
  open.use(openReputationWatch({ reputation, events, now, log }))
  open.use(openNotifier({ ...stores, notifications, mail: systemMail(intake), publicUrl, now, log }))
  open.use(openUnusedKeys({ accounts: stores.accounts, notices, mail: systemMail(intake), now, log }))
  open.use(openPaymentNotices({ ...stores, billing: mongoBilling(db), mail: systemMail(intake), log }))
  open.use(openWorkspaceEraser({ ...stores, erasure: mongoWorkspaceErasure(db), metrics, log, now }))
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
  await retryUntilAvailable('MongoDB', { log, stopping: open.stopping }, () => logResealed(log, resealSecrets))
  started({ grpc_port: port })
})
