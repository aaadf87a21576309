import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '@postrider/kit/byteBudget.ts'
import { freeBytes } from '@postrider/kit/bytes.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { type BodyMemory, roomFor } from '../bodies/bodyRoom.ts'
import { collectBody } from '../bodies/collectBody.ts'
import { shortBodyBytes } from '../bodies/memory.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { parseInSteps, parseJson } from '../json/parseJson.ts'
import { slicesFor, takeWorkspaceTurn } from './scheduleRequests.ts'

/**
 * Reads the body as JSON. Its bytes count against the memory budget until the request is answered.
 * @param names of the route's fields
 * @param isOptional whether no body counts as an empty object
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `request_timeout`, `unavailable`
 */
export const readBody = (
  maxBytes: number,
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
    await withBody(context, { maxBytes, memory, turn }, async (bytes) => {
      await takeWorkspaceTurn({ slices, workspaceTurns }, context)
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
 * Reads the body of a route that has none, so that its fields are refused. Almost every request has no body, and some
 * clients send an empty one, or an empty object.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `request_timeout`, `unavailable`
 */
export const readNoBody = (
  maxBytes: number,
  deps: Pick<RouteDeps, 'slices' | 'workspaceTurns'>,
  memory: BodyMemory,
): Step =>
  async function readNoBody(context, next) {
    if (!hasBody(context.req)) {
      await takeWorkspaceTurn(deps, context)
      return next()
    }
    await withBody(context, { maxBytes, memory }, async (bytes) => {
      await takeWorkspaceTurn(deps, context)
      if (bytes.length > 0) {
        refuseOtherTypes(context.req)
        context.state.body = parseJson(bytes)
      }
      await next()
    })
  }

/** Returns whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Steps that only wait for their turn. */
function* noSteps(): Steps<void> {}

/** `turn` returns a promise of the turn in which more of a long body is read. Default: it is read as it arrives. */
type ReadOptions = { maxBytes: number; memory: BodyMemory; turn?: () => Promise<void> }

/**
 * Reads the body and calls `use` with it. Its bytes count against the memory budget until `use` ends; those of a long
 * body are gone afterwards.
 * @throws Fault `too_large`, `malformed_request`, `request_timeout`, `unavailable`
 */
export const withBody = async (
  context: Context,
  { maxBytes, memory, turn }: ReadOptions,
  use: (bytes: Buffer) => Promise<void>,
): Promise<void> => {
  const owner = memory.ownerOf(context)
  using arrived = arrivedBody(context.req, { maxBytes, owner, budget: memory.short })
  if (arrived !== null) return await use(arrived.bytes)
  const expectedBytes = expectedBytesOf(context.req.headers['content-length'], maxBytes)
  using room = roomFor(memory, { owner, expectedBytes })
  const bytes = await collectBody(context, { maxBytes, memory, room, turn })
  try {
    await use(bytes)
  } finally {
    if (bytes.length > shortBodyBytes) freeBytes(bytes)
  }
}

type ArrivedOptions = { maxBytes: number; owner: string; budget: ByteBudget }

/**
 * Returns a short body that has arrived completely, with its share of the memory; null: `collectBody` reads it. When
 * the caller is known, almost every body has arrived, and needs none of the bounds on clients that send slowly.
 */
const arrivedBody = (
  request: IncomingMessage,
  { maxBytes, owner, budget }: ArrivedOptions,
): (Disposable & { bytes: Buffer }) | null => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (request.destroyed || announced === 0 || announced > Math.min(maxBytes, shortBodyBytes)) return null
  if (request.readableLength !== announced) return null
  const share = budget.tryTake(owner, announced)
  if (share === null) return null
  const bytes = request.read()
  // The parser may still have to report the end, which the connection waits for.
  request.resume()
  return { bytes, [Symbol.dispose]: share[Symbol.dispose] }
}

/** Room of a chunked body that has arrived up to here. Its length is not known, and few are longer. */
const usualChunkedBytes = 2 ** 20

/**
 * Returns how much room a long body takes together: all of an announced one. A chunked one that is longer than usual
 * may become the longest.
 */
const expectedBytesOf = (length: string | undefined, maxBytes: number): ((bytes: number) => number) => {
  if (length !== undefined) return () => Math.min(Number(length), maxBytes)
  return (bytes) => (bytes > usualChunkedBytes ? maxBytes : Math.min(usualChunkedBytes, maxBytes))
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
const typeProblems: readonly [type: RegExp, message: string][] = [
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
  typeProblems.find(([form]) => form.test(type))?.[1] ?? `This Content-Type is not supported; ${asJson}.`
