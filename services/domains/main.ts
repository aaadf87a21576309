import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import { domainsHandlers } from '@postrider/adapters/grpc/domains.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { auditIndexes } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { domainIndexes, domainOutboxes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { domainsSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { run } from '@postrider/kit/run.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { Config } from './config.ts'
import { openDomains } from './domains.ts'
import { domainsMetrics } from './metrics.ts'

await run('domains', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'domains', config, domainsMetrics)
  openNameWatch({ open, config, log })
  const indexes = { ...domainIndexes, ...auditIndexes, ...workspaceEventIndexes }
  const { db, now } = await openMongo({ open, config, name: 'domains', indexes, log, readiness })
  open.use(openOutboxSweep({ db, outboxes: domainOutboxes, now, log }))
  const { POSTRIDER_DNS: servers = [] } = config
  const options = {
    domains: mongoDomains(db, now),
    dns: dnsResolver({ servers, observe: (query) => metrics.dnsQueries.inc(query) }),
    limiter: memoryLimiter({ elapsed: performance.now.bind(performance) }),
    secrets: masterSecrets(config.POSTRIDER_SECRET),
    config,
    now,
    log,
    metrics,
  }
  const wait = { log, stopping: open.stopping }
  const { domains } = open.use(await retryUntilAvailable('MongoDB', wait, () => openDomains(options)))
  const { port } = await openGrpc({
    open,
    name: 'domains',
    config,
    log,
    metrics,
    readiness,
    spec: domainsSpec,
    implementation: domainsHandlers(domains),
  })
  started({ grpc_port: port })
})
