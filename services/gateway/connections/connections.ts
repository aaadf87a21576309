import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { cidrMatcher, rateLimitClient } from '@postrider/domain/network.ts'
import { parserStops } from '@postrider/kit/parserStops.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { bodyArrival, lateRequest } from '../bodies/bodyArrival.ts'
import type { ConnectionLimits, GatewayConfig } from '../config.ts'
import type { GatewayLog, GatewayMetrics } from '../deps.ts'
import { endsConnection, protocolFault } from '../steps/checkProtocol.ts'
import { hasBody } from '../steps/readBody.ts'
import { type ClientConnection, connectionTable } from './connectionTable.ts'
import { pipelining } from './pipelining.ts'
import { readTurns } from './readTurns.ts'
import { checksUntilStalled, stalledWatch } from './stalledWatch.ts'

export type BoundConnectionsOptions = {
  limits: ConnectionLimits
  trustedProxies: GatewayConfig['trustedProxies']
  metrics: Pick<GatewayMetrics, 'connections'>
  log: Pick<GatewayLog, 'warn'>
  /** The runner of the process for long work. */
  slices: Slices
}

/**
 * Unanswered requests of a connection above which it is closed if its parser cannot be stopped
 * (packages/kit/parserStops.ts).
 */
const maxUnstopped = 100

/** Listeners of one response. */
const maxListeners = 30

/**
 * Makes a server call `listener` for its requests, and limits what connections cost. A connection beyond the limit of
 * its address is closed immediately. A connection beyond the total limit replaces one that is idle or whose request is
 * not complete, the oldest of the address that has the most, and is closed if there is none. A connection whose client
 * stops reading its responses is closed after `stalledMs`, and an idle one after `idleMs`.
 */
export const boundConnections = (
  server: Server,
  listener: RequestListener,
  { limits, trustedProxies, metrics: { connections: metrics }, ...turns }: BoundConnectionsOptions,
): OpenConnections => {
  const isTrustedProxy = cidrMatcher(trustedProxies)
  const onLate = (socket: Socket): void =>
    void server.emit('clientError', Object.assign(new Error('late body'), { code: lateRequest }), socket)
  const connections = openConnections(limits, { metrics, onLate, ...turns })
  const { watch, check } = stalledWatch(() => metrics.closed.inc({ reason: 'stalled' }), limits.unreadBytes)
  const checkMs = limits.stalledMs / checksUntilStalled
  const checking = setInterval(() => {
    check()
    connections.check(checkMs)
  }, checkMs).unref()
  server.once('close', () => clearInterval(checking))
  server.on('connection', (socket: Socket) => {
    // It is read again (parserEvents.ts).
    if (connections.isReadAgain(socket)) return
    const address = socket.remoteAddress
    // Without an address the client has closed the connection already.
    const isOpen = address !== undefined && connections.add(socket, rateLimitClient(address), isTrustedProxy(address))
    if (!isOpen) {
      socket.destroy()
      return
    }
    // Each waiting response has its listener (steps/responseMemory.ts).
    socket.setMaxListeners(2 * maxUnstopped)
    watch(socket, () => connections.unreadBytes(socket))
  })
  /** Whether a request may run. What had arrived on a connection is still parsed after its end. */
  const begins = ({ socket }: IncomingMessage, response: ServerResponse): boolean =>
    !socket.destroyed && connections.begin(socket, response)
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (!begins(request, response)) return
    // Steps of a request have listeners, and a body that is sent in pieces; Node would warn of more than 10.
    response.setMaxListeners(maxListeners)
    listener(request, response)
  }
  server.on('request', onRequest)
  // Without this, Node itself responds to a request with an unknown `Expect`, and the request is not counted.
  server.on('checkExpectation', onRequest)
  return connections
}

export type OpenConnections = ReturnType<typeof openConnections>

type OpenConnectionsDeps = TurnsOptions & {
  metrics: GatewayMetrics['connections']
  /** Called while the body of a request has not arrived in time. */
  onLate(socket: Socket): void
}

