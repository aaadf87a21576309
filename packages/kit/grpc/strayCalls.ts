import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { maxAgentLength, type OnRefused } from './admit.ts'
import type { CallHandlerOptions } from './callHandler.ts'
import type { Connections } from './connections.ts'
import type { PeerCertificate } from './credentials.ts'
import type { Identify } from './identify.ts'

/** Node publishes each stream that a client opens, of all HTTP/2 servers of the process, before it is handled. */
const opened = 'http2.server.stream.start'

export type StrayCallsOptions = {
  /** Paths of all methods of the server. */
  paths: ReadonlySet<string>
  identify: Identify
  connections: Connections
  metrics: CallHandlerOptions['metrics']
  onRefused: OnRefused
}

type Opened = { stream: ServerHttp2Stream; headers: IncomingHttpHeaders }

/**
 * Counts calls that the library responds to by itself, without an interceptor, as refused calls of their peer: those of
 * an unknown method or of another content type. Without the channel, in an earlier Node, they are not limited.
 * Disposing it ends the count.
 */
export const countStrayCalls = (options: StrayCallsOptions): Disposable => {
  const { paths, identify, connections, metrics, onRefused } = options
  const count = ({ stream, headers }: Opened): void => {
    const { ':path': path = '', 'content-type': type = '', 'user-agent': agent = '', authorization } = headers
    if (paths.has(path) && type.startsWith('application/grpc')) return
    const { session } = stream
    const socket = session?.socket
    const address = `${socket?.remoteAddress}:${socket?.remotePort}`
    const connection = connections.of(address)
    if (connection === null) return
    connection.hasCall = true
    if (identify({ authorization, certificate: () => certificateOf(socket) }) !== null) return
    metrics.grpcDenied.inc({ reason: 'caller' })
    onRefused({ reason: 'caller', details: 'no such method', address, agent: agent.slice(0, maxAgentLength) })
    // The library fails on a stream that ends before it has responded.
    if (connection.countRefused()) stream.once('close', () => session?.destroy())
  }
  const listener = (message: unknown): void => count(message as Opened)
  subscribe(opened, listener)
  return { [Symbol.dispose]: () => void unsubscribe(opened, listener) }
}

const certificateOf = (socket: object | undefined): PeerCertificate | undefined =>
  (socket as { getPeerCertificate?(): PeerCertificate } | undefined)?.getPeerCertificate?.()
