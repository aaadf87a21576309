import { status } from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { Fault } from '../fault.ts'
import type { Log } from '../log.ts'
import { type MetricRegistry, metricsIn, requestBuckets } from '../metrics.ts'
import { type GrpcMethod, methodsOf } from './definition.ts'
import type { Callers } from './identify.ts'
import { type CallOutcome, faultOutcome, statusOnly } from './outcome.ts'

/** A received call, alone or from a batch. */
export type IncomingCall = {
  path: string
  message: Buffer
  /** Deadline in milliseconds since the epoch; Infinity: none. */
  deadlineAt: number
  /** The services that it may come from. */
  callers: Callers
  /** Metadata except the token. */
  headers: Readonly<Record<string, string>>
  /** Aborted when the caller has canceled the call or its deadline has passed. Calls of a batch have none. */
  signal?: AbortSignal
}

export type HandleCall = (call: IncomingCall) => Promise<CallOutcome>

/** Wraps the work of a call, for example in a span. */
export type CallInterceptor = <T>(
  call: { service: string; method: string; headers: IncomingCall['headers'] },
  work: () => Promise<T>,
) => Promise<T>

/** The methods that each caller may call; undefined: every caller may call all. */
export type AllowedMethods = Readonly<Record<string, readonly string[] | undefined>>

/** A service to serve. @typeParam S its methods, one function each */
export type ServedService<S> = {
  /** See `ServiceSpec` in contracts/services.ts. */
  spec: {
    proto: string
    name: string
    messageBytes: number
    methods: { [Method in keyof S]: unknown }
    callers?: AllowedMethods
  }
  implementation: S
}

/**
 * Why a call was refused: its caller is unknown, may not call the method, or probes the health too often; or a
 * connection ended before its first call, as when one side expects TLS and the other does not; or the address of an
 * unknown peer opened too many connections.
 */
const denials = ['caller', 'method', 'health', 'connection', 'rate'] as const

/** Declares the metrics of a gRPC server. */
export const grpcServerMetrics = (registry: MetricRegistry) => {
  const { histogram, counter } = metricsIn(registry)
  const grpcDenied = counter<'reason'>({
    name: 'postrider_grpc_denied_total',
    help: 'Calls refused because of their caller: unknown (caller), a method it may not call (method), health probes over the limit (health), a connection that ended before its first call (connection), connections over the rate of an address without a known peer (rate)',
    labels: ['reason'],
  })
  // A series that begins with 0 shows its first increase.
  for (const reason of denials) grpcDenied.inc({ reason }, 0)
  const grpcLongRefused = counter({
    name: 'postrider_grpc_long_calls_refused_total',
    help: 'Calls with a long message refused because the memory for such messages was in use',
  })
  const grpcServerDuration = histogram({
    name: 'postrider_grpc_server_duration_seconds',
    help: 'Time until the response to a call of another service, by gRPC status',
    labels: ['service', 'method', 'code'],
    buckets: requestBuckets,
  })
  return { grpcServerDuration, grpcDenied, grpcLongRefused }
}

export type CallHandlerOptions = {
  services: readonly ServedService<object>[]
  log: Pick<Log, 'error' | 'warn'>
  metrics: ReturnType<typeof grpcServerMetrics>
  now: Clock
  intercept: CallInterceptor
}

type Method = GrpcMethod & {
  service: string
  messageBytes: number
  isAllowed(callers: Callers): boolean
  run(request: object, signal?: AbortSignal): Promise<object>
}

/** A token that is being changed may fit several callers. */
const allows = (allowed: AllowedMethods | undefined, method: string): Method['isAllowed'] => {
  if (allowed === undefined) return () => true
  const names = Object.keys(allowed).filter((caller) => allowed[caller]?.includes(method))
  return (callers) => callers.split(',').some((caller) => names.includes(caller))
}

const servedMethods = ({ spec, implementation }: ServedService<object>): [string, Method][] =>
  methodsOf(spec).map((method) => {
    const run = (implementation as Record<string, Method['run']>)[method.name]
    if (!run) throw new Error(`${spec.name} has no ${method.name}`)
    const isAllowed = allows(spec.callers, method.name)
    return [method.path, { ...method, service: spec.name, messageBytes: spec.messageBytes, isAllowed, run }]
  })

/**
 * Returns the function that handles a call: it checks that the caller may call the method, decodes the request, runs
 * the method and encodes the reply. A Fault becomes an outcome that carries it; any other error is logged and becomes
 * INTERNAL without details.
 */
export const callHandler = ({ services, log, metrics, now, intercept }: CallHandlerOptions): HandleCall => {
  const methods = new Map(services.flatMap(servedMethods))
  const logDenied = onceFor((caller: Callers, method: string) => log.warn({ caller, method }, 'grpc.denied'))

  const run = async (method: Method, { message, headers, signal }: IncomingCall): Promise<CallOutcome> => {
    try {
      const request = method.request.decode(message)
      const call = { service: method.service, method: method.name, headers }
      const reply = await intercept(call, () => method.run(request, signal))
      const body = method.reply.encode(reply)
      return body.length <= method.messageBytes ? { code: status.OK, body } : statusOnly(status.RESOURCE_EXHAUSTED)
    } catch (thrown) {
      return failed(method, thrown)
    }
  }

  const failed = ({ path }: Method, thrown: unknown): CallOutcome => {
    const fields = { err: thrown, method: path }
    if (!(thrown instanceof Fault)) {
      log.error(fields, 'grpc.failed')
      return statusOnly(status.INTERNAL)
    }
    if (thrown.code === 'internal') log.error(fields, 'grpc.failed')
    else if (thrown.cause !== undefined) log.warn(fields, 'grpc.refused')
    return faultOutcome(thrown)
  }

  return async (call) => {
    const method = methods.get(call.path)
    if (!method) return statusOnly(status.UNIMPLEMENTED)
    if (!method.isAllowed(call.callers)) {
      logDenied(call.callers, call.path)
      metrics.grpcDenied.inc({ reason: 'method' })
      return statusOnly(status.PERMISSION_DENIED)
    }
    // The client has already given up, or only checks whether it may call the method (adapters/grpc/checkPeer.ts).
    if (call.deadlineAt <= now()) return statusOnly(status.DEADLINE_EXCEEDED)
    const startedAt = performance.now()
    const outcome = await run(method, call)
    const labels = { service: method.service, method: method.name, code: status[outcome.code] ?? 'UNKNOWN' }
    metrics.grpcServerDuration.observe(labels, (performance.now() - startedAt) / 1_000)
    return outcome
  }
}

/** Returns a function that acts once for each caller and method, because a caller repeats a call that fails. */
const onceFor = (act: (caller: Callers, method: string) => void) => {
  const seen = new Set<string>()
  return (caller: Callers, method: string): void => {
    const key = `${caller} ${method}`
    if (seen.has(key)) return
    seen.add(key)
    act(caller, method)
  }
}
