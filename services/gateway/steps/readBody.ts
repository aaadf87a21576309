import type { IncomingMessage } from 'node:http'
import type { ByteBudget, ByteShare } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { RouteDeps, Step } from '../deps.ts'
import { parseInSteps, parseJson } from '../parseJson.ts'

/** How much of a body that is too large is read and dropped, so that a client that is still sending gets the response. */
const drainedBytes = 32 * 2 ** 20

/** A body up to this size takes nothing from the budget and is read in one step. */
const shortBytes = 64 * 1_024

/** The budget of long bodies, and how long a request waits for its share. */
export type LongBodies = { budget: ByteBudget; waitMs: number }

/**
 * Reads the body as JSON.
 * @param names of the route's fields
 * @param longBodies a long body holds its share until the request is answered; absent: no body of this route is long
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const readBody = (
  mostBytes: number,
  { slices, names }: Pick<RouteDeps, 'slices'> & { names: ReadonlySet<string> },
  longBodies?: LongBodies,
): Step =>
  async function readBody(context, next) {
    refuseOtherTypes(context.req)
    using room = longBodies && roomFor(context.state.identity?.caller.workspace ?? '', longBodies)
    const bytes = await collect(context.req, mostBytes, room)
    if (bytes === null) {
      context.res.setHeader('Connection', 'close')
      throw new Fault(
        'too_large',
        `The body is over this request’s limit of ${sizeText(mostBytes)}; send a smaller one.`,
      )
    }
    context.state.isLong = bytes.length > shortBytes
    context.state.body = context.state.isLong ? await slices.run(parseInSteps(bytes, names)) : parseJson(bytes)
    await next()
  }

const sizeText = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`)

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

const refuseOtherTypes = ({ headers }: IncomingMessage): void => {
  if (headers['content-encoding'] !== undefined) {
    throw new Fault('unsupported_media_type', 'Content-Encoding is not supported; send the body uncompressed.')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (hasBody && !json.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be JSON; send Content-Type: application/json.')
  }
}

/** One request's part of the budget. Disposing returns it and ends the waiting. */
type Room = Disposable & {
  /** Called once. @returns false: the share was not available in time */
  take(bytes: number): Promise<boolean>
}

const roomFor = (workspace: string, { budget, waitMs }: LongBodies): Room => {
  let share: ByteShare | null = null
  let giveUp = (): void => {}
  return {
    take: async (bytes) => {
      const waiting = new AbortController()
      giveUp = () => waiting.abort()
      const timer = setTimeout(giveUp, waitMs)
      share = await budget.take(workspace, bytes, waiting.signal)
      clearTimeout(timer)
      return share !== null
    },
    [Symbol.dispose]: () => {
      giveUp()
      share?.[Symbol.dispose]()
    },
  }
}

/** Returns the whole body; null: it is over the limit. A long body is read on only when it has its share of the budget. */
const collect = (request: IncomingMessage, mostBytes: number, room?: Room): Promise<Buffer | null> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > mostBytes + drainedBytes) return Promise.resolve(null)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>()
  const chunks: Buffer[] = []
  let size = 0
  let [isLong, isRefused] = [false, false]
  const waitForRoom = async (needed: Room): Promise<void> => {
    isLong = true
    request.pause()
    isRefused = !(await needed.take(Math.min(announced || mostBytes, mostBytes)))
    // A refused body is read to its end and dropped: most clients read the response only after they sent everything.
    if (isRefused) chunks.length = 0
    request.resume()
  }
  const abort = (): void => {
    // At once, not when the promise settles: no share may be granted to a request that is over.
    room?.[Symbol.dispose]()
    reject(aborted())
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (room && !isLong && size > shortBytes) void waitForRoom(room)
    if (size <= mostBytes && !isRefused) chunks.push(chunk)
    else chunks.length = 0
    if (size > mostBytes + drainedBytes) resolve(null)
  })
  request.on('end', () => {
    if (isRefused) reject(noRoom())
    else resolve(size > mostBytes ? null : joined(chunks))
  })
  request.on('error', abort)
  request.on('close', () => request.complete || abort())
  return promise
}

const joined = (chunks: Buffer[]): Buffer => {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

const noRoom = (): Fault =>
  new Fault(
    'unavailable',
    'Too many long messages are in progress; this one was not accepted. Try again in a second.',
    {
      retryAfterMs: 1_000,
    },
  )

const aborted = (): Fault => new Fault('malformed_request', 'The request ended before its body was complete.')
