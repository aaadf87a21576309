import { setTimeout as pause } from 'node:timers/promises'
import {
  type handleUnaryCall,
  Metadata,
  Server,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { Fault } from '../fault.ts'
import { authenticate } from './authenticate.ts'
import { serverCredentials, type WireTls } from './credentials.ts'
import { methodsOf } from './definition.ts'
import { serveHealth } from './health.ts'
import { faultTrailer } from './outcome.ts'
import { type Around, type Incoming, type Perform, performer, type Served } from './perform.ts'
import { serveGathered } from './serveGathered.ts'
import { framingBytes, gatherMethod } from './wireMessages.ts'

type Given<Services extends readonly object[]> = {
  /** 0: a free one. */
  port: number
  /** Where it listens; otherwise on every address of IPv6 and IPv4, as far as the machine has them. */
  host?: string | undefined
  services: readonly [...{ [Index in keyof Services]: Served<Services[Index]> }]
  /** Shared by all services; every call but a probe's shows it, or one of `alsoTaken`. */
  token: string
  alsoTaken?: readonly string[]
  tls?: WireTls
  log: Parameters<typeof performer>[0]['log']
  metrics: Parameters<typeof performer>[0]['metrics']
  /** Whether calls should come here. */
  ready(): Promise<boolean> | boolean
  now?: Clock
  around?: Around
  /** After which a client connects anew, in milliseconds, and so finds replicas that came since. */
  connectionAgeMs?: number
}

/** How long calls still come after the probes were told that nothing more should. */
const lastCallMs = 250
/** How long a call that was begun may take once we stop. */
const longestAnswerMs = 10_000

/**
 * Serves services to other processes of ours. A `Fault` reaches the caller whole but for its cause; of any other error it
 * learns nothing, the log has it. Disposing of it stops taking calls and finishes those in hand.
 * @throws Fault `conflict`: the port is in use, in plain words
 */
export const serveGrpc = async <Services extends readonly object[]>(
  given: Given<Services>,
): Promise<AsyncDisposable & { port: number }> => {
  const { port, host, token, alsoTaken = [], tls, ready, now = Date.now } = given
  const services = given.services as readonly Served<object>[]
  const names = services.map(({ wire }) => wire.name)
  const server = new Server({
    ...limits(Math.max(...services.map(({ wire }) => wire.messageBytes)), given.connectionAgeMs ?? 60_000),
    interceptors: [authenticate([token, ...alsoTaken])],
  })
  const perform = performer({ ...given, services, now, around: given.around ?? ((_call, work) => work()) })
  addServices(server, services, perform, now)
  const health = await serveHealth(server, { names, ready })
  const credentials = serverCredentials(tls ?? null)
  const listen = (on: string): Promise<number> => bind(server, `${on}:${port}`, credentials)
  const everywhere = (): Promise<number> =>
    listen('[::]').catch((thrown: Error) => (thrown instanceof Fault ? Promise.reject(thrown) : listen('0.0.0.0')))
  const bound = await (host === undefined ? everywhere() : listen(host)).catch((thrown) => {
    health[Symbol.dispose]()
    throw thrown
  })
  const close = async (): Promise<void> => {
    health.drain()
    await pause(lastCallMs)
    await shutdown(server)
    health[Symbol.dispose]()
  }
  return { port: bound, [Symbol.asyncDispose]: close }
}

const limits = (messageBytes: number, connectionAgeMs: number) => ({
  'grpc.max_receive_message_length': messageBytes + framingBytes,
  'grpc.max_send_message_length': messageBytes + framingBytes,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.max_connection_age_ms': connectionAgeMs,
  'grpc.max_connection_age_grace_ms': longestAnswerMs,
})

const asItIs = (bytes: Buffer): Buffer => bytes

/** Messages are coded where a call is performed, so that both forms go the same way. */
const addServices = (server: Server, services: readonly Served<object>[], perform: Perform, now: Clock): void => {
  for (const { wire } of services) {
    const methods = methodsOf(wire).map(({ name, path }) => [name, unary(path), unaryHandler(path, perform)] as const)
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
  server.addService(definition, { Gather: serveGathered({ perform, now }) })
}

const unary = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: asItIs,
  requestDeserialize: asItIs,
  responseSerialize: asItIs,
  responseDeserialize: asItIs,
})

const unaryHandler =
  (path: string, perform: Perform): handleUnaryCall<Buffer, Buffer> =>
  (call, callback) => {
    const deadlineAt = Number(call.getDeadline())
    void perform({ path, message: call.request, deadlineAt, headers: headersOf(call.metadata) }).then(
      ({ code, body }) => {
        if (code === status.OK) callback(null, body)
        else callback({ code, details: '', metadata: trailers(body) })
      },
    )
  }

const headersOf = (metadata: Metadata): Incoming['headers'] => {
  const { authorization, ...headers } = metadata.getMap()
  return headers as Record<string, string>
}

const trailers = (fault: Buffer): Metadata => {
  const metadata = new Metadata()
  if (fault.length > 0) metadata.set(faultTrailer, fault)
  return metadata
}

const bind = (server: Server, address: string, credentials: ReturnType<typeof serverCredentials>): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync(address, credentials, (error, port) => {
    if (!error) resolve(port)
    else if (/EADDRINUSE/.test(error.message)) {
      const port = address.slice(address.lastIndexOf(':') + 1)
      reject(new Fault('conflict', `Port ${port} is in use; choose another with PORT, or PORT=0 for a free one.`))
    } else reject(error)
  })
  return promise
}

/** Finishes what is in hand; what isn't done in time is cut off. */
const shutdown = async (server: Server): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cutting = setTimeout(() => server.forceShutdown(), longestAnswerMs)
  server.tryShutdown(() => resolve())
  await promise
  clearTimeout(cutting)
}
