import { setTimeout as pause } from 'node:timers/promises'
import {
  type handleUnaryCall,
  Metadata,
  Server,
  type ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { Fault } from '../fault.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import type { Open } from '../run.ts'
import { framingBytes, gatherMethod, serveBatches } from './batch.ts'
import {
  type CallHandlerOptions,
  type CallInterceptor,
  callHandler,
  grpcServerMetrics,
  type HandleCall,
  type IncomingCall,
  type ServedService,
} from './callHandler.ts'
import {
  type PeerSecurity,
  type PeerSecurityConfig,
  peerSecurity,
  requireToken,
  serverCredentials,
} from './credentials.ts'
import { methodsOf } from './definition.ts'
import { serveHealth } from './health.ts'
import { faultTrailer } from './outcome.ts'
import { traceCalls } from './tracing.ts'

/*
 * The gRPC server of a service, from the socket inwards: credentials.ts (TLS, token), serve.ts (single calls) and batch.ts
 * (calls that a client sent together), callHandler.ts (decode, run, encode), outcome.ts (how a fault is encoded).
 * definition.ts reads the protos; health.ts and tracing.ts do what their names say.
 */

export type OpenGrpcOptions<S> = ServedService<S> & {
  open: Open
  config: PeerSecurityConfig & { PORT: number }
  log: Log
  metrics: Metrics
  readiness: Readiness
}

/** Serves the service of a process to its peers until the process stops; health probes follow its readiness. */
export const openGrpc = async <S extends object>(options: OpenGrpcOptions<S>): Promise<void> => {
  const { open, config, log, metrics, readiness, spec, implementation } = options
  const server = await serveGrpc({
    ...peerSecurity(config),
    port: config.PORT,
    log,
    metrics: grpcServerMetrics(metrics.registry),
    ready: readiness.ready,
    intercept: traceCalls,
    services: [{ spec, implementation }],
  })
  open.use(server)
}

export type ServeGrpcOptions<Services extends readonly object[]> = PeerSecurity &
  Pick<CallHandlerOptions, 'log' | 'metrics'> & {
    /** 0: a free one. */
    port: number
    /** Address to listen on; default: every IPv6 and IPv4 address. */
    host?: string | undefined
    services: readonly [...{ [Index in keyof Services]: ServedService<Services[Index]> }]
    /** Whether peers should send calls. */
    ready(): Promise<boolean> | boolean
    now?: Clock
    intercept?: CallInterceptor
    /** Milliseconds after which a client has to reconnect, and so finds new replicas. */
    connectionAgeMs?: number
  }

/** How long calls are still accepted after the health probes report NOT_SERVING. */
const lastCallMs = 250
/** How long a call in hand may take while the server stops. */
const longestAnswerMs = 10_000

/**
 * Serves services to other processes of the installation. Disposing it rejects new calls and finishes those in hand.
 * @throws Fault `conflict`: the port is in use
 */
export const serveGrpc = async <Services extends readonly object[]>(
  options: ServeGrpcOptions<Services>,
): Promise<AsyncDisposable & { port: number }> => {
  const { port, host, token, alsoAccepted = [], tls, ready, now = Date.now, connectionAgeMs = 60_000 } = options
  const services = options.services as readonly ServedService<object>[]
  const names = services.map(({ spec }) => spec.name)
  const server = new Server({
    ...serverLimits(Math.max(...services.map(({ spec }) => spec.messageBytes)), connectionAgeMs),
    interceptors: [requireToken([token, ...alsoAccepted])],
  })
  const handle = callHandler({ ...options, services, now, intercept: options.intercept ?? ((_call, work) => work()) })
  addServices(server, services, handle, now)
  const health = await serveHealth(server, { names, ready })
  const bound = await listen(server, { port, host, credentials: serverCredentials(tls) }).catch(async (thrown) => {
    await health[Symbol.asyncDispose]()
    throw thrown
  })
  const close = async (): Promise<void> => {
    health.drain()
    await pause(lastCallMs)
    await shutdown(server)
    await health[Symbol.asyncDispose]()
  }
  return { port: bound, [Symbol.asyncDispose]: close }
}

const serverLimits = (messageBytes: number, connectionAgeMs: number) => ({
  'grpc.max_receive_message_length': messageBytes + framingBytes,
  'grpc.max_send_message_length': messageBytes + framingBytes,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.max_connection_age_ms': connectionAgeMs,
  'grpc.max_connection_age_grace_ms': longestAnswerMs,
})

const addServices = (
  server: Server,
  services: readonly ServedService<object>[],
  handle: HandleCall,
  now: Clock,
): void => {
  for (const { spec } of services) {
    const methods = methodsOf(spec).map(({ name, path }) => [name, unary(path), unaryHandler(path, handle)] as const)
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

const passBytes = (bytes: Buffer): Buffer => bytes

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
  (path: string, handle: HandleCall): handleUnaryCall<Buffer, Buffer> =>
  (call, callback) => {
    const deadlineAt = Number(call.getDeadline())
    const cancelled = new AbortController()
    call.on('cancelled', () => cancelled.abort())
    const { signal } = cancelled
    void handle({ path, message: call.request, deadlineAt, headers: headersOf(call.metadata), signal }).then(
      ({ code, body }) => {
        if (code === status.OK) callback(null, body)
        else callback({ code, details: '', metadata: faultTrailers(body) })
      },
    )
  }

const headersOf = (metadata: Metadata): IncomingCall['headers'] => {
  const { authorization, ...headers } = metadata.getMap()
  return headers as Record<string, string>
}

const faultTrailers = (fault: Buffer): Metadata => {
  const metadata = new Metadata()
  if (fault.length > 0) metadata.set(faultTrailer, fault)
  return metadata
}

type ListenOptions = { port: number; host: string | undefined; credentials: ServerCredentials }

/** Without a host it listens on `[::]`, which includes IPv4, and on a machine without IPv6 on `0.0.0.0`. */
const listen = async (server: Server, { port, host, credentials }: ListenOptions): Promise<number> => {
  const bind = (on: string): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    server.bindAsync(`${on}:${port}`, credentials, (error, bound) => {
      if (!error) resolve(bound)
      else if (!/EADDRINUSE/.test(error.message)) reject(error)
      else reject(new Fault('conflict', `Port ${port} is in use; choose another with PORT, or PORT=0 for a free one.`))
    })
    return promise
  }
  if (host !== undefined) return bind(host)
  return bind('[::]').catch((thrown: Error) => (thrown instanceof Fault ? Promise.reject(thrown) : bind('0.0.0.0')))
}

/** Finishes the calls in hand; those that take too long are cut off. */
const shutdown = async (server: Server): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cutting = setTimeout(() => server.forceShutdown(), longestAnswerMs)
  server.tryShutdown(() => resolve())
  await promise
  clearTimeout(cutting)
}
