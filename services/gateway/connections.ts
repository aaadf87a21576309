import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import { oldestOfMost } from '@postrider/domain/fairness/oldestOfMost.ts'
import { networkMatcher, parseNetwork, rateLimitClient } from '@postrider/domain/network.ts'
import type { ConnectionLimits, GatewayConfig } from './config.ts'
import type { GatewayMetrics } from './deps.ts'
import { checksUntilStalled, stalledWatch } from './stalledWatch.ts'

export type BoundConnectionsOptions = {
  limits: ConnectionLimits
  trustedProxies: GatewayConfig['trustedProxies']
  metrics: Pick<GatewayMetrics, 'connections'>
}

/**
 * Requests of one connection that may wait for their responses. Clients that pipeline requests send few; a client that sends
 * thousands and reads nothing would fill the memory with short responses.
 */
const maxPipelined = 100

/** Listeners of one response. */
const maxListeners = 30

/**
 * Makes a server call `listener` for its requests, and limits what connections cost. A connection beyond the limit of its address
 * is closed immediately. A connection beyond the total limit replaces an idle one, the oldest of the address that has the
 * most, and is closed if none is idle. A connection whose client stops reading its responses is closed after `stalledMs`, and a connection that is
 * idle after `idleMs`.
 */
export const boundConnections = (
  server: Server,
  listener: RequestListener,
  { limits, trustedProxies, metrics: { connections: metrics } }: BoundConnectionsOptions,
): void => {
  const isTrustedProxy = networkMatcher(trustedProxies.flatMap((text) => parseNetwork(text) ?? []))
  const connections = openConnections(limits, metrics)
  const { watch, check } = stalledWatch(() => metrics.closed.inc({ reason: 'stalled' }), limits.unreadBytes)
  const checkMs = limits.stalledMs / checksUntilStalled
  const checking = setInterval(() => {
    check()
    connections.closeIdle(checkMs)
  }, checkMs).unref()
  server.once('close', () => clearInterval(checking))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // Without an address the client has closed the connection already.
    const isOpen = address !== undefined && connections.add(socket, rateLimitClient(address), isTrustedProxy(address))
    if (!isOpen) {
      socket.destroy()
      return
    }
    // Each waiting response has its listener (steps/answerMemory.ts).
    socket.setMaxListeners(2 * maxPipelined)
    watch(socket, () => connections.unreadBytes(socket))
  })
  /** Whether a request may run. What had arrived on a connection is still parsed after its end. */
  const begins = ({ socket }: IncomingMessage, response: ServerResponse): boolean =>
    !socket.destroyed && connections.begin(socket, response)
  server.on('request', (request, response) => {
    if (!begins(request, response)) return
    // Steps of a request have listeners, and a body that is sent in pieces; Node would warn of more than 10.
    response.setMaxListeners(maxListeners)
    listener(request, response)
  })
  // Without this, Node itself responds to a request with an unknown `Expect`, and the request is not counted.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (begins(request, response)) response.writeHead(417).end()
  })
}

/** An open connection. It is idle while it has no unanswered request. */
type Connection = {
  socket: Socket
  /** The client's address, for IPv6 its /64. */
  client: string
  unanswered: Set<ServerResponse>
  /** Checks since its last response, or since it was opened. */
  idleChecks: number
}

/** Returns the open connections of a server, none at first. */
const openConnections = (
  { max, maxPerAddress, idleMs }: ConnectionLimits,
  { open, closed }: BoundConnectionsOptions['metrics']['connections'],
) => {
  // Not `maxConnections` of Node: it does not count those that the socket of the other IP version passes (kit/listen.ts).
  const all = new Map<Socket, Connection>()
  const idle = oldestOfMost<Connection>()
  /** Connections of each client address. */
  const clients = ownerCounts()

  const remove = (connection: Connection): void => {
    if (!all.delete(connection.socket)) return
    idle.remove(connection.client, connection)
    clients.add(connection.client, -1)
    open.dec()
  }
  const close = (connection: Connection, reason: 'replaced' | 'idle' | 'pipelined'): void => {
    closed.inc({ reason })
    // It no longer counts from now on, not only after the event.
    remove(connection)
    connection.socket.destroy()
  }
  const hasPlace = (): boolean => {
    if (all.size < max) return true
    const oldest = idle.take()
    if (oldest) close(oldest, 'replaced')
    return oldest !== undefined
  }

  return {
    /** @returns false: there are too many */
    add: (socket: Socket, client: string, isTrusted: boolean): boolean => {
      const isOverOwn = !isTrusted && clients.of(client) >= maxPerAddress
      if (isOverOwn || !hasPlace()) {
        closed.inc({ reason: isOverOwn ? 'address' : 'total' })
        return false
      }
      const connection = { socket, client, unanswered: new Set<ServerResponse>(), idleChecks: 0 }
      all.set(socket, connection)
      idle.add(client, connection)
      clients.add(client, 1)
      open.inc()
      socket.once('close', () => remove(connection))
      return true
    },
    /** Notes that a request has arrived. @returns false: its connection is or was closed */
    begin: (socket: Socket, response: ServerResponse): boolean => {
      const connection = all.get(socket)
      if (!connection) return false
      if (connection.unanswered.size === maxPipelined) {
        close(connection, 'pipelined')
        return false
      }
      connection.unanswered.add(response)
      idle.remove(connection.client, connection)
      response.once('close', () => {
        connection.unanswered.delete(response)
        if (connection.unanswered.size > 0 || !all.has(socket)) return
        connection.idleChecks = 0
        idle.add(connection.client, connection)
      })
      return true
    },
    /** Returns the bytes of a connection's responses that are written and not flushed. */
    unreadBytes: (socket: Socket): number => {
      let bytes = 0
      // A response that waits behind another has a buffer of its own; the first response uses the buffer of the connection.
      for (const response of all.get(socket)?.unanswered ?? []) bytes += response.writableLength
      return bytes
    },
    /** Closes the connections that were idle for too long. Timeouts of Node begin again with each line break that a client sends. */
    closeIdle: (checkMs: number): void => {
      for (const connection of all.values())
        if (connection.unanswered.size === 0 && connection.idleChecks++ * checkMs >= idleMs) close(connection, 'idle')
    },
  }
}
