import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'

type Connection = { socket: unknown; cleanup(error: Error): void }

/** Marks a patched class. */
const patched = Symbol('patched')

/**
 * Patches the MongoDB driver so that no write waits forever on a closed connection. In the driver, a write that exceeds
 * the socket's buffer waits for `drain` and for nothing else. If the connection closes before that, the call never
 * settles; if that call is the driver's own monitoring, the process never finds its store again. A socket error rejects
 * the write with an error of the system instead of the driver's. With the patch, closing a connection emits `drain`:
 * the write then finds the connection closed and throws the error that closed it.
 *
 * The patched method is private, so the patch is applied only if the class has the expected shape.
 * @param load loads a file of the driver
 * @returns why the patch was not applied, for the log; null: it was applied
 */
export const wakeWriters = (load: (path: string) => unknown = createRequire(import.meta.url)): string | null => {
  const prototype = patchable(load)
  if (typeof prototype === 'string') return prototype
  if (prototype[patched]) return null
  const { cleanup } = prototype
  Object.assign(prototype, {
    [patched]: true,
    cleanup(this: Connection, error: Error): void {
      cleanup.call(this, error)
      if (this.socket instanceof EventEmitter) this.socket.emit('drain')
    },
  })
  return null
}

/** Returns the prototype to patch, or the reason why it does not fit. */
const patchable = (load: (path: string) => unknown): (Connection & { [patched]?: true }) | string => {
  let internals: unknown
  try {
    internals = load('mongodb/lib/cmap/connection.js')
  } catch {
    return 'lib/cmap/connection.js cannot be loaded'
  }
  const { Connection } = internals as { Connection?: { prototype: Connection } }
  if (Connection === undefined) return 'there is no class Connection'
  if (typeof Connection.prototype?.cleanup !== 'function') return 'Connection has no method cleanup'
  // The socket is a member of each instance, so only the source shows it before there is a connection.
  if (!String(Connection).includes('this.socket')) return 'Connection has no member socket'
  return Connection.prototype
}
