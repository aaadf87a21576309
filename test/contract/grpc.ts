import { grpcClient } from '@postrider/adapters/grpc/client.ts'
import type { Wire } from '@postrider/contracts/wire.ts'
import { serveGrpc } from '@postrider/kit/grpc/serve.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'

export const token = 'a token that both ends of the wire know'

type Functions<S> = { [Method in keyof S]: (request: never) => Promise<object> }
type Served<S> = { wire: Wire<S>; implementation: S }
type More = Partial<Omit<Parameters<typeof serveGrpc>[0], 'services'>>

/** A server on a free port, with the lines it logs. */
export const served = async <S extends Functions<S>>({ wire, implementation }: Served<S>, more: More = {}) => {
  const lines: string[] = []
  const log = makeLog('test', 'info', { write: (line) => void lines.push(line) })
  const given = { port: 0, host: '127.0.0.1', token, log, metrics: makeMetrics(), ready: () => true, ...more }
  const server = await serveGrpc<[S]>({ ...given, services: [{ wire, implementation }] })
  const address = `127.0.0.1:${server.port}`
  return { lines, address, port: server.port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

type ClientMore = Partial<Omit<Parameters<typeof grpcClient>[0], 'wire'>>

export const clientOf = <S extends Functions<S>>(wire: Wire<S>, address: string, more: ClientMore = {}) =>
  grpcClient<S>({ wire, address, token, name: 'test', ...more })

/** A service of which only some functions are asked. */
export const only = <S>(some: Partial<S>): S => some as S

/** Both forms calls travel in. */
export const forms = [
  { form: 'one by one', gather: false },
  { form: 'gathered', gather: true },
] as const
