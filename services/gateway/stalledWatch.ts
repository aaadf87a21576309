import type { Socket } from 'node:net'

/** Checks per `stalledMs`. Checks are counted instead of time, so a process that was paused closes no connection. */
export const checksUntilStalled = 6

type WatchedSocket = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy' | 'once'>

/**
 * Returns `watch`, which adds a connection, and `check`, which closes the connections that had unsent bytes at several
 * checks in a row while none of them was flushed. Bytes that the client sends are not progress.
 */
export const stalledWatch = (onStalled: () => void) => {
  const watched = new Map<WatchedSocket, { flushedBytes: number; checks: number }>()
  return {
    watch: (socket: WatchedSocket): void => {
      watched.set(socket, { flushedBytes: 0, checks: 0 })
      socket.once('close', () => watched.delete(socket))
    },
    check: (): void => {
      for (const [socket, progress] of watched) {
        // `bytesWritten` includes the bytes that are not flushed yet.
        const flushedBytes = socket.bytesWritten - socket.writableLength
        const isStalled = socket.writableLength > 0 && flushedBytes === progress.flushedBytes
        progress.checks = isStalled ? progress.checks + 1 : 0
        progress.flushedBytes = flushedBytes
        if (progress.checks < checksUntilStalled) continue
        watched.delete(socket)
        onStalled()
        socket.destroy()
      }
    },
  }
}
