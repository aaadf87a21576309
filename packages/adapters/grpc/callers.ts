import { status } from '@grpc/grpc-js'
import type { Wire } from '@postrider/contracts/wire.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { type GrpcMethod, methodsOf } from '@postrider/kit/grpc/definition.ts'
import { callSpan } from '@postrider/kit/grpc/traced.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import { inSpan } from '@postrider/kit/trace.ts'
import type { Answer, Ask } from './ask.ts'
import { thrownFor } from './refusals.ts'

export type Functions<S> = { [Method in keyof S]: (request: never) => Promise<object> }

type Rules = { deadlineMs: number; repeatable: boolean | string }
type Request = Record<string, unknown>

type Deps<S> = {
  wire: Wire<S>
  /** What may be repeated goes by `again`. */
  asks: { once: Ask; again: Ask }
  metrics: Pick<Metrics, 'grpcClientDuration'> | null
  headers(): Record<string, string>
  now: Clock
}

/** A service's functions, each of them a call. */
export const callers = <S extends Functions<S>>({ wire, asks, metrics, headers, now }: Deps<S>): S => {
  const observed = async (method: string, answering: Promise<Answer>): Promise<Answer> => {
    const since = performance.now()
    const answer = await answering
    const labels = { service: wire.name, method, code: status[answer.code] ?? 'UNKNOWN' }
    metrics?.grpcClientDuration.observe(labels, (performance.now() - since) / 1_000)
    return answer
  }

  const caller = ({ name, path, request: coder, reply }: GrpcMethod, { deadlineMs, repeatable }: Rules) => {
    const spanned = callSpan(path.slice(1), 'client')
    return (request: Request): Promise<object> =>
      inSpan(spanned, async (span) => {
        const ask = mayRepeat(repeatable, request) ? asks.again : asks.once
        const call = { path, message: coder.encode(request), deadlineAt: now() + deadlineMs, headers: headers() }
        const answer = await observed(name, ask(call))
        span.setAttribute('rpc.status_code', status[answer.code] ?? 'UNKNOWN')
        if (answer.code !== status.OK) throw thrownFor(path, answer)
        return reply.decode(answer.body)
      })
  }

  const rules = wire.methods as Record<string, Rules>
  const methods = methodsOf(wire).map((method) => {
    const ruled = rules[method.name]
    if (!ruled) throw new Error(`${method.path} has no rules`)
    return [method.name, caller(method, ruled)]
  })
  return Object.fromEntries(methods) as S
}

const mayRepeat = (repeatable: Rules['repeatable'], request: Request): boolean =>
  typeof repeatable === 'string' ? Boolean(request[repeatable]) : repeatable
