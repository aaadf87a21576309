import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'

type Connection = { socket: EventEmitter; cleanup(error: Error): void }

const patched = '7.9.0'
/** Of a class of the client whose connections wake their writers already. */
const woken = Symbol('woken')

/**
 * Lets nobody wait for ever on a connection that is over. As the client comes, whoever writes more than fits at once
 * waits for the socket to drain and for nothing else: where the connection ends meanwhile, or has just ended, that never
 * happens, and the call never settles. When it is the call by which the client looks whether the server is there, the
 * process never finds its store again. A socket that fails tells its waiter an error of the system instead of the
 * client's. Woken up, each looks whether its connection still stands, and throws what ended it.
 * @param internal loads a file of the client
 * @throws Error where the client isn't the very version that this was written against
 */
export const wakeWriters = (internal: (path: string) => unknown = createRequire(import.meta.url)): void => {
  const { version } = internal('mongodb/package.json') as { version: string }
  if (version !== patched) {
    throw new Error(`mongodb is ${version}, and its writers are woken in ${patched} alone: see wakeWriters.ts`)
  }
  const { Connection } = internal('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: Connection & { [woken]?: true } }
  }
  const { prototype } = Connection
  if (prototype[woken]) return
  const { cleanup } = prototype
  Object.assign(prototype, {
    [woken]: true,
    cleanup(this: Connection, error: Error): void {
      cleanup.call(this, error)
      this.socket.emit('drain')
    },
  })
}
