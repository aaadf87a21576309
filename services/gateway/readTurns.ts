import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import type { Connection } from './connectionTable.ts'

/**
 * Milliseconds and requests of one event loop iteration after which no other connection is read in it. Fewer connections are not paused: to
 * pause and resume one costs up to 10 µs.
 */
const [iterationMs, iterationRequests] = [12, 64]

/** Connections that are read again per iteration: a request that is refused costs about 0.1 ms. */
const resumedPerIteration = 64

/** Part of a connection that its turn needs. */
type Turned = Pick<Connection, 'client' | 'unanswered'> & {
  socket: Pick<Connection['socket'], 'destroyed' | 'isPaused' | 'pause' | 'resume'>
}

export type ReadTurnsOptions = {
  /** Returns the open connections. */
  all: () => Iterable<Turned>
  /** Returns a monotonic time in milliseconds. */
  elapsed?: () => number
}

/**
 * Limits how long the requests of one event loop iteration run. In an iteration every connection is read on which something has arrived,
 * so a thousand requests at the same time would all begin in it. After a time the other idle connections are paused, and read again
 * in later iterations, round-robin across the clients. What they have sent stays in the kernel. A connection with a request is not
 * paused: its next requests have bounds of their own (pipelining.ts).
 * @returns a function that is called when a request begins
 */
export const readTurns = ({ all, elapsed = () => performance.now() }: ReadTurnsOptions): (() => void) => {
  const waiting = fairQueue<Turned['socket']>()
  /** When the first request of this iteration began; null: none has. */
  let since: number | null = null
  let count = 0
  let isFull = false

  const pauseIdle = (): void => {
    isFull = true
    for (const { socket, client, unanswered } of all()) {
      // Others pause connections too (shortChunks.ts).
      if (unanswered.size > 0 || socket.isPaused()) continue
      socket.pause()
      waiting.add(client, socket)
    }
  }
  const nextIteration = (): void => {
    since = null
    count = 0
    isFull = false
    for (let left = resumedPerIteration; left > 0; ) {
      const socket = waiting.next(() => true)?.item
      if (socket === undefined) return
      if (socket.destroyed) continue
      socket.resume()
      left--
    }
    setImmediate(nextIteration)
  }
  return () => {
    count++
    if (since === null) {
      since = elapsed()
      if (waiting.size() === 0) setImmediate(nextIteration)
    } else if (!isFull && count > iterationRequests && elapsed() - since > iterationMs) pauseIdle()
  }
}
