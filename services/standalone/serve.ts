import { gatewayConfig } from '@postrider/gateway/config.ts'
import { openGateway } from '@postrider/gateway/serve.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { serveOps } from '@postrider/kit/ops.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { hasPublicAddress } from './banner.ts'
import type { Config } from './config.ts'
import { masterKey, operatorToken } from './secret.ts'
import type { StandaloneMetrics, startStandalone } from './standalone.ts'

type ServeOptions = {
  config: Config
  log: Log
  metrics: StandaloneMetrics
  service: Awaited<ReturnType<typeof startStandalone>>
  now?: Clock
}

/**
 * Opens the HTTP edge over running services and creates the first workspace if there is none. The workspace is created
 * after both ports are open: a start that failed in between would never show its owner and key. Disposing stops
 * accepting requests and finishes those in progress.
 */
export const serve = async ({ config, log, metrics, service, now = Date.now }: ServeOptions) => {
  const stack = new AsyncDisposableStack()
  const state = { ready: false }
  try {
    const { db } = service.store
    const { POSTRIDER_HOST: host, METRICS_PORT: port } = config
    const operator = operatorToken(config.POSTRIDER_DATA, config.POSTRIDER_OPERATOR_TOKEN)
    const withToken = { ...config, POSTRIDER_OPERATOR_TOKEN: operator.token }
    const gateway = gatewayConfig(withToken, {
      cursorSecret: masterKey(config.POSTRIDER_DATA, config.POSTRIDER_SECRET),
      metricsOnPort: port === undefined,
    })
    const health = async () => ({
      process: state.ready ? 'ok' : 'starting',
      database: db.isDiskFull() ? 'The disk is full: writes fail, reads continue.' : 'ok',
    })
    const degraded = () => (db.isDiskFull() ? 'The disk is full: writes fail, reads continue.' : null)
    const edge = {
      ...service,
      durable: db,
      // The services use the limiter too, with the wall clock, and its buckets have one clock.
      limiter: {
        take: (...[buckets, cost]: Parameters<Limiter['take']>) => service.limiter.take(buckets, cost, now()),
      },
      elapsed: performance.now.bind(performance),
      wallClock: now,
      log,
      metrics,
      ready: () => state.ready,
      health,
      degraded,
    }
    const { url } = stack.use(await openGateway({ ...edge, host, port: config.PORT, config: gateway }))
    service.listening(url)
    const ops = port === undefined ? null : stack.use(await serveOps({ host, port, metrics, readiness: null, log }))
    const first = await service.makeFirst()
    // Logs of later starts may be read on other machines; there the link is of use only if they reach the service.
    const isPrinted = first !== null || !hasPublicAddress(config.POSTRIDER_PUBLIC_URL)
    const signInUrl = isPrinted ? await service.makeOwnerLink() : null
    state.ready = true
    return {
      url,
      first,
      signInUrl,
      operatorTokenFile: operator.file,
      metricsUrl: ops === null ? null : `${ops.url}/metrics`,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
