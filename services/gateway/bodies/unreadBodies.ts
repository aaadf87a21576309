import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { chunkCounter, hasTooManyChunks, type ShortChunks } from './shortChunks.ts'

/**
 * How long, and how far, the rest of a body is read and dropped after its response, so that the client gets the
 * response (RFC 9112 §9.6).
 */
const [lingerMs, lingerBytes] = [5_000, 32 * 2 ** 20]

/**
 * Bounds what the rest of a body costs that is still being sent when its request was answered: its connection is closed
 * after a time, many bytes or too many short chunks.
 */
export const boundUnreadBodies = (server: Server, chunks: Pick<ShortChunks, 'count'>): void => {
  server.on('request', (request, response: ServerResponse) => {
    response.once('prefinish', () => request.complete || dropRest(request, chunks))
  })
}

const dropRest = (request: IncomingMessage, chunks: Pick<ShortChunks, 'count'>): void => {
  const { socket } = request
  const isOverAll = chunkCounter(chunks, socket.remoteAddress ?? '')
  const end = setTimeout(() => socket.destroy(), lingerMs).unref()
  const stop = (): void => {
    clearTimeout(end)
    socket.off('close', stop)
  }
  request.once('close', stop)
  // A request that is answered does not emit the end of its connection.
  socket.once('close', stop)
  let [size, parts] = [0, 0]
  request.on('data', ({ length }: Buffer) => {
    size += length
    parts += 1
    if (isOverAll(parts, size) || size > lingerBytes || hasTooManyChunks(parts, size)) socket.destroy()
  })
  // Node would drop the rest without a limit if the body was not read yet.
  request.read(0)
  request.resume()
}
