import { status } from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import { Fault } from '../fault.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type GrpcMethod, methodsOf } from './definition.ts'
import { bare, type Outcome, refusal } from './outcome.ts'

/** A call as it came, in whatever form. */
export type Incoming = {
  path: string
  message: Buffer
  /** In milliseconds since the epoch; Infinity: none. */
  deadlineAt: number
  /** Its metadata but the token. */
  headers: Readonly<Record<string, string>>
}

export type Perform = (call: Incoming) => Promise<Outcome>

/** Does a call's work inside something, such as a span. */
export type Around = <T>(
  call: { service: string; method: string; headers: Incoming['headers'] },
  work: () => Promise<T>,
) => Promise<T>

/** A service to serve. @typeParam S its methods, one function each */
export type Served<S> = {
  wire: { proto: string; name: string; messageBytes: number; methods: { [Method in keyof S]: unknown } }
  implementation: S
}

type Functions = Record<string, (request: object) => Promise<object>>

type Deps = {
  services: readonly Served<object>[]
  log: Pick<Log, 'error' | 'warn'>
  metrics: Pick<Metrics, 'grpcServerDuration'>
  now: Clock
  around: Around
}

type Method = GrpcMethod & { service: string; messageBytes: number; run(request: object): Promise<object> }

const servedMethods = ({ wire, implementation }: Served<object>): [string, Method][] =>
  methodsOf(wire).map((method) => {
    const run = (implementation as Functions)[method.name]
    if (!run) throw new Error(`${wire.name} has no ${method.name}`)
    return [method.path, { ...method, service: wire.name, messageBytes: wire.messageBytes, run }]
  })

/** Makes what does a call, whatever form it came in: decode, run, encode; a refusal with its fault; a bug without a word. */
export const performer = ({ services, log, metrics, now, around }: Deps): Perform => {
  const methods = new Map(services.flatMap(servedMethods))

  const run = async (method: Method, { message, headers }: Incoming): Promise<Outcome> => {
    try {
      const request = method.request.decode(message)
      const reply = await around({ service: method.service, method: method.name, headers }, () => method.run(request))
      const body = method.reply.encode(reply)
      return body.length <= method.messageBytes ? { code: status.OK, body } : bare(status.RESOURCE_EXHAUSTED)
    } catch (thrown) {
      return failed(method, thrown)
    }
  }

  const failed = ({ path }: Method, thrown: unknown): Outcome => {
    const fields = { err: thrown, method: path }
    if (!(thrown instanceof Fault)) {
      log.error(fields, 'grpc.failed')
      return bare(status.INTERNAL)
    }
    if (thrown.code === 'internal') log.error(fields, 'grpc.failed')
    else if (thrown.cause !== undefined) log.warn(fields, 'grpc.refused')
    return refusal(thrown)
  }

  return async (call) => {
    const method = methods.get(call.path)
    if (!method) return bare(status.UNIMPLEMENTED)
    // Nobody waits for it any more.
    if (call.deadlineAt <= now()) return bare(status.DEADLINE_EXCEEDED)
    const since = performance.now()
    const outcome = await run(method, call)
    const labels = { service: method.service, method: method.name, code: status[outcome.code] ?? 'UNKNOWN' }
    metrics.grpcServerDuration.observe(labels, (performance.now() - since) / 1_000)
    return outcome
  }
}
