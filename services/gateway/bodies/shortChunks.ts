import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import { afterInBackground } from '@postrider/kit/after.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { recentCounts } from '../steps/requestScheduler.ts'

/*
 * A body may arrive in chunks of a byte. Each costs some microseconds in Node's parser, which reads 64 KiB in one event
 * loop iteration: 10,000 such chunks. So short chunks are counted by client address, and after many, new connections of
 * the address are read one by one.
 */

/** Mean bytes of a chunk below which it counts as short: one costs as much CPU as some KiB in one piece. */
export const shortChunkBytes = 64

/** Short chunks of a body of any size. Programs that send each token of JSON as a chunk need thousands. */
const maxOfBody = 16_384

/**
 * Short chunks of a client address in this second and the last: in all, and above which its new connections take turns.
 */
const [maxOfAddress, manyOfAddress] = [4 * maxOfBody, maxOfBody / 2]

/**
 * How long new connections of such an address take turns, and how often one is read, in milliseconds: its first 64 KiB
 * cost up to 40 ms.
 */
const [delayedMs, turnMs] = [60_000, 250]

/** Addresses that are remembered. */
const maxDelayed = 10_000

/** Returns whether a body has too many short chunks. */
export const hasTooManyChunks = (chunks: number, bytes: number): boolean => chunks > maxOfBody + bytes / shortChunkBytes

export type ShortChunks = {
  /** Counts short chunks of a client address. @returns whether it has sent too many */
  count(address: string, chunks: number): boolean
  /** Makes new connections of addresses that sent many wait for their turn. Trusted proxies are exempt. */
  guard(server: Server, isTrustedProxy: (address: string) => boolean): void
}

/** How many short chunks are counted together. */
const countedChunks = 1_024

/**
 * Counts the short chunks of a body, called with each.
 * @returns what returns whether the client address has sent too many
 */
export const chunkCounter =
  (chunks: Pick<ShortChunks, 'count'>, address: string) =>
  (parts: number, bytes: number): boolean =>
    parts % countedChunks === 0 && bytes < parts * shortChunkBytes && chunks.count(address, countedChunks)

export type ShortChunksOptions = {
  /** Returns a monotonic time in milliseconds. */
  elapsed?: Monotonic
  /** Calls back after a time. */
  after?: (ms: number, fire: () => void) => unknown
}

const anyClient = (): boolean => true

export const shortChunks = ({
  elapsed = () => performance.now(),
  after = afterInBackground,
}: ShortChunksOptions = {}): ShortChunks => {
  const recent = recentCounts(elapsed)
  /** Times until which new connections of an address take turns. */
  const delayed = boundedMap<number>(maxDelayed)
  const waiting = fairQueue<() => void>()
  let isTurnDue = false

  /** One timer at a time: connections may end before their turn, and the next one waits again. */
  const awaitTurn = (): void => {
    if (isTurnDue || waiting.size() === 0) return
    isTurnDue = true
    after(turnMs, readNext)
  }
  const readNext = (): void => {
    isTurnDue = false
    waiting.next(anyClient)?.item()
    awaitTurn()
  }
  const mustWait = (client: string): boolean => (delayed.get(client) ?? 0) > elapsed()

  const waitForTurn = (socket: Socket, client: string): void => {
    // Not immediately: the server begins to read a connection after this event.
    process.nextTick(() => waiting.sizeOf(client) > 0 && socket.pause())
    const read = (): void => {
      socket.off('close', leave)
      socket.resume()
    }
    const leave = (): void => void waiting.remove(client, read)
    socket.once('close', leave)
    waiting.add(client, read)
    awaitTurn()
  }

  return {
    count: (address, chunks) => {
      const client = rateLimitClient(address)
      recent.add(client, chunks)
      const count = recent.of(client)
      if (count > manyOfAddress) delayed.set(client, elapsed() + delayedMs)
      return count > maxOfAddress
    },
    guard: (server, isTrustedProxy) => {
      server.on('connection', (socket: Socket) => {
        const address = socket.remoteAddress
        if (address === undefined || isTrustedProxy(address)) return
        const client = rateLimitClient(address)
        if (mustWait(client)) waitForTurn(socket, client)
      })
    },
  }
}
