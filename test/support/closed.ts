import type { EventEmitter } from 'node:events'

/**
 * Resolves when a socket is closed, also by a reset. `once` of node:events rejects then, and without a listener for
 * errors the process ends.
 */
export const closed = (socket: EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => {}).once('close', () => resolve())
  })
