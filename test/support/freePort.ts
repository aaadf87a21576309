import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * The ports are below the range that systems use for outgoing connections, so that a process can listen on one again.
 */
const [firstPort, blockSize, blockCount] = [20_000, 50, 240]

const listenOn = async (port: number): Promise<Server | null> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = await listenOn(port)
  if (server === null) return false
  server.close()
  await once(server, 'close')
  return true
}

/**
 * Takes a block of ports that no other test process has. It belongs to this one while it listens on the first port:
 * groups of tests run at the same time, and a port is not used between its selection and the start of its server, or
 * after a kill.
 * @returns the other ports of the block
 */
const takeBlock = async (): Promise<number[]> => {
  const start = randomInt(blockCount)
  for (let tried = 0; tried < blockCount; tried++) {
    const lock = firstPort + ((start + tried) % blockCount) * blockSize
    const server = await listenOn(lock)
    if (server === null) continue
    server.unref()
    return Array.from({ length: blockSize - 1 }, (_, index) => lock + 1 + index)
  }
  throw new Error('other processes have all blocks of ports')
}

let block: Promise<number[]> = Promise.resolve([])

/** Returns a port of this machine that is free, and that no other call returns, in this process or another one. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const current = block
    const port = (await current).shift()
    // Of the calls that find an empty block, the first one takes the next.
    if (port === undefined && block === current) block = takeBlock()
    if (port !== undefined && (await isFree(port))) return port
  }
}
