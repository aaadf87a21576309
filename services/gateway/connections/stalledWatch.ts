import type { Socket } from 'node:net'

/** Checks per `stalledMs`. Checks are counted instead of time, so a process that was paused closes no connection. */
export const checksUntilStalled = 6

/**
 * Checks until a connection is stalled while unread responses have too many bytes. A response may have been written
 * just before the first check.
 */
const checksWhileFull = 2

type WatchedSocket = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy' | 'once'>

type Watched = { unreadBytes(): number; flushedBytes: number; checks: number }

/**
 * Returns `watch`, which adds a connection, and `check`, which closes the connections that had unsent bytes at several
 * checks in a row while none of them was flushed. Bytes that the client sends are not progress. While the unread
 * responses of all connections have over `maxUnreadBytes`, two checks are enough, and those with the most are closed
 * first: short responses have no other bound.
 */
export const stalledWatch = (onStalled: () => void, maxUnreadBytes: number) => {
  const watched = new Map<WatchedSocket, Watched>()

  const close = (socket: WatchedSocket): void => {
    watched.delete(socket)
    onStalled()
    socket.destroy()
  }

  /** Counts a check without progress of the client since the last check. */
  const countCheck = (socket: WatchedSocket, progress: Watched): void => {
    // `bytesWritten` includes the bytes that are not flushed yet.
    const flushedBytes = socket.bytesWritten - socket.writableLength
    const isStalled = socket.writableLength > 0 && flushedBytes === progress.flushedBytes
    progress.checks = isStalled ? progress.checks + 1 : 0
    progress.flushedBytes = flushedBytes
  }

  return {
    /** @param unreadBytes returns the bytes of all its responses that are written and not flushed */
    watch: (socket: WatchedSocket, unreadBytes: () => number): void => {
      watched.set(socket, { unreadBytes, flushedBytes: 0, checks: 0 })
      socket.once('close', () => watched.delete(socket))
    },
    check: (): void => {
      const stalled: { socket: WatchedSocket; bytes: number }[] = []
      let unread = 0
      for (const [socket, progress] of watched) {
        const bytes = progress.unreadBytes()
        countCheck(socket, progress)
        if (progress.checks >= checksUntilStalled) close(socket)
        else {
          unread += bytes
          if (progress.checks >= checksWhileFull) stalled.push({ socket, bytes })
        }
      }
      if (unread <= maxUnreadBytes) return
      for (const { socket, bytes } of stalled.sort((one, other) => other.bytes - one.bytes)) {
        if (unread <= maxUnreadBytes) return
        unread -= bytes
        close(socket)
      }
    },
  }
}
