import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '@postrider/kit/listen.ts'

export type Front = AsyncDisposable & { url: string }

export type OpenFrontOptions = { host?: string | undefined; port: number; gateways: readonly number[] }

/**
 * Opens a proxy in place of an ingress. It passes each connection to the next gateway that accepts it.
 * @param port 0 selects a free one
 */
export const openFront = async ({ host = 'localhost', port, gateways }: OpenFrontOptions): Promise<Front> => {
  let next = 0
  const open = new Set<Socket>()
  const track = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  }

  const join = (client: Socket, triesLeft: number): void => {
    const gateway = connect(gateways[next++ % gateways.length] ?? 0, '127.0.0.1')
    gateway.setNoDelay(true)
    track(gateway)
    const refused = (): void => {
      if (triesLeft > 1) join(client, triesLeft - 1)
      else client.destroy()
    }
    gateway.once('error', refused)
    gateway.once('connect', () => {
      gateway.off('error', refused)
      gateway.on('error', () => client.destroy())
      gateway.on('close', () => client.destroySoon())
      client.on('close', () => gateway.destroySoon())
      client.pipe(gateway).pipe(client)
    })
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    track(client)
    join(client, gateways.length)
  })
  const { url, sockets } = await listen(server, { host, port, variable: 'PORT' })
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
      for (const socket of sockets) socket.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
