import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { freePort } from './freePort.ts'

/** TLS before a server that has none: who comes in by it is passed on in clear. */
export const tlsFront = async (
  toPort: number,
  certificate: Required<Pick<TlsOptions, 'key' | 'cert'>>,
): Promise<AsyncDisposable & { port: number }> => {
  const open = new Set<Socket>()
  const server = createServer(certificate, (client) => {
    const behind = connect(toPort, '127.0.0.1')
    for (const socket of [client, behind]) {
      open.add(socket)
      // One that breaks takes the other with it.
      socket.on('error', () => [client, behind].map((one) => one.destroy()))
      socket.once('close', () => open.delete(socket))
    }
    client.pipe(behind).pipe(client)
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}
