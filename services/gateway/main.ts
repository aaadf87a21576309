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
import { Config } from './config.ts'
import { gatewayLimits } from './limits.ts'
import { serveGateway } from './serve.ts'

await run('gateway', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness } = await openProcess(open, 'gateway', config)
  const peer = peersOf({ open, name: 'gateway', security: wireSecurity(config), metrics, readiness })
  const edge = {
    accounts: peer(accountsWire, config.POSTRIDER_ACCOUNTS),
    templates: peer(templatesWire, config.POSTRIDER_TEMPLATES),
    quota: quotaClient(peer(quotaWire, config.POSTRIDER_QUOTA)),
    intake: intakeClient(peer(intakeWire, config.POSTRIDER_INTAKE)),
    limiter: await openLimiter({ open, name: 'gateway', config, metrics, log }),
    // What the services answered is durable already.
    durable: mongoDurable,
    unit: <T>(work: () => Promise<T>) => work(),
    // Nobody sets this one: a wall clock put back would make a revoked key last.
    now: performance.now.bind(performance),
    log,
    metrics,
    ready: readiness.ready,
    port: config.PORT,
  }
  const shared = {
    publicUrl: config.POSTRIDER_PUBLIC_URL,
    operatorToken: config.POSTRIDER_OPERATOR_TOKEN ?? null,
    sender: config.POSTRIDER_SENDER.address,
    trustedProxies: config.POSTRIDER_TRUSTED_PROXIES,
    secureCookies: config.POSTRIDER_PUBLIC_URL.startsWith('https:'),
    cursorSecret: config.POSTRIDER_SECRET,
    metricsOnPort: false,
    limits: gatewayLimits(config),
  }
  open.use(await serveGateway({ ...edge, config: shared }))
  readiness.started()
})
