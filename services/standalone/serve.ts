import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gatewayApp } from '@postrider/gateway/app.ts'
import type { GatewayConfig } from '@postrider/gateway/deps.ts'
import { gatewayServer } from '@postrider/gateway/server.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import type { Config } from './config.ts'
import { gatewayLimits } from './limits.ts'
import { masterKey } from './secret.ts'
import type { startStandalone } from './standalone.ts'

type Given = {
  config: Config
  log: Log
  metrics: Metrics
  service: Awaited<ReturnType<typeof startStandalone>>
  now?: Clock
}

/** Opens the HTTP edge over running services. Disposing of it stops taking requests and finishes those in hand. */
export const serve = async (given: Given) => {
  const stack = new AsyncDisposableStack()
  try {
    return { ...(await openEdge(stack, given)), [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

const openEdge = async (
  stack: AsyncDisposableStack,
  { config, log, metrics, service, now = Date.now }: Given,
): Promise<{ url: string; metricsUrl: string | null }> => {
  const state = { draining: false }
  const made = Promise.withResolvers<RequestListener>()
  const front = gatewayServer((request, response) => void made.promise.then((handle) => handle(request, response)))
  const url = await listen(front, config.PORT, 'PORT')
  stack.defer(() => close(front, state))
  const handle = gatewayApp({
    ...service,
    durable: service.store.db,
    now,
    log,
    metrics,
    ready: () => !state.draining,
    config: gatewayConfig(config, url),
  }).callback()
  const openMetrics = async (port: number): Promise<string> => {
    const server = serveMetrics(metrics)
    const metricsUrl = await listen(server, port, 'METRICS_PORT')
    stack.defer(() => close(server, state))
    return `${metricsUrl}/metrics`
  }
  // Each request is a unit of work: what it wrote stands or falls together, also over several commits.
  made.resolve((request, response) => {
    if (state.draining) response.setHeader('Connection', 'close')
    void service.store.db.unit(async () => handle(request, response))
  })
  const metricsUrl = config.METRICS_PORT === undefined ? null : await openMetrics(config.METRICS_PORT)
  log.info({ url, ...(metricsUrl !== null && { metrics_url: metricsUrl }) }, 'listening')
  return { url, metricsUrl }
}

const gatewayConfig = (config: Config, url: string): GatewayConfig => ({
  publicUrl: config.POSTRIDER_PUBLIC_URL ?? url,
  operatorToken: config.POSTRIDER_OPERATOR_TOKEN ?? null,
  sender: config.POSTRIDER_SENDER.address,
  trustedProxies: config.POSTRIDER_TRUSTED_PROXIES,
  secureCookies: config.POSTRIDER_PUBLIC_URL?.startsWith('https:') ?? false,
  cursorSecret: masterKey(config.POSTRIDER_DATA, config.POSTRIDER_SECRET),
  metricsOnPort: config.METRICS_PORT === undefined,
  limits: gatewayLimits(config),
})

/** @throws Fault `conflict`: the port is in use, in plain words */
const listen = async (server: Server, port: number, variable: 'PORT' | 'METRICS_PORT'): Promise<string> => {
  server.listen(port)
  await once(server, 'listening').catch((thrown: NodeJS.ErrnoException) => {
    throw thrown.code === 'EADDRINUSE'
      ? new Fault(
          'conflict',
          `Port ${port} is in use; choose another with ${variable}, or ${variable}=0 for a free one.`,
        )
      : thrown
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** How long a request that was on its way when we were told to stop is still taken. */
const lastCallMs = 250
/** How long a request that was begun may take; a client that drips its body must not hold up the stop. */
const longestAnswerMs = 10_000

/**
 * Answers what is in hand and on its way, telling each client to close its connection; then takes no more, and lets
 * every connection go.
 */
const close = async (server: Server, state: { draining: boolean }): Promise<void> => {
  state.draining = true
  await pause(lastCallMs)
  const closed = once(server, 'close')
  server.close()
  // A connection is idle only once its answer is out, so they are looked through until none is left.
  const looking = setInterval(() => server.closeIdleConnections(), 20)
  const cutting = setTimeout(() => server.closeAllConnections(), longestAnswerMs)
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
}

const serveMetrics = ({ registry }: Metrics): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
