import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Callers } from './identify.ts'

/** A connection to a gRPC server. */
export type Connection = {
  /** The callers that its certificate names; null: none; undefined: not read yet. */
  callers?: Callers | null
  /** Whether a call arrived: the two sides agree on TLS. */
  hasCall?: boolean
  /** Counts a refused call. @returns whether the connection has to end: its peer has not proved its identity, and had too many */
  countRefused(): boolean
  /** Counts a health probe without a token. @returns what to call when its stream ends; null: there are too many */
  probe(): (() => void) | null
}

export type Connections = {
  add(socket: Socket): void
  /** Returns a connection by its peer, `address:port`; null: it has ended. */
  of(peer: string): Connection | null
  /** Notes that a peer has proved its identity. It runs for each call, so the peer is only computed if it matters. */
  trust(peer: () => string): void
  /** Closes the connections whose peer has not proved its identity: they must not delay the stop of the server. */
  closeUnauthenticated(): void
}

/** Probes without a token on one connection: how many at the same time, open or answered, and how long until one more is possible. */
const [probeBurst, probeEveryMs] = [20, 100]

/** Refused calls of one connection whose peer has not proved its identity. Each costs two thirds of the CPU of an accepted call. */
const mostRefused = 200

export type LimitedConnectionsOptions = {
  mostUnauthenticated: number
  now: Clock
  /** Called when a peer sent something and closed its connection before a call arrived. */
  onNoCall?: (peer: string, bytes: number) => void
}

type Unauthenticated = { socket: Socket; connection: Connection }

/**
 * Returns the connections of a server. Those whose peer has not proved its identity are limited in number: the oldest is
 * closed for a new one, so that they hold little memory and never prevent a new connection.
 */
export const limitedConnections = ({
  mostUnauthenticated,
  now,
  onNoCall = () => {},
}: LimitedConnectionsOptions): Connections => {
  const all = new Map<string, Connection>()
  const unauthenticated = new Map<string, Unauthenticated>()
  return {
    add: (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`
      let refused = 0
      const countRefused = (): boolean => {
        refused++
        return refused >= mostRefused && unauthenticated.get(peer)?.connection === connection
      }
      const connection: Connection = { countRefused, probe: probeLimit(now) }
      all.set(peer, connection)
      unauthenticated.set(peer, { socket, connection })
      socket.once('close', () => {
        if (all.get(peer) === connection) all.delete(peer)
        if (unauthenticated.get(peer)?.connection !== connection) return
        unauthenticated.delete(peer)
        if (socket.bytesRead > 0 && !connection.hasCall) onNoCall(peer, socket.bytesRead)
      })
      const [oldest] = unauthenticated
      if (oldest === undefined || unauthenticated.size <= mostUnauthenticated) return
      unauthenticated.delete(oldest[0])
      oldest[1].socket.destroy()
    },
    of: (peer) => all.get(peer) ?? null,
    trust: (peer) => void (unauthenticated.size > 0 && unauthenticated.delete(peer())),
    closeUnauthenticated: () => {
      const closed = [...unauthenticated.values()]
      unauthenticated.clear()
      for (const { socket } of closed) socket.destroy()
    },
  }
}

const probeLimit = (now: Clock): Connection['probe'] => {
  let open = 0
  let left = probeBurst
  let at = now()
  return () => {
    const more = Math.floor((now() - at) / probeEveryMs)
    if (more > 0) {
      left = Math.min(probeBurst, left + more)
      at += more * probeEveryMs
    }
    if (left === 0 || open === probeBurst) return null
    left--
    open++
    return () => void open--
  }
}
