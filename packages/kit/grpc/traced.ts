import { currentTraceparent, inSpan } from '../trace.ts'
import type { Around } from './perform.ts'

const spanOf = (service: string, method: string) => ({
  name: `${service}/${method}`,
  attributes: { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method },
})

/** Every call served is a span under the caller's. */
export const tracedCalls: Around = ({ service, method, headers }, work) =>
  inSpan({ ...spanOf(service, method), end: 'server', traceparent: headers['traceparent'] }, work)

/** What a call carries so that the other side's span belongs under ours. */
export const traceHeaders = (): Record<string, string> => {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

type Functions<S> = { [Method in keyof S]: (request: never) => Promise<unknown> }

/** The same client, each of its calls a span. */
export const tracedClient = <S extends Functions<S>>(name: string, client: S): S =>
  Object.fromEntries(
    Object.entries<(request: never) => Promise<unknown>>(client).map(([method, call]) => [
      method,
      (request: never) => inSpan({ ...spanOf(name, method), end: 'client' }, () => call(request)),
    ]),
  ) as S
