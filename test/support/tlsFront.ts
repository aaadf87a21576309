import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { freePort } from './freePort.ts'

/** Starts a TLS server that forwards the decrypted bytes to a server without TLS. */
export const tlsFront = async (
  toPort: number,
  certificate: Required<Pick<TlsOptions, 'key' | 'cert'>>,
): Promise<AsyncDisposable & { port: number }> => {
  const open = new Set<Socket>()
  const server = createServer(certificate, (client) => {
    const upstream = connect(toPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      // An error of one connection ends the other.
      socket.on('error', () => [client, upstream].map((one) => one.destroy()))
      socket.once('close', () => open.delete(socket))
    }
    client.pipe(upstream).pipe(client)
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
