import type { IncomingMessage } from 'node:http'
import type { Fault } from '@postrider/kit/fault.ts'
import { noRoomFault, type Room, slowFault } from './bodyRoom.ts'
import { abortedFault, tooManyChunksFault, tooManyShortChunksFault } from './collectBody.ts'
import { shortBodyBytes } from './memory.ts'
import { type chunkCounter, hasTooManyChunks } from './shortChunks.ts'

/**
 * Received part of a body: its size, the number of its parts, and the body itself while it is short. `isEnded`: it was
 * ended for others that wait for memory.
 */
export type Arrived = {
  bytes: number
  parts: number
  short: Buffer[]
  isEnded: boolean
  isOverAll: ReturnType<typeof chunkCounter>
}

/** @throws Fault `malformed_request`, `rate_limited`: there are too many short chunks */
export const note = (arrived: Arrived, chunk: Buffer): void => {
  arrived.bytes += chunk.length
  arrived.parts += 1
  if (arrived.isOverAll(arrived.parts, arrived.bytes)) throw tooManyShortChunksFault()
  if (hasTooManyChunks(arrived.parts, arrived.bytes)) throw tooManyChunksFault()
  if (arrived.bytes <= shortBodyBytes) arrived.short.push(chunk)
}

/** @throws Fault `malformed_request`: the client ended the request */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks) yield chunk as Buffer
  } catch {
    throw abortedFault()
  }
}

/**
 * Reads a body until the request has to end for others that wait for memory. The time until the next part is requested
 * does not count as the client's.
 * @throws Fault `malformed_request`, `request_timeout`, `unavailable`
 */
export async function* chunksUntilEnd(request: IncomingMessage, room: Room, arrived: Arrived): AsyncGenerator<Buffer> {
  const chunks = chunksOf(request)
  let ended: Fault | null = null
  let interrupt: (fault: Fault) => void = () => {}
  room.onEnd((reason) => {
    ended = reason === 'slow' ? slowFault() : noRoomFault(true)
    arrived.isEnded = true
    room[Symbol.dispose]()
    interrupt(ended)
  })
  try {
    for (;;) {
      if (ended !== null) throw ended
      const next = Promise.withResolvers<IteratorResult<Buffer>>()
      interrupt = next.reject
      room.resume()
      chunks.next().then(next.resolve, next.reject)
      const { value, done } = await next.promise
      room.pause()
      if (done) return room.complete()
      yield value
    }
  } finally {
    // It may still wait for the client.
    chunks.return(undefined).catch(() => {})
  }
}

/** Reads and drops what is left of a body. @returns false: it is longer, or ended early */
export const drained = async (request: IncomingMessage, maxBytes: number, arrived: Arrived): Promise<boolean> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return false
  try {
    for await (const chunk of chunksOf(request)) {
      note(arrived, chunk)
      if (arrived.bytes > maxBytes) return false
    }
    return true
  } catch {
    return false
  }
}
