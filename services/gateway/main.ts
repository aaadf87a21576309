import '@postrider/kit/telemetry.ts'
import { intakeClient } from '@postrider/adapters/grpc/intake.ts'
import { peersOf } from '@postrider/adapters/grpc/peersOf.ts'
import { quotaClient } from '@postrider/adapters/grpc/quota.ts'
import { mongoDurable } from '@postrider/adapters/mongo/durable.ts'
import { openLimiter } from '@postrider/adapters/redis/openLimiter.ts'
import { accountsWire, intakeWire, quotaWire, templatesWire } from '@postrider/contracts/wire.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { wireSecurity } from '@postrider/kit/grpc/security.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config, gatewayConfig } from './config.ts'
import { serveGateway } from './serve.ts'

await run('gateway', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness } = await openProcess(open, 'gateway', config)
  const peer = peersOf({ open, name: 'gateway', security: wireSecurity(config), metrics, readiness })
  open.use(
    await serveGateway({
      accounts: peer(accountsWire, config.POSTRIDER_ACCOUNTS),
      templates: peer(templatesWire, config.POSTRIDER_TEMPLATES),
      quota: quotaClient(peer(quotaWire, config.POSTRIDER_QUOTA)),
      intake: intakeClient(peer(intakeWire, config.POSTRIDER_INTAKE)),
      limiter: await openLimiter({ open, name: 'gateway', config, metrics, log }),
      durable: mongoDurable,
      // Monotonic: a wall clock that is set back would extend the life of a cached, revoked key.
      now: performance.now.bind(performance),
      log,
      metrics,
      ready: readiness.ready,
      port: config.PORT,
      config: gatewayConfig(config, { cursorSecret: config.POSTRIDER_SECRET, metricsOnPort: false }),
    }),
  )
  readiness.started()
})