/** Returns the open connections of a server with their requests. */
const openConnections = (limits: ConnectionLimits, { metrics, onLate, ...turns }: OpenConnectionsDeps) => {
  const table = connectionTable(limits, metrics)
  const { pipelined, watchParser, afterResponses, afterStop, mayBeUnread } = requestTurns(table, turns)
  const onAnswered = (connection: ClientConnection, response: ServerResponse): void => {
    if (!connection.unanswered.delete(response)) return
    pipelined.answered(connection)
    // Until the rest of the body has arrived, invalid bytes belong to this request.
    if (connection.body?.response === response && response.req.complete) connection.body = null
    if (connection.unanswered.size === 0) connection.idleChecks = 0
    table.refresh(connection)
  }
  return {
    /** @returns false: there are too many */
    add: (socket: Socket, client: string, isTrusted: boolean): boolean => {
      const connection = table.add(socket, client, isTrusted)
      if (connection === null) return false
      socket.once('close', () => pipelined.ended(connection))
      watchParser(socket, connection)
      return true
    },
    /** Notes that an open connection is read again, by another parser. @returns false: it is new */
    isReadAgain: (socket: Socket): boolean => {
      const connection = table.of(socket)
      if (connection) watchParser(socket, connection)
      return connection !== undefined
    },
    isEnding: (socket: Socket): boolean => table.of(socket)?.isEnding === true,
    /** Notes that a request has arrived. @returns false: its connection ends, or is or was closed */
    begin: (socket: Socket, response: ServerResponse): boolean => {
      const connection = table.of(socket)
      if (!connection || connection.isEnding) return false
      if (connection.unanswered.size === maxUnstopped) {
        table.close(connection, 'pipelined')
        return false
      }
      const fault = protocolFault(response.req)
      connection.isEnding = fault !== null && endsConnection(fault)
      connection.unanswered.add(response)
      pipelined.begun(connection)
      connection.body = hasBody(response.req)
        ? { response, arrival: bodyArrival(response, () => table.refresh(connection)) }
        : null
      table.renew(connection)
      response.once('close', () => onAnswered(connection, response))
      return true
    },
    afterResponses,
    afterStop,
    mayBeUnread,
    /** Returns the bytes of a connection's responses that are written and not flushed. */
    unreadBytes: (socket: Socket): number => {
      let bytes = 0
      // A response that waits behind another has a buffer of its own; the first response uses the buffer of the
      // connection.
      for (const response of table.of(socket)?.unanswered ?? []) bytes += response.writableLength
      return bytes
    },
    /**
     * Closes the connections that were idle for too long, and compares how fast bodies arrive. Timeouts of Node begin
     * again with each line break that a client sends, and count the time in which a body waits for this process.
     * @param checkMs time since the last check
     */
    check: (checkMs: number): void => {
      for (const connection of table.all()) {
        if (connection.body?.arrival.check(checkMs)) onLate(connection.socket)
        const isIdle = connection.unanswered.size === 0
        if (isIdle && connection.idleChecks++ * checkMs >= limits.idleMs) table.close(connection, 'idle')
      }
    },
  }
}

type TurnsOptions = Pick<BoundConnectionsOptions, 'log' | 'slices'>

/**
 * Decides when the requests of connections begin that arrive before the responses to others.
 *
 * Three modules limit an event loop iteration, each with its own count, because they count different things at
 * different times. Before a request exists, `pipelining` counts those that are additional to the first one of their
 * connection, and stops one parser. `readTurns` counts all requests and the time since the first one, and pauses other
 * connections. `requestScheduler` (steps/) runs after both, in two orders, by client and by workspace, and counts the
 * time only while several of them are active. A common count would save the line with which each begins again, and a
 * change of one bound would change the others.
 */
const requestTurns = (table: ReturnType<typeof connectionTable>, { log, slices }: TurnsOptions) => {
  const stops = parserStops(log)
  const pipelined = pipelining(slices, (connection: ClientConnection) => table.close(connection, 'pipelined'))
  const { noteRequest, mayBeUnread } = readTurns({ all: table.all })
  /**
   * Calls `then` when the complete requests of a connection are answered, or when it is closed.
   * @param then gets the response to the request that is not complete, which may be answered; null: there is none
   */
  const afterResponses = (socket: Socket, then: (unfinished: ServerResponse | null) => void): void => {
    const isComplete = ({ req }: ServerResponse): boolean => req.complete
    const { unanswered = [], body = null } = table.of(socket) ?? {}
    const responses = [...unanswered]
    const unfinished = body !== null && !isComplete(body.response) ? body.response : null
    const last = responses.findLast(isComplete)
    if (last === undefined) then(unfinished)
    else last.once('close', () => then(unfinished))
  }
  /** Makes the parser of a connection stop before a request that may not begin. */
  const watchParser = (socket: Socket, connection: ClientConnection): void =>
    stops.watch(socket, (isUpgrade) => {
      if (connection.isEnding || socket.destroyed) return 'drop'
      if (!isUpgrade && pipelined.mayBegin(connection)) {
        noteRequest()
        return 'begin'
      }
      if (pipelined.stop(connection)) return 'stop'
      table.close(connection, 'pipelined')
      return 'drop'
    })
  /**
   * Continues with the requests before the one at which a parser has stopped.
   * @param then is called when they are answered, at the turn of the connection; not if it is closed or ends before
   */
  const afterStop = (socket: Socket, then: () => void): void => {
    const connection = table.of(socket)
    if (!connection) return
    const stopResponses = stops.continueResponses(socket)
    afterResponses(socket, () => {
      stopResponses()
      pipelined.awaitTurn(connection, then)
    })
  }
  return { pipelined, watchParser, afterResponses, afterStop, mayBeUnread }
}
