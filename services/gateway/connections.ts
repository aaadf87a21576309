import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkMatcher, parseNetwork, rateLimitClient } from '@postrider/domain/network.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayMetrics } from './deps.ts'

export type ConnectionLimits = {
  /** Open connections in total. */
  most: number
  /** Open connections of one client address; trusted proxies are exempt. An IPv6 address counts as its /64. */
  mostOfAddress: number
  /** How long a connection may have unsent bytes without sending any of them. */
  stalledMs: number
}

export type BoundConnectionsOptions = {
  limits: ConnectionLimits
  trustedProxies: GatewayConfig['trustedProxies']
  metrics: Pick<GatewayMetrics, 'connections'>
}

/**
 * Limits what connections cost: a connection beyond a limit is closed at once, and one whose client stops reading its
 * answers is closed after `stalledMs`.
 */
export const boundConnections = (
  server: Server,
  { limits: { most, mostOfAddress, stalledMs }, trustedProxies, metrics: { connections } }: BoundConnectionsOptions,
): void => {
  const isTrustedProxy = networkMatcher(trustedProxies.flatMap((text) => parseNetwork(text) ?? []))
  const admit = addressCounter(mostOfAddress)
  server.maxConnections = most
  server.on('drop', () => connections.closed.inc({ reason: 'total' }))
  const watch = stalledWatch(server, stalledMs, () => connections.closed.inc({ reason: 'stalled' }))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // Without an address the client has closed the connection already.
    if (address === undefined || (!isTrustedProxy(address) && !admit(socket, rateLimitClient(address)))) {
      if (address !== undefined) connections.closed.inc({ reason: 'address' })
      socket.destroy()
      return
    }
    connections.open.inc()
    socket.once('close', () => connections.open.dec())
    watch(socket)
  })
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
const checksUntilStalled = 6

type Progress = { flushedBytes: number; checks: number }

/**
 * Returns a function that watches a socket, and closes it when it has unsent bytes and none of them was flushed for
 * `stalledMs`. Bytes that the client sends are no progress.
 */
const stalledWatch = (server: Server, stalledMs: number, onStalled: () => void): ((socket: Socket) => void) => {
  const watched = new Map<Socket, Progress>()
  const check = (): void => {
    for (const [socket, progress] of watched) {
      // `bytesWritten` includes the bytes that are not flushed yet.
      const flushedBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || flushedBytes !== progress.flushedBytes) progress.checks = 0
      else progress.checks += 1
      progress.flushedBytes = flushedBytes
      if (progress.checks < checksUntilStalled) continue
      onStalled()
      socket.destroy()
    }
  }
  const checking = setInterval(check, stalledMs / checksUntilStalled).unref()
  server.once('close', () => clearInterval(checking))
  return (socket) => {
    watched.set(socket, { flushedBytes: 0, checks: 0 })
    socket.once('close', () => watched.delete(socket))
  }
}
