import type { Socket } from 'node:net'
import { evictionQueue } from '@postrider/domain/fairness/evictionQueue.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import { gcra, microseconds, steadyTime } from '@postrider/domain/rateLimit/gcra.ts'
import { boundedMap } from '../boundedMap.ts'
import type { Clock } from '../clock.ts'
import type { Callers } from './identify.ts'

/** A connection to a gRPC server. */
export type GrpcConnection = {
  /** The callers that its certificate names; null: none; undefined: not read yet. */
  callers?: Callers | null
  /** Whether a call arrived: the two sides agree on TLS. */
  hasCall?: boolean
  /**
   * Counts a refused call.
   * @returns whether the connection has to end: its peer has not proved its identity, and had too many
   */
  countRefused(): boolean
  /** Counts a health probe without a token. @returns what to call when its stream ends; null: there are too many */
  probe(): (() => void) | null
}

export type Connections = {
  /** @returns false: it was closed, because its address opens too many */
  add(socket: Socket): boolean
  /** Returns a connection by its remote end, `address:port`; null: it has ended. */
  of(remote: string): GrpcConnection | null
  /** Notes that a peer has proved its identity. It runs for each call, so `remote` is only called if it matters. */
  trust(remote: () => string): void
  /** Closes the connections whose peer has not proved its identity: they must not delay the stop of the server. */
  closeUnauthenticated(): void
}

/** Limit of probes without a token on one connection: rate per second, and burst, which also limits the open ones. */
const probes = { rate: 10, burst: 20 }

/**
 * Limit of new connections from an address without a known peer: rate per second, and burst. Each costs CPU, with TLS
 * about a millisecond. Known peers open a few each minute.
 */
const newConnections = { rate: 50, burst: 200 }

/** Maximum number of addresses whose rates and known peers are stored. */
const maxAddresses = 10_000

/**
 * Within this time after its start a connection ends whose two sides do not agree on TLS. One without calls ends later,
 * by its age.
 */
const failedHandshakeMs = 10_000

/**
 * Refused calls of one connection whose peer has not proved its identity. Each costs two thirds of the CPU of an
 * accepted call.
 */
const maxRefused = 200

export type LimitedConnectionsOptions = {
  maxUnauthenticated: number
  now: Clock
  /** Called when a peer sent something and its connection ended soon, before a call arrived. */
  onNoCall?: (remote: string, bytes: number) => void
  /** Called when a connection was closed because its address opens too many. */
  onTooFast?: (address: string) => void
}

type Unauthenticated = { socket: Socket; connection: GrpcConnection; address: string }

/**
 * Returns the connections of a server. Those whose peer has not proved its identity are limited in number: for a new
 * one, the oldest of the address that has the most is closed, so that they use little memory and never prevent the
 * connection of another address. Addresses without a known peer also have a rate limit.
 */
export const limitedConnections = ({
  maxUnauthenticated,
  now,
  onNoCall = () => {},
  onTooFast = () => {},
}: LimitedConnectionsOptions): Connections => {
  const all = new Map<string, GrpcConnection>()
  const unauthenticated = new Map<string, Unauthenticated>()
  const inTurn = evictionQueue<string>()
  const mayConnect = takerOf(newConnections, now)
  const known = boundedMap<true>(maxAddresses)
  const remove = (remote: string): Unauthenticated | null => {
    const removed = unauthenticated.get(remote)
    if (removed === undefined) return null
    unauthenticated.delete(remote)
    inTurn.remove(removed.address, remote)
    return removed
  }
  return {
    add: (socket) => {
      const address = rateLimitClient(socket.remoteAddress ?? '')
      if (known.get(address) === undefined && !mayConnect(address)) {
        onTooFast(address)
        socket.destroy()
        return false
      }
      const remote = `${socket.remoteAddress}:${socket.remotePort}`
      const openedAt = now()
      let refused = 0
      const countRefused = (): boolean => {
        refused++
        return refused >= maxRefused && unauthenticated.get(remote)?.connection === connection
      }
      const connection: GrpcConnection = { countRefused, probe: probeLimit(now) }
      all.set(remote, connection)
      unauthenticated.set(remote, { socket, connection, address })
      inTurn.add(address, remote)
      socket.once('close', () => {
        if (all.get(remote) === connection) all.delete(remote)
        if (unauthenticated.get(remote)?.connection !== connection) return
        remove(remote)
        const isSoon = now() - openedAt < failedHandshakeMs
        if (isSoon && socket.bytesRead > 0 && !connection.hasCall) onNoCall(remote, socket.bytesRead)
      })
      if (unauthenticated.size > maxUnauthenticated) remove(inTurn.take() ?? '')?.socket.destroy()
      return true
    },
    of: (remote) => all.get(remote) ?? null,
    trust: (remote) => {
      const trusted = unauthenticated.size > 0 ? remove(remote()) : null
      if (trusted !== null) known.set(trusted.address, true)
    },
    closeUnauthenticated: () => {
      for (const remote of [...unauthenticated.keys()]) remove(remote)?.socket.destroy()
    },
  }
}

/** Returns a function that takes one from the bucket of a key, and returns whether there was one. */
const takerOf = (limit: { rate: number; burst: number }, now: Clock): ((key: string) => boolean) => {
  const fullAt = boundedMap<number>(maxAddresses)
  const timeAt = steadyTime()
  return (key) => {
    const at = timeAt(now()) * microseconds
    const debt = Math.max(0, (fullAt.get(key) ?? 0) - at)
    const { verdict, debts } = gcra([{ key, ...limit }], [debt], 1)
    if (verdict.admitted) fullAt.set(key, at + (debts[0] ?? 0))
    return verdict.admitted
  }
}

const probeLimit = (now: Clock): GrpcConnection['probe'] => {
  const takeOne = takerOf(probes, now)
  let open = 0
  return () => {
    if (open === probes.burst || !takeOne('')) return null
    open++
    return () => void open--
  }
}
