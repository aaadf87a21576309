import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './freePort.ts'
import { pump } from './tcpPump.ts'

/** A wire between a client and a server that a test can break. */
export type TcpProxy = AsyncDisposable & {
  /** In the form of `to`, with the proxy's own host and port. */
  address: string
  /** Drops every connection and refuses new ones, until healed. */
  cut(): Promise<void>
  /** Takes connections and keeps them, and passes nothing on, until healed: a network that swallows packets. Who sends
   * more than 1 MiB or so into it can't send on. */
  halfOpen(): void
  /** Passes on again. What was held back in half-open connections goes out first, as after a lost packet. */
  heal(): Promise<void>
  /** Each byte arrives so many milliseconds later, on both ways. */
  latency(ms: number): void
  /** Ends every connection with a reset (RST); new ones are taken. */
  reset(): void
}

type Wire = { latencyMs: number; held: boolean; pairs: Set<readonly [Socket, Socket]>; whenHealed: Set<() => void> }

const hostAndPort = /(?<host>[^/@:]+):(?<port>\d+)/

/** @param to `host:port`, or a URL of one server that names its port */
export const tcpProxy = async ({ to }: { to: string }): Promise<TcpProxy> => {
  const { host = '', port: toPort } = hostAndPort.exec(to)?.groups ?? {}
  const port = await freePort()
  const wire: Wire = { latencyMs: 0, held: false, pairs: new Set(), whenHealed: new Set() }
  const open = () => listen(port, (client) => join(client, connect({ host, port: Number(toPort), ...both }), wire))
  let server: Server | null = await open()

  const close = async (): Promise<void> => {
    for (const pair of wire.pairs) for (const socket of pair) socket.destroy()
    if (server === null) return
    const closed = once(server, 'close')
    server.close()
    server = null
    await closed
  }
  return {
    address: to.replace(hostAndPort, `127.0.0.1:${port}`),
    cut: close,
    halfOpen: () => {
      wire.held = true
    },
    heal: async () => {
      wire.held = false
      for (const flow of wire.whenHealed) flow()
      server ??= await open()
    },
    latency: (ms) => {
      wire.latencyMs = ms
    },
    reset: () => {
      for (const pair of wire.pairs) for (const socket of pair) socket.resetAndDestroy()
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Each way of a connection ends for itself, as TCP has it. */
const both = { allowHalfOpen: true, noDelay: true }

const listen = async (port: number, onClient: (client: Socket) => void): Promise<Server> => {
  const server = createServer(both, onClient).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const join = (client: Socket, target: Socket, wire: Wire): void => {
  const pair = [client, target] as const
  wire.pairs.add(pair)
  attach({ socket: client, other: target, stop: pump(target, client, wire), pair, wire })
  attach({ socket: target, other: client, stop: pump(client, target, wire), pair, wire })
}

type End = { socket: Socket; other: Socket; stop: () => void; pair: readonly [Socket, Socket]; wire: Wire }

const attach = ({ socket, other, stop, pair, wire }: End): void => {
  socket.on('error', () => other.resetAndDestroy())
  // A good end has gone through the pump, behind the last bytes; the other end may still wait for them.
  socket.on('close', () => {
    stop()
    if (other.closed) wire.pairs.delete(pair)
  })
}
