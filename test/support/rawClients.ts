import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** Connections that send a text each. */
export type RawClients = {
  port: number
  connections: number
  /** Client addresses, 127.0.0.2 and following, among which the connections are divided. */
  addresses: number
  text: string
  /** Whether the responses are read. */
  reads: boolean
  /** Whether all texts are sent when all connections are open, and not each when its connection is open. */
  together: boolean
}

/**
 * Starts a thread that opens connections, so that their work does not count as work of the server that runs in this
 * thread. `send` resolves when all connections have sent their text, or are closed; `bytes` returns how much was read,
 * `close` closes them.
 */
export const rawClients = () => {
  const worker = new Worker(new URL(import.meta.url))
  const command = async (message: RawClients | 'bytes' | 'close'): Promise<number> => {
    worker.postMessage(message)
    const [answer] = await once(worker, 'message')
    return answer
  }
  return {
    send: (clients: RawClients) => command(clients),
    bytes: () => command('bytes'),
    close: () => command('close'),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

const serve = (): void => {
  let sockets: Socket[] = []
  let bytes = 0
  const open = ({ port, connections, addresses, text, reads, together }: RawClients): Promise<unknown> => {
    const opened = Promise.withResolvers<void>()
    let count = 0
    const send = async (index: number): Promise<void> => {
      const localAddress = `127.0.0.${2 + (index % addresses)}`
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      sockets.push(socket)
      const onData = ({ length }: Buffer): void => {
        bytes += length
      }
      if (reads) socket.on('data', onData)
      else socket.pause()
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      if (++count === connections) opened.resolve()
      if (together) await opened.promise
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve())
        socket.write(text, 'latin1', () => resolve())
      })
    }
    return Promise.all(Array.from({ length: connections }, (_, index) => send(index)))
  }
  parentPort?.on('message', async (message: RawClients | 'bytes' | 'close') => {
    if (message === 'close') {
      for (const socket of sockets) socket.destroy()
      sockets = []
    } else if (message !== 'bytes') await open(message)
    parentPort?.postMessage(bytes)
  })
}

if (!isMainThread) serve()
