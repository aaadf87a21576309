import type { IncomingMessage } from 'node:http'
import { isObject } from '@postrider/contracts/http/schema.ts'
import { BatchFrame, problemsInBatch } from '@postrider/contracts/http/sendBatch.ts'
import type { BatchRefusal, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { maxBatchMessages } from '@postrider/domain/email/batch.ts'
import { joinBytes } from '@postrider/kit/bytes.ts'
import { Fault, hasCode, invalid } from '@postrider/kit/fault.ts'
import { type Arrived, chunksUntilEnd, drained, note } from '../bodies/batchArrival.ts'
import { noRoomFault, type Room, roomFor } from '../bodies/bodyRoom.ts'
import { drainedBytes, tooLargeFault } from '../bodies/collectBody.ts'
import { shortBodyBytes } from '../bodies/memory.ts'
import { messageSplitter } from '../bodies/messageSplitter.ts'
import { chunkCounter } from '../bodies/shortChunks.ts'
import { bodyFault } from '../checks/checkRequest.ts'
import { zodProblems } from '../checks/zodProblems.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { parseJson } from '../json/parseJson.ts'
import { readIdempotencyKey } from '../sending/idempotency.ts'
import { bodySuggestion } from '../suggestions/valueSuggestions.ts'
import { type MessageReader, messageReader } from './batchMessages.ts'
import { takeRate } from './limitRate.ts'
import { refuseOtherTypes } from './readBody.ts'

/*
 * A batch of emails: this file reads the request and the frame around the messages, bodies/batchArrival.ts reads the
 * body while clients are slow or memory is short, and batchMessages.ts checks each message.
 */

/** Batch as the route gets it. */
export type BatchBody = Pick<SubmitBatchRequest, 'staged' | 'mails' | 'refusals' | 'count' | 'isPermissive'>

/** Maximum memory that a long batch takes: messages that wait, and a message that is read. */
const usualBytes = 4 * 2 ** 20
/** Bytes around the messages: more than 100 messages and generous white space need. */
const maxFrameBytes = 64 * 1_024

/**
 * Reads a batch while it arrives: each message is parsed and checked when its last byte has arrived. So a request uses
 * a few MiB at most, however long the batch is. Messages that are refused stay out; what becomes of the others is
 * decided by the route. All messages count against the rate limit.
 */
export const readBatch = (deps: RouteDeps): Step => {
  const { memory, config } = deps
  const take = takeRate('send', deps)
  return async function readBatch(context, next) {
    // A request that is refused before its messages are known counts as one.
    const countAsOne = async (thrown: unknown): Promise<never> => {
      // A second refusal would hide the first.
      await take(context, 1).catch(() => {})
      throw thrown
    }
    const isPermissive = await readHeaders(context.req).catch(countAsOne)
    const owner = context.state.identity?.caller.workspace ?? ''
    const announced = Number(context.req.headers['content-length'] ?? usualBytes)
    using room = roomFor(memory, { owner, expectedBytes: () => Math.min(announced, usualBytes) })
    const reader = messageReader(deps, context)
    const isOverAll = chunkCounter(memory.chunks, context.state.clientAddress)
    const read = {
      room,
      reader,
      isOverAll,
      maxBytes: config.limits.batchBodyBytes,
      maxMessageBytes: config.limits.sendBodyBytes,
    }
    const frame = await readFrame(context, read).catch(countAsOne)
    const count = isObject(frame) && Array.isArray(frame['messages']) ? frame['messages'].length : 1
    await take(context, Math.min(Math.max(count, 1), maxBatchMessages))
    const entries = framedEntries(frame, reader.refusals)
    for (const [number, entry] of entries.entries()) if (!isObject(entry)) reader.refuseValue(number, entry)
    const { staged, mails, refusals } = reader
    const body: BatchBody = { staged: staged(), mails, refusals, count, isPermissive }
    context.state.checkedBody = { body, fingerprint: reader.fingerprint() }
    await next()
  }
}

/** Checks the headers. @returns whether the batch is permissive */
const readHeaders = async (request: IncomingMessage): Promise<boolean> => {
  readIdempotencyKey(request)
  refuseOtherTypes(request)
  return readValidation(request)
}

/** Names of the header in other services, and a misspelling, as they arrive and as they are written. */
const otherNames: readonly (readonly [name: string, written: string])[] = [
  ['x-batch-validation', 'X-Batch-Validation'],
  ['batch_validation', 'Batch_Validation'],
]

/** Reads the header that selects what happens to a batch with messages that are refused. */
const readValidation = ({ headers, headersDistinct }: IncomingMessage): boolean => {
  const other = otherNames.find(([name]) => headers[name] !== undefined)
  if (other) {
    const detail = `The header ${other[1]} is not read; send Batch-Validation.`
    throw new Fault('malformed_request', detail, {
      problems: [{ path: other[1], code: 'wrong_header', message: detail }],
    })
  }
  const given = headersDistinct['batch-validation'] ?? []
  const [value = 'strict'] = given
  if (given.length <= 1 && (value === 'strict' || value === 'permissive')) return value === 'permissive'
  const message = 'Batch-Validation must be strict or permissive, once.'
  const problems = [{ path: 'Batch-Validation', code: 'invalid_header', message }]
  throw new Fault('malformed_request', message, { problems })
}

/**
 * Refuses the header on any other operation, in every spelling. A client that sends it with a single message expects
 * another response.
 * @throws Fault `malformed_request`
 */
export const refuseValidation = ({ headers }: IncomingMessage): void => {
  const given = [['batch-validation', 'Batch-Validation'] as const, ...otherNames].find(
    ([name]) => headers[name] !== undefined,
  )
  if (!given) return
  const message = `Only POST /api/v1/emails/batch reads ${given[1]}; leave out the header.`
  throw new Fault('malformed_request', message, { problems: [{ path: given[1], code: 'not_supported', message }] })
}

const bareList = 'The body must be a JSON object, not an array; send {"messages": […]} with the array in it.'
/** Returns the entries of `messages`. @throws Fault `validation_failed`: the body around them is wrong */
const framedEntries = (frame: unknown, refusals: readonly BatchRefusal[]): readonly unknown[] => {
  if (Array.isArray(frame)) throw invalid({ path: '', code: 'wrong_type', message: bareList })
  if (!isObject(frame)) throw invalid({ path: '', code: 'wrong_type', message: bodySuggestion(frame) })
  const result = BatchFrame.safeParse(frame)
  if (result.success) return result.data.messages
  throw bodyFault([...zodProblems(result.error, frame), ...refusals.flatMap(problemsInBatch)])
}

type ReadOptions = {
  room: Room
  reader: MessageReader
  isOverAll: Arrived['isOverAll']
  maxBytes: number
  maxMessageBytes: number
}

/**
 * Reads the whole body and gives its messages to the reader.
 * @returns the frame around them
 * @throws Fault `too_large`, `malformed_request`, `unavailable`
 */
const readFrame = async (context: Context, options: ReadOptions): Promise<unknown> => {
  const { req: request, res: response } = context
  const announced = Number(request.headers['content-length'] ?? 0)
  const arrived: Arrived = { bytes: 0, parts: 0, short: [], isEnded: false, isOverAll: options.isOverAll }
  try {
    if (announced > options.maxBytes + drainedBytes) throw tooLargeFault(options.maxBytes)
    return await readParts(request, options, arrived)
  } catch (thrown) {
    // Most clients read the response only after they have sent everything. There is no wait for a client whose memory
    // others need.
    if (arrived.isEnded || !(await drained(request, options.maxBytes + drainedBytes, arrived)))
      response.setHeader('Connection', 'close')
    // The parser of the whole body names the position of a fault.
    else if (arrived.bytes <= shortBodyBytes && hasCode(thrown, 'malformed_request'))
      parseJson(joinBytes(arrived.short))
    throw thrown
  }
}

const readParts = async (
  request: IncomingMessage,
  { room, reader, maxBytes, maxMessageBytes }: ReadOptions,
  arrived: Arrived,
): Promise<unknown> => {
  const splitter = messageSplitter()
  // A batch with a long message takes the room of the longest one together: many that grow at the same time would stop
  // each other.
  const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  for await (const chunk of chunksUntilEnd(request, room, arrived)) {
    note(arrived, chunk)
    if (arrived.bytes > maxBytes) throw tooLargeFault(maxBytes)
    const isUsual = splitter.openBytes() <= usualBytes / 2
    const needed = isUsual ? Math.min(arrived.bytes, usualBytes) : Math.min(announced, usualBytes + maxMessageBytes)
    if ((await room.reserve(chunk.length, needed)) === false) throw noRoomFault(needed > shortBodyBytes)
    const messages = splitter.push(chunk)
    const longest = Math.max(splitter.openBytes(), ...messages.map(({ bytes }) => bytes.length))
    if (longest > maxMessageBytes) throw tooLargeFault(maxMessageBytes, 'A message')
    for (const message of messages) await reader.add(message)
    if (splitter.frameBytes() > maxFrameBytes) throw tooLargeFault(maxFrameBytes, 'The body without its messages')
  }
  return parseJson(splitter.frame())
}
