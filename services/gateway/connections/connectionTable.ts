import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { evictionQueue } from '@postrider/domain/fairness/evictionQueue.ts'
import { ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import type { BodyArrival } from '../bodies/bodyArrival.ts'
import type { ConnectionLimits } from '../config.ts'
import type { GatewayMetrics } from '../deps.ts'

/** An open connection. It is idle while it has no unanswered request. */
export type ClientConnection = {
  socket: Socket
  /** The client's address, for IPv6 its /64. */
  client: string
  unanswered: Set<ServerResponse>
  /** The last request, while it has a body that is not complete or has no response; null: there is none. */
  body: { response: ServerResponse; arrival: BodyArrival } | null
  /** Checks since its last response, or since it was opened. */
  idleChecks: number
  /** Whether it ends with the response to a request, after which nothing is read (steps/checkProtocol.ts). */
  isEnding: boolean
}

/**
 * Whether nothing on a connection is lost that its client could not send again: it is idle, or its only request is not
 * complete.
 */
const isReplaceable = ({ unanswered, body }: ClientConnection): boolean =>
  unanswered.size === 0 || (unanswered.size === 1 && body !== null && body.arrival.isReplaceable())

/**
 * Returns the open connections of a server, none at first. When there are `max`, a new one replaces one that is
 * replaceable: the oldest of the client that has the most.
 */
export const connectionTable = (
  { max, maxPerAddress }: Pick<ConnectionLimits, 'max' | 'maxPerAddress'>,
  { open, closed }: GatewayMetrics['connections'],
) => {
  // Not `maxConnections` of Node: it does not count those that the socket of the other IP version passes
  // (kit/listen.ts).
  const all = new Map<Socket, ClientConnection>()
  const replaceable = evictionQueue<ClientConnection>()
  /** Connections of each client address. */
  const clients = ownerCounts()

  const remove = (connection: ClientConnection): void => {
    if (!all.delete(connection.socket)) return
    replaceable.remove(connection.client, connection)
    clients.add(connection.client, -1)
    open.dec()
  }
  const close = (connection: ClientConnection, reason: 'replaced' | 'idle' | 'pipelined'): void => {
    closed.inc({ reason })
    // Its slot is free now, not only after the event.
    remove(connection)
    connection.socket.destroy()
  }
  const hasSlot = (): boolean => {
    if (all.size < max) return true
    const oldest = replaceable.take()
    if (oldest) close(oldest, 'replaced')
    return oldest !== undefined
  }
  /** Returns a function that notes whether a connection can be replaced, with `note` if it can. */
  const noting =
    (note: 'add' | 'renew') =>
    (connection: ClientConnection): void => {
      if (!all.has(connection.socket)) return
      replaceable[isReplaceable(connection) ? note : 'remove'](connection.client, connection)
    }
  return {
    /** Returns the open connection of a socket; undefined: it was closed, or refused. */
    of: (socket: Socket): ClientConnection | undefined => all.get(socket),
    all: (): Iterable<ClientConnection> => all.values(),
    /** @returns null: there are too many */
    add: (socket: Socket, client: string, isTrusted: boolean): ClientConnection | null => {
      const isOverOwn = !isTrusted && clients.of(client) >= maxPerAddress
      if (isOverOwn || !hasSlot()) {
        closed.inc({ reason: isOverOwn ? 'address' : 'total' })
        return null
      }
      const connection: ClientConnection = {
        socket,
        client,
        unanswered: new Set<ServerResponse>(),
        body: null,
        idleChecks: 0,
        isEnding: false,
      }
      all.set(socket, connection)
      replaceable.add(client, connection)
      clients.add(client, 1)
      open.inc()
      socket.once('close', () => remove(connection))
      return connection
    },
    /** Notes a change of whether a connection can be replaced. */
    refresh: noting('add'),
    /** Does what `refresh` does; a connection that can be replaced becomes the newest of its client. */
    renew: noting('renew'),
    close,
  }
}
