import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkMatcher, parseNetwork, rateLimitClient } from '@postrider/domain/network.ts'
import type { ConnectionLimits, GatewayConfig } from './config.ts'
import type { GatewayMetrics } from './deps.ts'

export type BoundConnectionsOptions = {
  limits: ConnectionLimits
  trustedProxies: GatewayConfig['trustedProxies']
  metrics: Pick<GatewayMetrics, 'connections'>
}

/**
 * Limits what connections cost: a connection beyond a limit is closed immediately, and one whose client stops reading its
 * answers is closed after `stalledMs`.
 */
export const boundConnections = (
  server: Server,
  { limits: { most, mostOfAddress, stalledMs }, trustedProxies, metrics: { connections } }: BoundConnectionsOptions,
): void => {
  const isTrustedProxy = networkMatcher(trustedProxies.flatMap((text) => parseNetwork(text) ?? []))
  const admit = addressCounter(mostOfAddress)
  // Not `maxConnections` of Node: it does not count those that the socket of the other IP version passes (kit/listen.ts).
  let count = 0
  const refusal = (socket: Socket, address: string): 'total' | 'address' | null => {
    if (count >= most) return 'total'
    return isTrustedProxy(address) || admit(socket, rateLimitClient(address)) ? null : 'address'
  }
  const { watch, check } = stalledWatch(() => connections.closed.inc({ reason: 'stalled' }))
  const checking = setInterval(check, stalledMs / checksUntilStalled).unref()
  server.once('close', () => clearInterval(checking))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    const reason = address === undefined ? null : refusal(socket, address)
    if (reason !== null) connections.closed.inc({ reason })
    // Without an address the client has closed the connection already.
    if (address === undefined || reason !== null) {
      socket.destroy()
      return
    }
    count++
    connections.open.inc()
    socket.once('close', () => {
      count--
      connections.open.dec()
    })
    // Each waiting answer has its listener (steps/answerMemory.ts).
    socket.setMaxListeners(2 * mostPipelined)
    watch(socket)
  })
}

/**
 * Requests of one connection that may wait for their answers. Clients that pipeline requests send few; a client that sends
 * thousands and reads nothing would fill the memory with short answers.
 */
const mostPipelined = 100

/** Listeners of one response. */
const mostListeners = 30

/** Returns a listener that closes a connection with too many unanswered requests. */
export const boundPipelines = (
  listener: RequestListener,
  { connections: { closed } }: BoundConnectionsOptions['metrics'],
): RequestListener => {
  const unanswered = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // The rest of what had arrived is still parsed.
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > mostPipelined) {
      closed.inc({ reason: 'pipelined' })
      socket.destroy()
      return
    }
    unanswered.set(socket, count)
    // Steps of a request have listeners, and a body that is sent in pieces; Node would warn of more than 10.
    response.setMaxListeners(mostListeners)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    listener(request, response)
  }
}

/** Returns a function that counts a connection of an address until it closes, or returns false if there are `most`. */
const addressCounter = (most: number): ((socket: Socket, address: string) => boolean) => {
  const counts = new Map<string, number>()
  const change = (address: string, by: number): void => {
    const count = (counts.get(address) ?? 0) + by
    if (count === 0) counts.delete(address)
    else counts.set(address, count)
  }
  return (socket, address) => {
    if ((counts.get(address) ?? 0) >= most) return false
    change(address, 1)
    socket.once('close', () => change(address, -1))
    return true
  }
}

/** Checks per `stalledMs`. Checks are counted instead of time, so a process that was paused closes no connection. */
export const checksUntilStalled = 6

type WatchedSocket = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy' | 'once'>

/**
 * Returns `watch`, which adds a connection, and `check`, which closes the connections that had unsent bytes at several
 * checks in a row while none of them was flushed. Bytes that the client sends are not progress.
 */
export const stalledWatch = (onStalled: () => void) => {
  const watched = new Map<WatchedSocket, { flushedBytes: number; checks: number }>()
  return {
    watch: (socket: WatchedSocket): void => {
      watched.set(socket, { flushedBytes: 0, checks: 0 })
      socket.once('close', () => watched.delete(socket))
    },
    check: (): void => {
      for (const [socket, progress] of watched) {
        // `bytesWritten` includes the bytes that are not flushed yet.
        const flushedBytes = socket.bytesWritten - socket.writableLength
        const isStalled = socket.writableLength > 0 && flushedBytes === progress.flushedBytes
        progress.checks = isStalled ? progress.checks + 1 : 0
        progress.flushedBytes = flushedBytes
        if (progress.checks < checksUntilStalled) continue
        watched.delete(socket)
        onStalled()
        socket.destroy()
      }
    },
  }
}
