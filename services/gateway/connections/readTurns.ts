import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import type { ClientConnection } from './connectionTable.ts'

/**
 * Milliseconds and requests of one event loop iteration after which no other connection is read in it. Fewer
 * connections are not paused: to pause and resume one costs up to 10 µs.
 */
const [iterationMs, iterationRequests] = [12, 64]

/** Connections that are read again per iteration: a request that is refused costs about 0.1 ms. */
const resumedPerIteration = 64

/** Part of a connection that its turn needs. */
type Turned = Pick<ClientConnection, 'client' | 'unanswered'> & {
  socket: Pick<ClientConnection['socket'], 'destroyed' | 'isPaused' | 'pause' | 'resume'>
}

/** Milliseconds after its turn in which what a connection has sent may not be read yet. */
const unreadMs = 1_000

export type ReadTurns = {
  /** Called when a request begins. */
  noteRequest(): void
  /** Returns whether a connection is not read, or was not until now. Its client cannot make progress in this time. */
  mayBeUnread(socket: object): boolean
}

export type ReadTurnsOptions = {
  /** Returns the open connections. */
  all: () => Iterable<Turned>
  /** Returns a monotonic time in milliseconds. */
  elapsed?: Monotonic
}

/**
 * Limits how long the requests of one event loop iteration run. In an iteration every connection is read on which
 * something has arrived, so a thousand requests at the same time would all begin in it. After a time the other idle
 * connections are paused, and read again in later iterations, round-robin across the clients. What they have sent stays
 * in the kernel. A connection with a request is not paused: its next requests have bounds of their own (pipelining.ts).
 */
export const readTurns = ({ all, elapsed = () => performance.now() }: ReadTurnsOptions): ReadTurns => {
  const waiting = fairQueue<Turned['socket']>()
  /** When connections that were paused are read again. */
  const readSince = new WeakMap<object, number>()
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
      readSince.set(socket, Number.POSITIVE_INFINITY)
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
      readSince.set(socket, elapsed())
      socket.resume()
      left--
    }
    setImmediate(nextIteration)
  }
  return {
    noteRequest: () => {
      count++
      if (since === null) {
        since = elapsed()
        if (waiting.size() === 0) setImmediate(nextIteration)
      } else if (!isFull && count > iterationRequests && elapsed() - since > iterationMs) pauseIdle()
    },
    mayBeUnread: (socket) => {
      const at = readSince.get(socket)
      return at !== undefined && elapsed() - at < unreadMs
    },
  }
}
