import { Fault, grpcStatus } from '../fault.ts'
import { currentTraceparent, inSpan, type SpanOptions } from '../trace.ts'
import type { Around } from './perform.ts'

/** What OpenTelemetry's conventions on RPC say of a call. @param method with its service, such as `a.v1.B/C` */
export const callSpan = (method: string, kind: 'server' | 'client'): SpanOptions => ({
  name: method,
  kind,
  attributes: { 'rpc.system.name': 'grpc', 'rpc.method': method },
})

const statusOf = (thrown: unknown): string => (thrown instanceof Fault ? grpcStatus(thrown.code) : 'INTERNAL')

/** Every call served is a span under the caller's. */
export const tracedCalls: Around = ({ service, method, headers }, work) =>
  inSpan({ ...callSpan(`${service}/${method}`, 'server'), traceparent: headers['traceparent'] }, async (span) => {
    try {
      const reply = await work()
      span.setAttribute('rpc.status_code', 'OK')
      return reply
    } catch (thrown) {
      span.setAttribute('rpc.status_code', statusOf(thrown))
      throw thrown
    }
  })

/** What a call carries so that the other side's span belongs under ours. */
export const traceHeaders = (): Record<string, string> => {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}
