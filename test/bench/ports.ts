import { connect } from 'node:net'

/** Whether somebody listens there: true or, as `until` likes it, undefined. */
export const isListening = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
