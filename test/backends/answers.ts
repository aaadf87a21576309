import { connect } from 'node:net'

const patienceMs = 2_000

/** Whether a server of this machine takes a connection and, where `ask` is given, says something to it. */
export const says = ({ port, ask }: { port: number; ask?: string }): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (found: true | undefined): void => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(patienceMs, () => settle(undefined))
    socket.once('error', () => settle(undefined))
    socket.once('connect', () => (ask === undefined ? settle(true) : socket.write(ask)))
    socket.once('data', () => settle(true))
  })
