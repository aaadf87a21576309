import { connect, type NetConnectOpts } from 'node:net'

export type IsRespondingOptions = {
  /** Sent after connecting; the server must then send something. Without it a connection is enough. */
  request?: string
  timeoutMs?: number
}

/** Returns whether a server accepts a connection and responds to the request. */
export const isResponding = (
  server: NetConnectOpts,
  { request, timeoutMs = 2_000 }: IsRespondingOptions = {},
): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(server)
    const settle = (found: boolean): void => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(timeoutMs, () => settle(false))
    socket.once('error', () => settle(false))
    socket.once('connect', () => (request === undefined ? settle(true) : socket.write(request)))
    socket.once('data', () => settle(true))
  })
