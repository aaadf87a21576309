import type { EventEmitter } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Number of consecutive event loop iterations without an arrival that shows that nothing waits in the kernel. */
const quietIterations = 3
/** How long arrivals may delay the stop: clients that never pause must not prevent it. */
const maxWaitMs = 5_000

/** Resolves after the event loop has polled the sockets. */
const polled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Waits until a server has accepted every connection, and read every request, that the kernel holds for it. To close a
 * listening socket resets the connections that wait in its queue. After a pause of a busy process, timers run before
 * the sockets are polled, so a pause alone does not show that nothing waits. libuv accepts one connection per
 * iteration.
 */
export const untilQuiet = async (server: EventEmitter): Promise<void> => {
  let arrivals = 0
  const count = (): void => void arrivals++
  const events = ['connection', 'request'] as const
  for (const event of events) server.on(event, count)
  const until = performance.now() + maxWaitMs
  let seen = 0
  for (let quiet = 0; quiet < quietIterations && performance.now() < until; ) {
    await polled()
    quiet = arrivals === seen ? quiet + 1 : 0
    seen = arrivals
  }
  for (const event of events) server.off(event, count)
}

/** `bytesRead`: what the connection had received when the response was sent; null: it is not sent yet. */
type Last = { response: ServerResponse; bytesRead: number | null }

/**
 * Returns a function that closes the idle connections of a server: those whose last response has left this process, and
 * on which nothing arrived since. Node's own counts as idle what is neither: a response that is complete and not sent
 * yet, and a part of the next request. A new connection is not idle before its first request.
 */
export const idleConnections = (server: Server): (() => void) => {
  const lasts = new Map<Socket, Last>()
  server.on('request', ({ socket }, response) => {
    if (!lasts.has(socket)) socket.once('close', () => lasts.delete(socket))
    const last: Last = { response, bytesRead: null }
    lasts.set(socket, last)
    response.once('close', () => {
      last.bytesRead = socket.bytesRead
    })
  })
  return () => {
    for (const [socket, { response, bytesRead }] of lasts) {
      if (response.writableFinished && socket.writableLength === 0 && bytesRead === socket.bytesRead) socket.destroy()
    }
  }
}
