import type { IncomingMessage } from 'node:http'
import { freeBytes } from '@postrider/kit/bytes.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { shortBodyBytes } from '../memory.ts'
import { parseInSteps, parseJson } from '../parseJson.ts'
import { partList } from '../partList.ts'
import { slicesFor } from '../slicesFor.ts'
import { type BodyMemory, noRoom, type Room, roomFor } from './bodyRoom.ts'
import { takeWorkspaceTurn } from './takeTurns.ts'

/** How much of a body that is too large is read and dropped, so that a client that is still sending gets the response. */
export const drainedBytes = 32 * 2 ** 20

/**
 * Reads the body as JSON. Its bytes count against the memory budget until the request is answered.
 * @param names of the route's fields
 * @param isOptional whether no body counts as an empty object
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const readBody = (
  mostBytes: number,
  {
    slices,
    workspaceTurns,
    names,
    isOptional = false,
  }: Pick<RouteDeps, 'slices' | 'workspaceTurns'> & { names: ReadonlySet<string>; isOptional?: boolean },
  memory: BodyMemory,
): Step =>
  async function readBody(context, next) {
    refuseOtherTypes(context.req)
    const turn = () => slicesFor({ slices }, context).run(noSteps())
    await withBody(context, { mostBytes, memory, turn }, async (bytes) => {
      await takeWorkspaceTurn({ workspaceTurns }, context)
      if (isOptional && bytes.length === 0) {
        context.state.body = {}
        return next()
      }
      context.state.isLong = bytes.length > shortBodyBytes
      context.state.body = context.state.isLong
        ? await slicesFor({ slices }, context).run(parseInSteps(bytes, names))
        : parseJson(bytes)
      await next()
    })
  }

/**
 * Reads the body of a route that has none, so that its fields are refused. Almost every request has no body, and some clients
 * send an empty one, or an empty object.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const readNoBody = (
  mostBytes: number,
  { workspaceTurns }: Pick<RouteDeps, 'workspaceTurns'>,
  memory: BodyMemory,
): Step =>
  async function readNoBody(context, next) {
    if (!hasBody(context.req)) {
      await takeWorkspaceTurn({ workspaceTurns }, context)
      return next()
    }
    await withBody(context, { mostBytes, memory }, async (bytes) => {
      await takeWorkspaceTurn({ workspaceTurns }, context)
      if (bytes.length > 0) {
        refuseOtherTypes(context.req)
        context.state.body = parseJson(bytes)
      }
      await next()
    })
  }

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Only waits for its turn. */
function* noSteps(): Steps<void> {}

/** `turn` returns a promise of the turn in which more of a long body is read. Default: it is read as it arrives. */
type ReadOptions = { mostBytes: number; memory: BodyMemory; turn?: () => Promise<void> }

/**
 * Reads the body and calls `use` with it. Its bytes count against the memory budget until `use` ends; those of a long body are
 * gone afterwards.
 * @throws Fault `too_large`, `malformed_request`, `unavailable`
 */
export const withBody = async (
  context: Context,
  { mostBytes, memory, turn }: ReadOptions,
  use: (bytes: Buffer) => Promise<void>,
): Promise<void> => {
  using room = roomFor(memory, memory.ownerOf(context))
  const bytes = await collect(context.req, { mostBytes, room, turn })
  if (bytes === null) {
    context.res.setHeader('Connection', 'close')
    const detail = `The body is over this request’s limit of ${sizeText(mostBytes)}; send a smaller one.`
    throw new Fault('too_large', detail)
  }
  try {
    await use(bytes)
  } finally {
    if (bytes.length > shortBodyBytes) freeBytes(bytes)
  }
}

export const sizeText = (bytes: number): string => {
  if (bytes >= 2 ** 20) return `${bytes / 2 ** 20} MiB`
  return bytes >= 1_024 ? `${bytes / 1_024} KiB` : `${bytes} bytes`
}

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** @throws Fault `unsupported_media_type` */
export const refuseOtherTypes = (request: IncomingMessage): void => {
  const { headers } = request
  if (headers['content-encoding'] !== undefined) {
    throw new Fault('unsupported_media_type', 'Content-Encoding is not supported; send the body uncompressed.')
  }
  if (hasBody(request) && !json.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', wrongType(headers['content-type'] ?? ''))
  }
}

