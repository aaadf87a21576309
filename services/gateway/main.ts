import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { accountsClient } from '@postrider/adapters/grpc/accounts.ts'
import { openPeers } from '@postrider/adapters/grpc/client.ts'
import { domainsClient } from '@postrider/adapters/grpc/domains.ts'
import { intakeClient } from '@postrider/adapters/grpc/intake.ts'
import { quotaClient } from '@postrider/adapters/grpc/quota.ts'
import { templatesClient } from '@postrider/adapters/grpc/templates.ts'
import { webhooksClient } from '@postrider/adapters/grpc/webhooks.ts'
import { mongoDurable } from '@postrider/adapters/mongo/client/durable.ts'
import { openLimiter } from '@postrider/adapters/redis/limiter.ts'
import {
  accountsSpec,
  domainsSpec,
  intakeSpec,
  quotaSpec,
  templatesSpec,
  webhooksSpec,
} from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { Config, gatewayConfig } from './config.ts'
import { gatewayMetrics } from './metrics.ts'
import { openGateway } from './serve.ts'

await run('gateway', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'gateway', config, gatewayMetrics)
  openNameWatch({ open, config, log })
  const peer = openPeers({ open, name: 'gateway', config, metrics, readiness, log })
  const { url } = open.use(
    await openGateway({
      accounts: accountsClient(peer(accountsSpec, config.POSTRIDER_ACCOUNTS)),
      templates: templatesClient(peer(templatesSpec, config.POSTRIDER_TEMPLATES)),
      quota: quotaClient(peer(quotaSpec, config.POSTRIDER_QUOTA)),
      domains: domainsClient(peer(domainsSpec, config.POSTRIDER_DOMAINS)),
      webhooks: webhooksClient(peer(webhooksSpec, config.POSTRIDER_WEBHOOKS)),
      intake: intakeClient(peer(intakeSpec, config.POSTRIDER_INTAKE)),
      limiter: await openLimiter({ open, name: 'gateway', config, metrics, readiness, log }),
      durable: mongoDurable,
      slices: makeSlices(),
      // Monotonic: a wall clock that is set back would extend the life of a cached, revoked key.
      elapsed: performance.now.bind(performance),
      wallClock: Date.now,
      log,
      metrics,
      ready: readiness.ready,
      health: readiness.health,
      host: config.POSTRIDER_HOST,
      port: config.PORT,
      config: gatewayConfig(config, { cursorSecret: config.POSTRIDER_SECRET, metricsOnPort: false }),
    }),
  )
  started({ url })
})
