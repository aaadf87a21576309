import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const tries = 50

/** Ports that were returned: a server may start later than another one looks for a port. */
const given = new Set<number>()

/**
 * Returns a free port of this machine. It is below the range that systems use for outgoing connections, so that a process
 * can listen on it again after a kill. A process gets each port once.
 */
export const freePort = async (): Promise<number> => {
  for (let left = tries; left > 0; left--) {
    const port = randomInt(20_000, 32_000)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port in ${tries} tries`)
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