const asJson = 'send a JSON object with Content-Type: application/json'

/** What each type of content that is not JSON needs. */
const typeHints: readonly [type: RegExp, message: string][] = [
  [/^$/, `The request has no Content-Type; ${asJson}.`],
  [/^application\/x-www-form-urlencoded/i, `Form data is not read, and curl -d sends it by default; ${asJson}.`],
  [/^multipart\//i, `Multipart forms are not read; ${asJson}, and files as base64 in attachments.`],
  [
    /^application\/json\s*;.*charset/i,
    'JSON is always UTF-8 (RFC 8259 §8.1); send Content-Type: application/json without another charset.',
  ],
  [/^application\/json\s*[;,]/i, 'Content-Type must be application/json, once and without other parameters.'],
]

const wrongType = (type: string): string =>
  typeHints.find(([form]) => form.test(type))?.[1] ?? `This Content-Type is not supported; ${asJson}.`

type Collecting = { mostBytes: number; room: Room; turn: (() => Promise<void>) | undefined }

/** Bytes of long bodies that are read in a turn. Without a bound, each connection would bring up to 2 MiB in every turn. */
const readAtOnce = 131_072

/** Returns the whole body; null: it is over the limit. A body is read on only when what arrived has its share. */
const collect = (request: IncomingMessage, { mostBytes, room, turn }: Collecting): Promise<Buffer | null> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > mostBytes + drainedBytes) return Promise.resolve(null)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>()
  const body = gathered(Math.min(announced, mostBytes))
  let [size, readInTurn] = [0, 0]
  let [isLong, isGranted, isRefused] = [false, false, false]
  const waitFor = async (taken: Promise<boolean>): Promise<void> => {
    request.pause()
    isGranted = await taken
    isRefused = !isGranted
    // A refused body is read to its end and dropped: most clients read the response only after they sent everything.
    if (isRefused) body.drop()
    request.resume()
  }
  const reserve = (bytes: number): void => {
    if (isLong || isRefused) return
    isLong = size > shortBodyBytes
    if (isLong) void waitFor(room.takeLong(Math.min(announced || mostBytes, mostBytes)))
    else if (!room.tryTake(bytes)) void waitFor(room.take(bytes))
  }
  /** Reads on in a later turn, in turn with the other long work. */
  const pace = (bytes: number): void => {
    readInTurn += bytes
    if (turn === undefined || readInTurn < readAtOnce) return
    readInTurn = 0
    request.pause()
    void turn().then(() => request.resume())
  }
  const abort = (): void => {
    // Immediately, not when the promise settles: no share may be granted to a request that is over.
    room[Symbol.dispose]()
    reject(aborted())
  }
  request.on('data', (chunk: Buffer) => {
    const { length } = chunk
    size += length
    if (size > mostBytes || isRefused) body.drop()
    else {
      reserve(length)
      body.add(chunk, isLong && isGranted)
      if (isLong && isGranted) pace(length)
    }
    if (size > mostBytes + drainedBytes) resolve(null)
  })
  request.on('end', () => {
    if (isRefused) reject(noRoom(isLong))
    else resolve(size > mostBytes ? null : body.bytes())
  })
  request.on('error', abort)
  request.on('close', () => request.complete || abort())
  return promise
}

/**
 * Gathers the parts of a body. When a long body of known length has its room, its parts are copied to their place as they
 * arrive, and are gone then: to join 10 MiB in one step would block other requests for milliseconds.
 */
const gathered = (announced: number) => {
  const parts = partList()
  let whole: Buffer | null = null
  let filled = 0
  const copy = (part: Buffer): void => {
    if (whole === null) return
    filled += part.copy(whole, filled)
    freeBytes(part)
  }
  return {
    add: (part: Buffer, hasRoom: boolean): void => {
      if (whole === null && hasRoom && announced > shortBodyBytes) {
        whole = Buffer.allocUnsafeSlow(announced)
        for (const earlier of parts.take()) copy(earlier)
      }
      if (whole === null) parts.add(part)
      else copy(part)
    },
    drop: (): void => {
      parts.take()
      whole = null
    },
    bytes: (): Buffer => whole ?? parts.join(),
  }
}

export const aborted = (): Fault => new Fault('malformed_request', 'The request ended before its body was complete.')
