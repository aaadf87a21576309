import { grpcClient } from '@postrider/adapters/grpc/client.ts'
import type { MethodRules, ServiceSpec } from '@postrider/contracts/services.ts'
import { grpcServerMetrics } from '@postrider/kit/grpc/callHandler.ts'
import { serveGrpc } from '@postrider/kit/grpc/serve.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'

export const token = 'a token that client and server share'

type Functions<S> = { [Method in keyof S]: (request: never) => Promise<object> }
type Served<S> = { spec: ServiceSpec<S>; implementation: S }
type More = Partial<Omit<Parameters<typeof serveGrpc>[0], 'services'>>

/** Serves a service on a free port. @returns the server and the lines it logs */
export const served = async <S extends Functions<S>>({ spec, implementation }: Served<S>, more: More = {}) => {
  const lines: string[] = []
  const log = makeLog('test', 'info', { write: (line) => void lines.push(line) })
  const options = {
    port: 0,
    host: '127.0.0.1',
    token,
    log,
    metrics: makeMetrics(grpcServerMetrics),
    ready: () => true,
    ...more,
  }
  const server = await serveGrpc<[S]>({ ...options, services: [{ spec, implementation }] })
  const address = `127.0.0.1:${server.port}`
  return { lines, address, port: server.port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

type ClientMore = Partial<Omit<Parameters<typeof grpcClient>[0], 'spec' | 'metrics' | 'headers'>>

export const clientOf = <S extends Functions<S>>(spec: ServiceSpec<S>, address: string, more: ClientMore = {}) =>
  grpcClient<S>({ spec, address, token, name: 'test', ...more })

/** Returns a service with only some of its functions. */
export const only = <S>(methods: Partial<S>): S => methods as S

/** Returns a service whose calls have more time than a busy machine needs. For tests that are not about deadlines. */
export const patient = <S>(spec: ServiceSpec<S>): ServiceSpec<S> => {
  const rules = Object.entries<MethodRules<unknown>>(spec.methods)
  const methods = Object.fromEntries(rules.map(([name, method]) => [name, { ...method, deadlineMs: 60_000 }]))
  return { ...spec, methods: methods as ServiceSpec<S>['methods'] }
}

/** Both ways to send calls. */
export const forms = [
  { form: 'sent alone', batch: false },
  { form: 'in batches', batch: true },
] as const
