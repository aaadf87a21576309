import type { WebhookTarget } from '@postrider/domain/webhooks/url.ts'
import { type HttpConnection, type OpenConnectionOptions, openConnection } from './connection.ts'

/** Idle connections, by origin. */
export type Connections = {
  /**
   * Returns an idle connection to one of `addresses`, the ones that the host has now; null: there is none. An idle
   * connection of the origin to another address is closed.
   */
  acquireIdle(target: WebhookTarget, addresses: readonly string[]): HttpConnection | null
  open(target: WebhookTarget, addresses: readonly string[]): HttpConnection
  /** Stores a connection for the next request, unless it has ended or there are too many. */
  release(connection: HttpConnection): void
  /** Ends a connection that `acquireIdle` or `open` returned. */
  drop(connection: HttpConnection): void
  /** The number of open connections. */
  count(): { idle: number; used: number }
  close(): void
}

export type ConnectionsOptions = Omit<OpenConnectionOptions, 'addresses'> & {
  maxIdle: number
  maxIdlePerOrigin: number
}

export const makeConnections = ({ maxIdle, maxIdlePerOrigin, ...options }: ConnectionsOptions): Connections => {
  /** Idle connections in the order in which they became idle. */
  const idle = new Set<HttpConnection>()
  const used = new Set<HttpConnection>()

  const drop = (connection: HttpConnection): void => {
    idle.delete(connection)
    used.delete(connection)
    connection.drop()
  }
  const idleOf = (origin: string): HttpConnection[] => [...idle].filter((connection) => connection.origin === origin)

  return {
    acquireIdle: ({ url }, addresses) => {
      const all = idleOf(new URL(url).origin)
      const isCurrent = (connection: HttpConnection): boolean =>
        connection.isOpen() && connection.addresses().every((address) => addresses.includes(address))
      for (const connection of all) if (!isCurrent(connection)) drop(connection)
      const found = all.findLast((connection) => idle.has(connection)) ?? null
      if (found === null) return null
      idle.delete(found)
      used.add(found)
      return found
    },
    open: (target, addresses) => {
      const connection = openConnection(target, { ...options, addresses })
      used.add(connection)
      connection.onEnd(() => drop(connection))
      return connection
    },
    release: (connection) => {
      if (!used.delete(connection)) return
      idle.add(connection)
      const ofOrigin = idleOf(connection.origin)
      const excess = ofOrigin.length > maxIdlePerOrigin ? ofOrigin : idle.size > maxIdle ? idle : []
      for (const oldest of [...excess].slice(0, 1)) drop(oldest)
    },
    drop,
    count: () => ({ idle: idle.size, used: used.size }),
    close: () => {
      for (const connection of [...idle, ...used]) drop(connection)
    },
  }
}
