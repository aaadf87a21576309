import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './freePort.ts'

/** A TCP proxy between a client and a server that simulates failures of the network. */
export type TcpProxy = AsyncDisposable & {
  /** The address `to` with the host and port of the proxy. */
  address: string
  /** Drops every connection and refuses new ones, until healed. */
  cut(): Promise<void>
  /**
   * Accepts connections and keeps them open, but forwards nothing until healed, like a network that drops packets. The
   * sender can send about 1 MiB, then it blocks.
   */
  halfOpen(): void
  /** Returns whether a sender is blocked: the proxy buffers as much of what it sent as it may. */
  isBlocked(): boolean
  /** Forwards again. Bytes that half-open connections delayed are sent first, as after a lost packet. */
  heal(): Promise<void>
  /** Delays every byte by `ms`, in both directions. */
  latency(ms: number): void
  /** Ends every connection with a reset (RST). New connections are accepted. */
  reset(): void
  /** Returns how many connections were opened. */
  opened(): number
}

/** The state that all connections of a proxy share. `whenHealed` are called when `isPaused` becomes false. */
type Link = {
  latencyMs: number
  isPaused: boolean
  pairs: Set<readonly [Socket, Socket]>
  whenHealed: Set<() => void>
  /** The senders that are blocked. */
  blocked: Set<Socket>
}

const hostAndPort = /(?<host>[^/@:]+):(?<port>\d+)/

/**
 * Starts a proxy.
 * @param to `host:port`, or the URL of one server with its port
 */
export const tcpProxy = async ({ to }: { to: string }): Promise<TcpProxy> => {
  const { host = '', port: toPort } = hostAndPort.exec(to)?.groups ?? {}
  const port = await freePort()
  const link: Link = { latencyMs: 0, isPaused: false, pairs: new Set(), whenHealed: new Set(), blocked: new Set() }
  let opened = 0
  const open = async (): Promise<Server> => {
    const onClient = (client: Socket): void => {
      opened += 1
      join(client, connect({ host, port: Number(toPort), ...halfClose }), link)
    }
    const listening = createServer(halfClose, onClient).listen(port, '127.0.0.1')
    await once(listening, 'listening')
    return listening
  }
  let server: Server | null = await open()

  const close = async (): Promise<void> => {
    for (const pair of link.pairs) for (const socket of pair) socket.destroy()
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
      link.isPaused = true
    },
    isBlocked: () => link.blocked.size > 0,
    heal: async () => {
      link.isPaused = false
      for (const flow of link.whenHealed) flow()
      server ??= await open()
    },
    latency: (ms) => {
      link.latencyMs = ms
    },
    reset: () => {
      for (const pair of link.pairs) for (const socket of pair) socket.resetAndDestroy()
    },
    opened: () => opened,
    [Symbol.asyncDispose]: close,
  }
}

/** Each direction of a connection ends independently, as in TCP. */
const halfClose = { allowHalfOpen: true, noDelay: true }

const join = (client: Socket, target: Socket, link: Link): void => {
  const pair = [client, target] as const
  link.pairs.add(pair)
  /** Forwards the bytes of `other` to `socket`. */
  const attach = (socket: Socket, other: Socket): void => {
    const stop = pump(other, socket, link)
    socket.on('error', () => other.resetAndDestroy())
    // The pump has forwarded a regular end, after the last bytes. The other socket may still wait for them.
    socket.on('close', () => {
      stop()
      if (other.closed) link.pairs.delete(pair)
    })
  }
  attach(client, target)
  attach(target, client)
}

/** Bytes that a proxy buffers in one direction. Then its sender blocks, as if its packets were lost. */
const windowBytes = 2 ** 20

/**
 * Forwards the bytes of one socket to another in order: each chunk `latencyMs` after its arrival, and none while the
 * link is paused. Returns a function that stops it.
 */
const pump = (from: Socket, to: Socket, link: Link): (() => void) => {
  /** Chunks in order of arrival; null is the end of the stream. */
  const chunks: (Buffer | null)[] = []
  /** The number of chunks that have been delayed long enough. */
  let ready = 0
  let bufferedBytes = 0
  const timers = new Set<NodeJS.Timeout>()

  const flow = (): void => {
    for (; ready > 0 && !link.isPaused && !to.destroyed; ready--) {
      const chunk = chunks.shift()
      bufferedBytes -= chunk?.length ?? 0
      if (chunk) to.write(chunk)
      else to.end()
    }
    if (bufferedBytes > windowBytes) return
    link.blocked.delete(from)
    from.resume()
  }
  const onReady = (): void => {
    ready++
    flow()
  }
  const add = (chunk: Buffer | null): void => {
    chunks.push(chunk)
    bufferedBytes += chunk?.length ?? 0
    if (bufferedBytes > windowBytes) {
      link.blocked.add(from)
      from.pause()
    }
    if (link.latencyMs === 0 && timers.size === 0) {
      onReady()
      return
    }
    const timer = setTimeout(() => {
      timers.delete(timer)
      onReady()
    }, link.latencyMs)
    timers.add(timer)
  }
  from.on('data', add)
  from.on('end', () => add(null))
  link.whenHealed.add(flow)
  return () => {
    link.whenHealed.delete(flow)
    link.blocked.delete(from)
    for (const timer of timers) clearTimeout(timer)
  }
}
