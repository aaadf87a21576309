import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { evictionQueue } from '@postrider/domain/fairness/evictionQueue.ts'
import { isLoopbackAddress, isLoopbackHost, rateLimitClient } from '@postrider/domain/network.ts'
import { closeServer, listen, manySockets } from './listen.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createServer } from './nodeHttp.ts'
import { parserStops } from './parserStops.ts'
import type { Readiness } from './readiness.ts'
import { singleFlight } from './singleFlight.ts'
import { makeTurns } from './slices.ts'

type Page = { status: number; type: string; body: string | Buffer }

const json = (status: number, value: object): Page => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
})

/**
 * Returns the metrics, which take milliseconds to write: once in an event loop iteration, for all requests of the last
 * one.
 */
const sharedMetrics = ({ registry }: Metrics): (() => Promise<Page>) => {
  const turns = makeTurns()
  return singleFlight(async () => {
    await turns.wait('')
    return { status: 200, type: registry.contentType, body: Buffer.from(await registry.metrics()) }
  }).run
}

const pages = (metrics: Metrics, readiness: Readiness | null) =>
  ({
    '/metrics': sharedMetrics(metrics),
    // A process that responds is alive; a fatal error ends it by itself.
    ...(readiness && {
      '/livez': async () => json(200, { status: 'alive' }),
      '/readyz': async () => {
        const ready = await readiness.ready()
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', checks: await readiness.report() })
      },
    }),
  }) as Record<string, () => Promise<Page>>

const send = (response: ServerResponse, { status, type, body }: Page): void => {
  response.writeHead(status, { 'Content-Type': type }).end(body)
}

const refusal: Page = {
  status: 403,
  type: 'text/plain',
  body: 'This host name is not accepted. Use localhost, or set POSTRIDER_HOST to listen for other machines.\n',
}

/**
 * Returns a function that refuses requests by their `Host`. A server that listens on this machine only is reached as
 * `localhost` or by a loopback address; any other name belongs to a web page that resolves it to this machine (DNS
 * rebinding) and would read the response in a browser. `services/gateway/steps/checkHost.ts` has the rule for the API.
 * @param listenHost the address that the server listens on
 */
const foreignHost = (listenHost: string): ((request: IncomingMessage) => boolean) => {
  if (listenHost !== 'localhost' && !isLoopbackAddress(listenHost)) return () => false
  // A browser always sends a Host; a scraper that speaks HTTP/1.0 sends none.
  return ({ headers: { host = '' } }) => host !== '' && !isLoopbackHost(host)
}

/** Maximum number of connections at the same time. Probes and scrapers have a few. */
const maxConnections = 100

/** Milliseconds until a request has arrived, and how long a connection may be without any traffic. */
const [requestTimeout, quietMs] = [10_000, 30_000]

/**
 * Limits the connections of a server, which needs no login: for one more, the oldest of the address that has the most
 * is closed, so that they use little memory and never block a probe.
 */
const boundConnections = (server: Server): void => {
  server.setTimeout(quietMs)
  const open = new Set<Socket>()
  const inTurn = evictionQueue<Socket>()
  server.on('connection', (socket: Socket) => {
    const address = rateLimitClient(socket.remoteAddress ?? '')
    const remove = (): void => {
      open.delete(socket)
      inTurn.remove(address, socket)
    }
    open.add(socket)
    inTurn.add(address, socket)
    socket.once('close', remove)
    const oldest = open.size > maxConnections ? inTurn.take() : undefined
    if (oldest === undefined) return
    open.delete(oldest)
    oldest.destroy()
  })
}

/**
 * Calls `listener` for the requests of a server, one of each connection at a time. A second one before the response
 * closes the connection: a client that sends thousands and reads nothing would fill the memory with metrics. The parser
 * stops there, or it would make 1,600 requests of a piece in one step.
 */
const handleOneByOne = (server: Server, listener: RequestListener, log: Log): void => {
  const busy = new WeakSet<Socket>()
  const isClosed = (socket: Socket): boolean => {
    if (busy.has(socket)) socket.destroy()
    return socket.destroyed
  }
  const { watch } = parserStops(log)
  server.on('connection', (socket: Socket) => watch(socket, () => (isClosed(socket) ? 'drop' : 'begin')))
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    if (isClosed(socket)) return
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
    listener(request, response)
  }
  server.on('request', onRequest)
  // Without this, Node itself responds to a request with an unknown `Expect`.
  server.on('checkExpectation', onRequest)
}

/** `readiness` null: the probes are served elsewhere. */
export type ServeOpsOptions = { host: string; port: number; metrics: Metrics; readiness: Readiness | null; log: Log }

const opsServer = ({ metrics, readiness, host, log }: Omit<ServeOpsOptions, 'port'>): Server => {
  const known = pages(metrics, readiness)
  const isForeign = foreignHost(host)
  const listener: RequestListener = (request, response) => {
    if (isForeign(request)) {
      send(response, refusal)
      return
    }
    const page = known[request.url ?? '']
    if (!page) {
      response.writeHead(404).end()
      return
    }
    page().then(
      (content) => send(response, content),
      () => response.writeHead(500).end(),
    )
  }
  const server = createServer({ headersTimeout: requestTimeout, requestTimeout })
  boundConnections(server)
  handleOneByOne(server, listener, log)
  return server
}

/** Serves `/metrics` for the operator and, with `readiness`, `/livez` and `/readyz`. */
export const serveOps = async ({
  host,
  port,
  metrics,
  readiness,
  log,
}: ServeOpsOptions): Promise<AsyncDisposable & { url: string }> => {
  const server = opsServer({ metrics, readiness, host, log })
  const listening = await listen(server, { host, port, variable: 'METRICS_PORT', socketsPerAddress: manySockets })
  const { url } = listening
  log.info({ metrics_url: `${url}/metrics` }, 'metrics server listening')
  return { url, [Symbol.asyncDispose]: () => closeServer(server, listening, () => readiness?.drain()) }
}
