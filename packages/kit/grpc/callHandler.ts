import { status } from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { Fault } from '../fault.ts'
import type { Log } from '../log.ts'
import { type MetricRegistry, metricsIn, requestBuckets } from '../metrics.ts'
import { type GrpcMethod, methodsOf } from './definition.ts'
import { faultOutcome, type Outcome, statusOnly } from './outcome.ts'

/** A received call, alone or from a batch. */
export type IncomingCall = {
  path: string
  message: Buffer
  /** In milliseconds since the epoch; Infinity: none. */
  deadlineAt: number
  /** Metadata except the token. */
  headers: Readonly<Record<string, string>>
  /** Aborted when the caller has cancelled the call or its deadline has passed. Calls of a batch have none. */
  signal?: AbortSignal
}

export type HandleCall = (call: IncomingCall) => Promise<Outcome>

/** Wraps the work of a call, for example in a span. */
export type CallInterceptor = <T>(
  call: { service: string; method: string; headers: IncomingCall['headers'] },
  work: () => Promise<T>,
) => Promise<T>

/** A service to serve. @typeParam S its methods, one function each */
export type ServedService<S> = {
  /** See `ServiceSpec` in contracts/services.ts. */
  spec: { proto: string; name: string; messageBytes: number; methods: { [Method in keyof S]: unknown } }
  implementation: S
}

/** Declares the metrics of a gRPC server. */
export const grpcServerMetrics = (registry: MetricRegistry) => ({
  grpcServerDuration: metricsIn(registry).histogram({
    name: 'postrider_grpc_server_duration_seconds',
    help: 'Time to answer a call of another service, by gRPC status',
    labels: ['service', 'method', 'code'],
    buckets: requestBuckets,
  }),
})

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
  run(request: object, signal?: AbortSignal): Promise<object>
}

const servedMethods = ({ spec, implementation }: ServedService<object>): [string, Method][] =>
  methodsOf(spec).map((method) => {
    const run = (implementation as Record<string, Method['run']>)[method.name]
    if (!run) throw new Error(`${spec.name} has no ${method.name}`)
    return [method.path, { ...method, service: spec.name, messageBytes: spec.messageBytes, run }]
  })

/**
 * Returns the function that handles a call: it decodes the request, runs the method and encodes the reply. A Fault becomes
 * an outcome that carries it; any other error is logged and becomes INTERNAL without details.
 */
export const callHandler = ({ services, log, metrics, now, intercept }: CallHandlerOptions): HandleCall => {
  const methods = new Map(services.flatMap(servedMethods))

  const run = async (method: Method, { message, headers, signal }: IncomingCall): Promise<Outcome> => {
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

  const failed = ({ path }: Method, thrown: unknown): Outcome => {
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
    // The client has already given up.
    if (call.deadlineAt <= now()) return statusOnly(status.DEADLINE_EXCEEDED)
    const startedAt = performance.now()
    const outcome = await run(method, call)
    const labels = { service: method.service, method: method.name, code: status[outcome.code] ?? 'UNKNOWN' }
    metrics.grpcServerDuration.observe(labels, (performance.now() - startedAt) / 1_000)
    return outcome
  }
}
