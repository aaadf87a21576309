import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const tries = 50

/**
 * A port of this machine that nobody listens on. It lies below those that systems hand to outgoing connections, so
 * whoever held it can take it again after a kill.
 */
export const freePort = async (): Promise<number> => {
  for (let left = tries; left > 0; left--) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error(`${tries} ports tried, none is free`)
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
