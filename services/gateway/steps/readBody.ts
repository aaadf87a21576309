import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'
import type { BodyPlace, BodyRoom } from '../bodyRoom.ts'
import type { Step } from '../context.ts'
import { parseJson } from '../json/parseJson.ts'

/** How much of a body that is too large is read and thrown away, so that a client still sending hears the answer. */
const drainedBytes = 32 * 2 ** 20

/** A body up to this needs no room. */
const shortBytes = 64 * 1_024

/**
 * Reads the body as JSON.
 * @param bodies where long ones need room until the request is answered; absent: none is long
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const readBody = (mostBytes: number, bodies?: BodyRoom): Step =>
  async function readBody(context, next) {
    refuseOtherTypes(context.req)
    using place = bodies?.enter(context.state.asker?.caller.workspace ?? '')
    const bytes = await collect(context.req, mostBytes, place)
    if (bytes === null) {
      context.res.setHeader('Connection', 'close')
      throw new Fault('too_large', `The body is over the limit of ${inMiB(mostBytes)} for this request.`)
    }
    context.state.body = parseJson(bytes)
    await next()
  }

const inMiB = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`)

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

const refuseOtherTypes = ({ headers }: IncomingMessage): void => {
  if (headers['content-encoding'] !== undefined) {
    throw new Fault('unsupported_media_type', 'A body with a Content-Encoding is not taken; send it as it is.')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (hasBody && !json.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be JSON: Content-Type: application/json.')
  }
}

/** The whole body; null: it is over the limit. Once it is long it isn't read on before there is room for it. */
const collect = (request: IncomingMessage, mostBytes: number, place?: BodyPlace): Promise<Buffer | null> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > mostBytes + drainedBytes) return Promise.resolve(null)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>()
  const chunks: Buffer[] = []
  let size = 0
  let [isLong, isRefused] = [false, false]
  const findRoom = async (room: BodyPlace): Promise<void> => {
    isLong = true
    request.pause()
    isRefused = !(await room.take(Math.min(announced || mostBytes, mostBytes)))
    // Where there is no room it is read to its end all the same, and thrown away: most clients hear the answer only then.
    if (isRefused) chunks.length = 0
    request.resume()
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (place && !isLong && size > shortBytes) void findRoom(place)
    if (size <= mostBytes && !isRefused) chunks.push(chunk)
    else chunks.length = 0
    if (size > mostBytes + drainedBytes) resolve(null)
  })
  request.on('end', () => {
    if (isRefused) reject(tooManyLong())
    else resolve(size > mostBytes ? null : joined(chunks))
  })
  request.on('error', () => reject(brokenOff()))
  request.on('close', () => request.complete || reject(brokenOff()))
  return promise
}

const joined = (chunks: Buffer[]): Buffer => {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

const tooManyLong = (): Fault =>
  new Fault('unavailable', 'Too many long messages come at once; nothing was taken. Try again in a second.', {
    retryAfterMs: 1_000,
  })

const brokenOff = (): Fault => new Fault('malformed_request', 'The request broke off before its body was whole.')
