import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fieldNames, isObject } from '@postrider/contracts/http/schema.ts'
import { BatchFrame, problemsInBatch } from '@postrider/contracts/http/sendBatch.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import type { BatchMail, BatchRefusal, StagedBatch, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { maxBatchMessages } from '@postrider/domain/email/batch.ts'
import { joinBytes } from '@postrider/kit/bytes.ts'
import { Fault, hasCode, invalid, maxProblems } from '@postrider/kit/fault.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import { bodyRefusal, checkBody } from '../checkRequest.ts'
import type { Context, Identity, RouteDeps, Step } from '../deps.ts'
import { fingerprint, fingerprintSteps, readIdempotencyKey } from '../idempotency.ts'
import { shortBodyBytes } from '../memory.ts'
import { serviceProblemsOf, toMail } from '../message.ts'
import { type MessageBytes, messageSplitter } from '../messageSplitter.ts'
import { parseInSteps, parseJson } from '../parseJson.ts'
import { sendEmail } from '../routes/sendEmail.ts'
import { chunkCounter, hasTooManyChunks } from '../shortChunks.ts'
import { slicesFor } from '../slicesFor.ts'
import { bodyHint } from '../valueHints.ts'
import { zodProblems } from '../zodProblems.ts'
import { noRoom, type Room, roomFor, tooSlow } from './bodyRoom.ts'
import { aborted, drainedBytes, tooLarge, tooManyChunks, tooManyShortChunks } from './collectBody.ts'
import { takeRate } from './limitRate.ts'
import { refuseOtherTypes } from './readBody.ts'

/** What the route gets of a batch. */
export type BatchBody = Pick<SubmitBatchRequest, 'staged' | 'mails' | 'refusals' | 'count' | 'isPermissive'>

/** Bytes of messages that wait here for the rest of the batch. Of a longer batch they are staged. */
const waitingBytes = 2 ** 20
/** Maximum memory that a long batch takes: messages that wait, and a message that is read. */
const usualBytes = 4 * 2 ** 20
/** Bytes around the messages: more than 100 messages and generous white space need. */
const maxFrameBytes = 64 * 1_024

const names = fieldNames(SendEmail)

/**
 * Reads a batch while it arrives: each message is parsed and checked when its last byte has arrived. So a request uses a few MiB at
 * most, however long the batch is. Messages that are refused stay out; what becomes of the others is decided by the route.
 * All messages count against the rate limit.
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
    const hint = `The header ${other[1]} is not read; send Batch-Validation.`
    throw new Fault('malformed_request', hint, { problems: [{ path: other[1], code: 'wrong_header', message: hint }] })
  }
  const given = headersDistinct['batch-validation'] ?? []
  const [value = 'strict'] = given
  if (given.length <= 1 && (value === 'strict' || value === 'permissive')) return value === 'permissive'
  const message = 'Batch-Validation must be strict or permissive, once.'
  const problems = [{ path: 'Batch-Validation', code: 'invalid_header', message }]
  throw new Fault('malformed_request', message, { problems })
}

const bareList = 'The body must be a JSON object, not an array; send {"messages": […]} with the array in it.'
const noMessage = 'A message must be a JSON object, such as {"to": ["user@example.com"], "subject": "…", "text": "…"}.'

/** Returns the entries of `messages`. @throws Fault `validation_failed`: the body around them is wrong */
const framedEntries = (frame: unknown, refusals: readonly BatchRefusal[]): readonly unknown[] => {
  if (Array.isArray(frame)) throw invalid({ path: '', code: 'wrong_type', message: bareList })
  if (!isObject(frame)) throw invalid({ path: '', code: 'wrong_type', message: bodyHint(frame) })
  const result = BatchFrame.safeParse(frame)
  if (result.success) return result.data.messages
  throw bodyRefusal([...zodProblems(result.error, frame), ...refusals.flatMap(problemsInBatch)])
}

type ReadOptions = {
  room: Room
  reader: MessageReader
  isOverAll: Arrived['isOverAll']
  maxBytes: number
  maxMessageBytes: number
}

/**
 * Reads the whole body and gives its messages to the reader. @returns the frame around them
 * @throws Fault `too_large`, `malformed_request`, `unavailable`
 */
const readFrame = async (context: Context, options: ReadOptions): Promise<unknown> => {
  const { req: request, res: response } = context
  const announced = Number(request.headers['content-length'] ?? 0)
  const arrived: Arrived = { bytes: 0, parts: 0, short: [], isEnded: false, isOverAll: options.isOverAll }
  try {
    if (announced > options.maxBytes + drainedBytes) throw tooLarge(options.maxBytes)
    return await readParts(request, options, arrived)
  } catch (thrown) {
    // Most clients read the response only after they have sent everything. There is no wait for a client whose memory others need.
    if (arrived.isEnded || !(await drained(request, options.maxBytes + drainedBytes, arrived)))
      response.setHeader('Connection', 'close')
    // The parser of the whole body names the position of a fault.
    else if (arrived.bytes <= shortBodyBytes && hasCode(thrown, 'malformed_request'))
      parseJson(joinBytes(arrived.short))
    throw thrown
  }
}

/** What arrived of a body: its size, the number of its parts, and the body itself while it is short. `isEnded`: it was ended for others that wait for memory. */
type Arrived = {
  bytes: number
  parts: number
  short: Buffer[]
  isEnded: boolean
  isOverAll: ReturnType<typeof chunkCounter>
}

/** @throws Fault `malformed_request`, `rate_limited`: there are too many short chunks */
const note = (arrived: Arrived, chunk: Buffer): void => {
  arrived.bytes += chunk.length
  arrived.parts += 1
  if (arrived.isOverAll(arrived.parts, arrived.bytes)) throw tooManyShortChunks()
  if (hasTooManyChunks(arrived.parts, arrived.bytes)) throw tooManyChunks()
  if (arrived.bytes <= shortBodyBytes) arrived.short.push(chunk)
}

