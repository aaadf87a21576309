import { once } from 'node:events'
import { createServer } from 'node:net'
import {
  type ConnectionInjector,
  type handleUnaryCall,
  type Metadata,
  Server,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { untilQuiet } from '../drain.ts'
import { oncePerMinute } from '../failureLog.ts'
import { listen } from '../listen.ts'
import type { ProcessParts } from '../openProcess.ts'
import { pause } from '../pause.ts'
import { admit, callersOf, type OnRefused } from './admit.ts'
import { framingBytes, gatherMethod, serveBatches } from './callBatches.ts'
import {
  type CallHandlerOptions,
  type CallInterceptor,
  callHandler,
  grpcServerMetrics,
  type HandleCall,
  type IncomingCall,
  type ServedService,
} from './callHandler.ts'
import { callStreams } from './callStream.ts'
import { type Connections, limitedConnections } from './connections.ts'
import {
  callersOfOneToken,
  ownCertificate,
  type PeerSecurity,
  type PeerSecurityConfig,
  peerSecurity,
  serverCredentials,
} from './credentials.ts'
import { methodsOf, passBytes } from './definition.ts'
import { healthPaths, serveHealth } from './health.ts'
import { identifyBy } from './identify.ts'
import { type LongMessages, longMessages } from './longMessages.ts'
import { failureOf } from './outcome.ts'
import { countStrayCalls } from './strayCalls.ts'
import { traceCalls } from './tracing.ts'

/*
 * The gRPC server of a service, from the socket inwards: connections.ts (limits for unknown peers), credentials.ts
 * (TLS), admit.ts (refuses unknown callers; callStream.ts has the streams of their calls, strayCalls.ts counts those of
 * unknown methods) and identify.ts (token or certificate), longMessages.ts (their memory), serve.ts (single calls) and
 * callBatches.ts (calls that a client sent together), callHandler.ts (permission, decode, run, encode), outcome.ts (how
 * a fault is encoded). definition.ts reads the protos; health.ts and tracing.ts do what their names say.
 */

export type OpenGrpcOptions<S> = ServedService<S> &
  ProcessParts & { config: PeerSecurityConfig & { POSTRIDER_HOST: string; PORT: number } } & Pick<
    ServeGrpcOptions<object[]>,
    'longMessageBytes'
  >

/** Serves the service of a process to its peers until the process stops; health probes follow its readiness. */
export const openGrpc = async <S extends object>(options: OpenGrpcOptions<S>): Promise<{ port: number }> => {
  const { open, config, log, metrics, readiness, name, spec, implementation, longMessageBytes } = options
  const security = peerSecurity(config, name)
  if (security.callers === undefined && security.identity === 'token')
    log.warn('callers share one wire token, so each may call every method')
  const callers = callersOfOneToken(security)
  if (callers.length > 0)
    log.warn({ callers }, 'callers have the same wire token, so each may call the methods of the others')
  const server = await serveGrpc({
    ...security,
    host: config.POSTRIDER_HOST,
    port: config.PORT,
    log,
    metrics: grpcServerMetrics(metrics.registry),
    ready: readiness.ready,
    intercept: traceCalls,
    services: [{ spec, implementation }],
    ...(longMessageBytes !== undefined && { longMessageBytes }),
  })
  open.use(server)
  return { port: server.port }
}

export type ServeGrpcOptions<Services extends readonly object[]> = PeerSecurity &
  Pick<CallHandlerOptions, 'log' | 'metrics'> & {
    /** 0: a free one. */
    port: number
    /** `localhost`, which is 127.0.0.1 and ::1, or one IP address; `::` is every address of both IP versions. */
    host: string
    services: readonly [...{ [Index in keyof Services]: ServedService<Services[Index]> }]
    /** Whether peers should send calls. */
    ready(): Promise<boolean> | boolean
    now?: Clock
    intercept?: CallInterceptor
    /**
     * Bytes of long messages that are received or handled at the same time; absent: only each single one is bounded.
     */
    longMessageBytes?: number
    /** Milliseconds after which a client has to reconnect, and so finds new replicas. */
    connectionAgeMs?: number
  }

/** Maximum number of connections at the same time whose peer has not proved its identity. */
const maxUnauthenticated = 100
/** How long calls are still accepted after the health probes report NOT_SERVING. */
const lastCallMs = 250
/** How long a call in flight may take while the server stops. */
const maxReplyMs = 10_000

/**
 * Serves services to other processes of the installation. Disposing it rejects new calls and finishes those in flight.
 * @throws Fault `conflict`: the port is in use, or the machine does not have the address
 */
export const serveGrpc = async <Services extends readonly object[]>(
  options: ServeGrpcOptions<Services>,
): Promise<AsyncDisposable & { port: number }> => {
  const { port, host, tls, ready, now = Date.now, connectionAgeMs = 60_000, metrics, identity } = options
  const services = options.services as readonly ServedService<object>[]
  const names = services.map(({ spec }) => spec.name)
  const logRefused = refusalLog(options.log, now)
  const connections = limitedConnections({
    maxUnauthenticated,
    now,
    onNoCall: (address, bytes) => {
      metrics.grpcDenied.inc({ reason: 'connection' })
      const details = `the connection ended before its first call; this side ${tls ? 'uses' : 'does not use'} TLS`
      logRefused({ reason: 'connection', details, address, agent: '', bytes })
    },
    onTooFast: (address) => {
      metrics.grpcDenied.inc({ reason: 'rate' })
      logRefused({ reason: 'rate', details: 'the address opens too many connections', address, agent: '' })
    },
  })
  const callers = services.flatMap(({ spec }) => Object.keys(spec.callers ?? {}))
  const identify = identifyBy(options, [...new Set(callers)], ownCertificate(tls))
  const limits = serverLimits(Math.max(...services.map(({ spec }) => spec.messageBytes)), connectionAgeMs)
  const long = longMessagesOf(options, limits['grpc.max_receive_message_length'])
  const server = new Server({
    ...limits,
    interceptors: [
      admit({
        identify,
        connections,
        byCertificate: identity === 'certificate',
        metrics,
        long,
        streamOf: callStreams(options.log),
        onRefused: logRefused,
      }),
    ],
  })
  const handle = callHandler({ ...options, services, now, intercept: options.intercept ?? ((_call, work) => work()) })
  addServices(server, { services, handle, long, now })
  const injector = server.createConnectionInjector(serverCredentials(tls))
  const stray = countStrayCalls({
    paths: new Set([...methodPaths(services), gatherMethod().path, ...healthPaths]),
    identify,
    connections,
    metrics,
    onRefused: logRefused,
  })
  const health = await serveHealth(server, { names, ready })
  // grpc-js would serve any connection; here each connection is counted first.
  const door = createServer((socket) => {
    if (connections.add(socket)) injector.injectConnection(socket)
  })
  const listening = await listen(door, { host, port, variable: 'PORT' }).catch(async (thrown) => {
    stray[Symbol.dispose]()
    await health[Symbol.asyncDispose]()
    throw thrown
  })
  const close = async (): Promise<void> => {
    health.drain()
    await pause(lastCallMs)
    await untilQuiet(door)
    const closed = listening.sockets.map((socket) => once(socket, 'close'))
    for (const socket of listening.sockets) socket.close()
    await shutdown({ server, injector, connections, closed })
    stray[Symbol.dispose]()
    await health[Symbol.asyncDispose]()
  }
  return { port: listening.port, [Symbol.asyncDispose]: close }
}

type RefusedFields = Parameters<OnRefused>[0] & { bytes?: number }

/** A caller repeats a refused call, so that a line once a minute for each reason shows it. */
const refusalLog = (log: CallHandlerOptions['log'], now: Clock): ((refusal: RefusedFields) => void) => {
  const rarely = oncePerMinute(now)
  return (refusal) => rarely(refusal.reason, (omitted) => log.warn({ ...refusal, omitted }, 'grpc.denied'))
}

const serverLimits = (messageBytes: number, connectionAgeMs: number) => ({
  'grpc.max_receive_message_length': messageBytes + framingBytes,
  'grpc.max_send_message_length': messageBytes + framingBytes,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.max_connection_age_ms': connectionAgeMs,
  'grpc.max_connection_age_grace_ms': maxReplyMs,
})

const methodPaths = (services: readonly ServedService<object>[]): string[] =>
  services.flatMap(({ spec }) => methodsOf(spec).map(({ path }) => path))

const longMessagesOf = (
  {
    services,
    longMessageBytes,
    metrics,
  }: Pick<ServeGrpcOptions<object[]>, 'services' | 'longMessageBytes' | 'metrics'>,
  maxBytes: number,
): LongMessages | null => {
  if (longMessageBytes === undefined) return null
  const paths = new Set(methodPaths(services))
  const onRefused = (): void => metrics.grpcLongRefused.inc()
  return longMessages({ paths, capacityBytes: longMessageBytes, maxBytes, onRefused })
}

type AddServicesOptions = {
  services: readonly ServedService<object>[]
  handle: HandleCall
  long: LongMessages | null
  now: Clock
}

const addServices = (server: Server, { services, handle, long, now }: AddServicesOptions): void => {
  for (const { spec } of services) {
    const methods = methodsOf(spec).map(
      ({ name, path }) => [name, unary(path), unaryHandler(path, { handle, long })] as const,
    )
    server.addService(
      Object.fromEntries(methods.map(([name, definition]) => [name, definition])),
      Object.fromEntries(methods.map(([name, , handler]) => [name, handler])),
    )
  }
  const { path, request, reply } = gatherMethod()
  const gather = {
    ...unary(path),
    responseStream: true,
    requestDeserialize: request.decode,
    responseSerialize: reply.encode,
  }
  const definition = { Gather: gather } as unknown as ServiceDefinition<UntypedServiceImplementation>
  server.addService(definition, { Gather: serveBatches({ handle, now }) })
}

/** The call handler decodes and encodes, since messages arrive both alone and in batches. */
const unary = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: passBytes,
  requestDeserialize: passBytes,
  responseSerialize: passBytes,
  responseDeserialize: passBytes,
})

