import { Fault, grpcStatus } from '../fault.ts'
import { currentTraceparent, inSpan, type SpanOptions } from '../trace.ts'
import type { CallInterceptor } from './callHandler.ts'

/** Returns the span of a call by OpenTelemetry's RPC conventions. @param method with its service, such as `a.v1.B/C` */
export const callSpan = (method: string, kind: 'server' | 'client'): SpanOptions => ({
  name: method,
  kind,
  attributes: { 'rpc.system.name': 'grpc', 'rpc.method': method },
})

const statusOf = (thrown: unknown): string => (thrown instanceof Fault ? grpcStatus(thrown.code) : 'INTERNAL')

/** Runs a served call in a span under the caller's span. */
export const traceCalls: CallInterceptor = ({ service, method, headers }, work) =>
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

/** Returns the metadata that makes the server's span a child of the active one. */
export const traceHeaders = (): Record<string, string> => {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}
