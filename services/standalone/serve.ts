import type { GatewayConfig } from '@postrider/gateway/deps.ts'
import { gatewayLimits } from '@postrider/gateway/limits.ts'
import { serveGateway } from '@postrider/gateway/serve.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { serveOps } from '@postrider/kit/ops.ts'
import type { Config } from './config.ts'
import type { StandaloneMetrics } from './metrics.ts'
import { masterKey } from './secret.ts'
import type { startStandalone } from './standalone.ts'

type Given = {
  config: Config
  log: Log
  metrics: StandaloneMetrics
  service: Awaited<ReturnType<typeof startStandalone>>
  now?: Clock
}

/**
 * Opens the HTTP edge over running services, and makes the first workspace where there is none: only once both ports
 * are ours, because a start that ends there could never tell its owner and key. Disposing of it stops taking requests
 * and finishes those in hand.
 */
export const serve = async ({ config, log, metrics, service, now = Date.now }: Given) => {
  const stack = new AsyncDisposableStack()
  const state = { ready: false }
  try {
    const { db } = service.store
    const edge = { ...service, durable: db, unit: db.unit, now, log, metrics, ready: () => state.ready }
    const { url } = stack.use(await serveGateway({ ...edge, port: config.PORT, config: gatewayConfig(config) }))
    const port = config.METRICS_PORT
    const ops = port === undefined ? null : stack.use(await serveOps({ port, metrics, readiness: null, log }))
    const first = await service.makeFirst()
    state.ready = true
    return {
      url,
      first,
      metricsUrl: ops === null ? null : `${ops.url}/metrics`,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

const gatewayConfig = (config: Config): Omit<GatewayConfig, 'publicUrl'> & { publicUrl: string | null } => ({
  publicUrl: config.POSTRIDER_PUBLIC_URL ?? null,
  operatorToken: config.POSTRIDER_OPERATOR_TOKEN ?? null,
  sender: config.POSTRIDER_SENDER.address,
  trustedProxies: config.POSTRIDER_TRUSTED_PROXIES,
  secureCookies: config.POSTRIDER_PUBLIC_URL?.startsWith('https:') ?? false,
  cursorSecret: masterKey(config.POSTRIDER_DATA, config.POSTRIDER_SECRET),
  metricsOnPort: config.METRICS_PORT === undefined,
  limits: gatewayLimits(config),
})