const unaryHandler =
  (path: string, { handle, long }: Pick<AddServicesOptions, 'handle' | 'long'>): handleUnaryCall<Buffer, Buffer> =>
  (call, callback) => {
    const share = long?.shareOf(call.metadata)
    const deadlineAt = Number(call.getDeadline())
    const callers = callersOf(call.metadata)
    const cancelled = new AbortController()
    call.on('cancelled', () => cancelled.abort())
    const { signal } = cancelled
    void handle({ path, message: call.request, deadlineAt, callers, headers: headersOf(call.metadata), signal }).then(
      (outcome) => {
        share?.[Symbol.dispose]()
        if (outcome.code === status.OK) callback(null, outcome.body)
        else callback(failureOf(outcome))
      },
    )
  }

const headersOf = (metadata: Metadata): IncomingCall['headers'] => {
  const { authorization, ...headers } = metadata.getMap()
  return headers as Record<string, string>
}

type ShutdownOptions = {
  server: Server
  injector: ConnectionInjector
  connections: Connections
  /** The ends of all connections: the library does not wait for those that are injected. */
  closed: readonly Promise<unknown>[]
}

/**
 * Finishes the calls in flight; those that take too long are cut off. A connection without a call gets a GOAWAY as
 * well, before it is cut off: its first call may be on its way, and the client sends it again only after a GOAWAY (RFC
 * 9113 §6.8).
 */
const shutdown = async ({ server, injector, connections, closed }: ShutdownOptions): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cutting = [
    // Now a GOAWAY also reaches a connection whose TLS handshake was not complete when the shutdown began.
    setTimeout(() => injector.drain(maxReplyMs), lastCallMs),
    setTimeout(() => connections.closeUnauthenticated(), 2 * lastCallMs),
    setTimeout(() => server.forceShutdown(), maxReplyMs),
  ]
  server.tryShutdown(() => resolve())
  await Promise.all([promise, ...closed])
  for (const timer of cutting) clearTimeout(timer)
}
