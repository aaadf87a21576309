import { evictionQueue } from '@postrider/domain/fairness/evictionQueue.ts'
import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { ClientConnection } from './connectionTable.ts'

/*
 * Clients that pipeline requests send few, and most send none. Short requests that arrive in one piece cost 100 times
 * their bytes, so the parser stops before a request that is over one of these bounds (packages/kit/parserStops.ts). It
 * is read when the responses to those before it are sent, and connections take turns: one in a slice of the process.
 */

/** Maximum number of unanswered requests of a connection. */
const maxOfConnection = 16

/**
 * Maximum number of unanswered requests in addition to the first one of each connection: that began in one event loop
 * iteration, of a client address, and in total.
 */
const [maxOfIteration, maxOfClient, maxInTotal] = [64, 128, 1_024]

/**
 * Maximum number of stopped connections, in total and of a client address. Each holds what had arrived, up to 128 KiB.
 */
const [maxStopped, maxStoppedOfClient] = [256, 64]

/** Part of a connection that the bounds need. */
type Pipeline = Pick<ClientConnection, 'client' | 'unanswered'>

const anyClient = (): boolean => true

/**
 * @param slices the runner of the process for long work
 * @param close closes a connection, of which there are too many
 */
export const pipelining = <One extends Pipeline>(slices: Slices, close: (connection: One) => void) => {
  /** Unanswered requests in addition to the first one of each connection, by client. */
  const counts = ownerCounts()
  const stopped = new Set<One>()
  const stoppedOf = ownerCounts()
  const byClient = evictionQueue<One>()
  // One owner, or clients with stopped connections would leave the long work of workspaces few slices.
  const turns = slices.of('stopped connections')
  /** What continues at the turn of a stopped connection, by client. */
  const waiting = fairQueue<() => void>()
  let ofIteration = 0

  const nextIteration = (): void => {
    ofIteration = 0
  }
  const resume = (connection: One): boolean => {
    if (!stopped.delete(connection)) return false
    byClient.remove(connection.client, connection)
    stoppedOf.add(connection.client, -1)
    return true
  }
  /** Closes the oldest stopped connection of the client that has the most, if these are more than a client has. */
  const makeRoom = (ofClient: number): boolean => {
    const oldest = byClient.take()
    if (oldest === undefined) return false
    byClient.add(oldest.client, oldest)
    if (stoppedOf.of(oldest.client) <= ofClient) return false
    resume(oldest)
    close(oldest)
    return true
  }
  return {
    /** Whether the next request of a connection may begin before its other requests are answered. */
    mayBegin: ({ client, unanswered: { size } }: One): boolean =>
      size === 0 ||
      (size < maxOfConnection &&
        ofIteration < maxOfIteration &&
        counts.of(client) < maxOfClient &&
        counts.total() < maxInTotal),
    /** Notes an unanswered request, which is counted in its connection already. */
    begun: ({ client, unanswered: { size } }: One): void => {
      if (size < 2) return
      counts.add(client, 1)
      if (ofIteration++ === 0) setImmediate(nextIteration)
    },
    /** Notes that a request is answered, which is no longer counted in its connection. */
    answered: ({ client, unanswered: { size } }: One): void => {
      if (size > 0) counts.add(client, -1)
    },
    /** Notes that a connection is closed: its requests get no response. */
    ended: (connection: One): void => {
      const { client, unanswered } = connection
      if (unanswered.size > 1) counts.add(client, 1 - unanswered.size)
      unanswered.clear()
      resume(connection)
    },
    /** Notes that the parser of a connection stops. @returns false: too many have stopped */
    stop: (connection: One): boolean => {
      const ofClient = stoppedOf.of(connection.client) + 1
      if (ofClient > maxStoppedOfClient) return false
      if (stopped.size === maxStopped && !makeRoom(ofClient)) return false
      stopped.add(connection)
      stoppedOf.add(connection.client, 1)
      byClient.add(connection.client, connection)
      return true
    },
    /**
     * Calls `then` at the turn of a stopped connection, in a later event loop iteration; never if it is closed before.
     */
    awaitTurn: (connection: One, then: () => void): void => {
      waiting.add(connection.client, () => resume(connection) && then())
      void nextSlice(turns).then(() => waiting.next(anyClient)?.item())
    },
  }
}
