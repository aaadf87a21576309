import type { RequestListener, Server } from 'node:http'
import { cidrMatcher } from '@postrider/domain/network.ts'
import { closeServer, listen, manySockets } from '@postrider/kit/listen.ts'
import { createServer } from '@postrider/kit/nodeHttp.ts'
import type { Durable, Units } from '@postrider/ports/durable.ts'
import { gatewayApp } from './app.ts'
import { type ShortChunks, shortChunks } from './bodies/shortChunks.ts'
import { boundUnreadBodies } from './bodies/unreadBodies.ts'
import type { GatewayConfig } from './config.ts'
import { type BoundConnectionsOptions, boundConnections } from './connections/connections.ts'
import { handleParserEvents } from './connections/parserEvents.ts'
import type { GatewayDeps } from './deps.ts'
import { dashboardFolder, readDashboard } from './pages/dashboardFiles.ts'

export type OpenGatewayOptions = Omit<GatewayDeps, 'durable' | 'ready' | 'config' | 'stopping' | 'chunks'> & {
  /** `localhost` or an IP address, on which the server listens. */
  host: string
  /** 0 picks a free port. */
  port: number
  config: Omit<GatewayConfig, 'publicUrl'> & { publicUrl: string | null }
  /**
   * The store's write barrier. `synced` resolves when everything written so far is durable: no response leaves before
   * it. `unit` runs one request: SQLite commits the writes of many requests together, and if such a commit fails, the
   * requests that wrote into it are refused instead of building on lost writes. In a cluster the services respond only
   * after their writes are durable, so both do nothing.
   */
  durable: Durable & Units
  /** Whether the dependencies are there; while it drains, the gateway is not ready in any case. */
  ready(): boolean | Promise<boolean>
}

/**
 * Opens the HTTP server of the API. Disposing of it requests every client to close its connection, finishes the
 * requests that have arrived or are in flight, and accepts no more.
 */
export const openGateway = async ({
  host,
  port,
  config,
  durable,
  ...deps
}: OpenGatewayOptions): Promise<AsyncDisposable & { url: string }> => {
  const state = { draining: false }
  const stopping = new AbortController()
  const made = Promise.withResolvers<RequestListener>()
  const { trustedProxies, limits } = config
  const chunks = shortChunks()
  const { metrics, log, slices } = deps
  const connections = { limits: limits.connections, trustedProxies, metrics, log, slices, chunks }
  const listener: RequestListener = (request, response) => void made.promise.then((handle) => handle(request, response))
  const server = boundedServer(listener, connections)
  const listening = await listen(server, { host, port, variable: 'PORT', socketsPerAddress: manySockets })
  const { url } = listening
  const dashboard = deps.dashboard === undefined ? await readDashboard(dashboardFolder) : deps.dashboard
  const handle = gatewayApp({
    ...deps,
    chunks,
    stopping: stopping.signal,
    dashboard,
    durable,
    ready: () => !state.draining && deps.ready(),
    config: { ...config, publicUrl: config.publicUrl ?? url },
  }).callback()
  made.resolve((request, response) => {
    if (state.draining) response.setHeader('Connection', 'close')
    void durable.unit(async () => handle(request, response))
  })
  log.info({ url }, 'listening')
  const drain = (): void => {
    state.draining = true
    stopping.abort()
  }
  return { url, [Symbol.asyncDispose]: () => closeServer(server, listening, drain) }
}

/** Bounds on what a connection may cost, in milliseconds and bytes. */
const bounds = {
  /**
   * Maximum time until the whole header of a request has arrived: a client that drips bytes cannot occupy a connection
   * for longer.
   */
  headersTimeout: 15_000,
  /**
   * None: it would count the time in which a body waits for this process. Bodies have a limit of their own
   * (bodies/bodyArrival.ts).
   */
  requestTimeout: 0,
  /** How often the timeout above is checked. */
  connectionsCheckingInterval: 2_000,
  /**
   * Idle timeout of a connection. It is longer than that of load balancers, so that they close the connection and no
   * request is lost.
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1_024,
  /** A request without Host gets an error of the API instead of an empty response. */
  requireHostHeader: false,
}

/** Makes an HTTP server with bounded connections that responds to invalid HTTP in JSON too. */
export const boundedServer = (
  listener: RequestListener,
  { chunks, ...options }: BoundConnectionsOptions & { chunks: ShortChunks },
): Server => {
  const server = createServer(bounds)
  // Versions of Node drop or refuse fields beyond the 1,000th; a dropped one may be a second Host, or what a proxy
  // added. `maxHeaderSize` bounds their number.
  server.maxHeadersCount = 0
  const connections = boundConnections(server, listener, options)
  handleParserEvents(server, { connections, maxHeaderSize: bounds.maxHeaderSize })
  boundUnreadBodies(server, chunks)
  chunks.guard(server, cidrMatcher(options.trustedProxies))
  return server
}