/** @throws Fault `malformed_request`: the client ended the request */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks) yield chunk as Buffer
  } catch {
    throw aborted()
  }
}

/**
 * Reads a body until the request has to end for others that wait for memory. The time until the next part is asked for is not the
 * client's.
 * @throws Fault `malformed_request`, `request_timeout`, `unavailable`
 */
async function* chunksUntilEnd(request: IncomingMessage, room: Room, arrived: Arrived): AsyncGenerator<Buffer> {
  const chunks = chunksOf(request)
  let ended: Fault | null = null
  let interrupt: (fault: Fault) => void = () => {}
  room.onEnd((reason) => {
    ended = reason === 'slow' ? tooSlow() : noRoom(true)
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
const drained = async (request: IncomingMessage, maxBytes: number, arrived: Arrived): Promise<boolean> => {
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

const readParts = async (
  request: IncomingMessage,
  { room, reader, maxBytes, maxMessageBytes }: ReadOptions,
  arrived: Arrived,
): Promise<unknown> => {
  const splitter = messageSplitter()
  // A batch with a long message takes the room of the longest one together: many that grow at the same time would stop each other.
  const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  for await (const chunk of chunksUntilEnd(request, room, arrived)) {
    note(arrived, chunk)
    if (arrived.bytes > maxBytes) throw tooLarge(maxBytes)
    const isUsual = splitter.openBytes() <= usualBytes / 2
    const needed = isUsual ? Math.min(arrived.bytes, usualBytes) : Math.min(announced, usualBytes + maxMessageBytes)
    if ((await room.hold(chunk.length, needed)) === false) throw noRoom(needed > shortBodyBytes)
    const messages = splitter.push(chunk)
    const longest = Math.max(splitter.openBytes(), ...messages.map(({ bytes }) => bytes.length))
    if (longest > maxMessageBytes) throw tooLarge(maxMessageBytes, 'A message')
    for (const message of messages) await reader.add(message)
    if (splitter.frameBytes() > maxFrameBytes) throw tooLarge(maxFrameBytes, 'The body without its messages')
  }
  return parseJson(splitter.frame())
}

type MessageReader = ReturnType<typeof messageReader>

/** Returns what checks the messages of a batch one after the other. */
const messageReader = (deps: RouteDeps, context: Context) => {
  const { state } = context
  const { intake, config } = deps
  const slices = slicesFor(deps, context)
  const { caller } = state.identity as Identity
  const mails: BatchMail[] = []
  const refusals: BatchRefusal[] = []
  const digests: Buffer[] = []
  let staged: StagedBatch | null = null
  let [bytesOfMails, bytesOfIteration] = [0, 0]

  /** Waits for a later iteration before short messages need more time than one of 64 KiB. A long one pauses by itself. */
  const paceShort = async (bytes: number): Promise<void> => {
    bytesOfIteration += bytes
    if (bytesOfIteration <= shortBodyBytes) return
    bytesOfIteration = bytes
    await nextSlice(slices)
  }

  const stage = async (): Promise<void> => {
    const reply = await intake.StageBatch({ caller, staged, mails: mails.splice(0), requestId: state.requestId })
    staged = reply.staged
    refusals.push(...reply.refusals)
    bytesOfMails = 0
  }

  const refuse = (number: number, { code, message: detail, problems }: Fault): void => {
    refusals.push({ number, code, detail, problems })
  }

  /** Once a response has as many problems as it names, intake checks no more messages. */
  const serviceProblems = async (raw: Record<string, unknown>) => {
    const known = refusals.reduce((sum, { problems }) => sum + problems.length, 0)
    return known >= maxProblems ? [] : serviceProblemsOf(raw, caller, intake)
  }

  return {
    mails,
    refusals,
    staged: () => staged,
    fingerprint: (): Buffer => {
      const sum = createHash('sha256')
      for (const digest of digests) sum.update(digest)
      return sum.digest()
    },
    /** Refuses an entry that is not an object. */
    refuseValue: (number: number, value: unknown): void => {
      digests[number] = fingerprint(value)
      refuse(number, invalid({ path: '', code: 'wrong_type', message: noMessage }))
    },
    /** Parses and checks a message. @throws Fault `malformed_request` */
    add: async ({ number, bytes }: MessageBytes): Promise<void> => {
      if (number >= maxBatchMessages) return
      if (mails.length > 0 && bytesOfMails + bytes.length > waitingBytes) await stage()
      const isLong = bytes.length > shortBodyBytes
      if (!isLong) await paceShort(bytes.length)
      const raw = await parsed(slices, { number, bytes })
      digests[number] = isLong ? await slices.run(fingerprintSteps(raw)) : fingerprint(raw)
      const checked = await slices.run(checkBody(sendEmail, raw, config, isLong), isLong)
      if (!checked.ok) {
        const more = await serviceProblems(checked.raw)
        refuse(number, bodyRefusal([...checked.problems, ...more]))
        return
      }
      mails.push({ number, mail: toMail(checked.body as SendEmail) })
      bytesOfMails += bytes.length
    },
  }
}

const parsed = async (slices: Slices, { number, bytes }: MessageBytes): Promise<unknown> => {
  try {
    return bytes.length > shortBodyBytes ? await slices.run(parseInSteps(bytes, names)) : parseJson(bytes)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    const path = `messages[${number}]`
    throw new Fault(thrown.code, `${path}: ${thrown.message}`, {
      problems: thrown.problems.map((problem) => ({ ...problem, path })),
    })
  }
}
