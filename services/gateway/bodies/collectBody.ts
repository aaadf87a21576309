import { Fault } from '@postrider/kit/fault.ts'
import type { Context } from '../deps.ts'
import { type BodyMemory, lateFault, noRoomFault, type Room, slowFault } from './bodyRoom.ts'
import { gatherParts } from './gatherParts.ts'
import { shortBodyBytes } from './memory.ts'
import { chunkCounter, hasTooManyChunks, shortChunkBytes } from './shortChunks.ts'

/*
 * How the body of a request arrives. This file reads a whole body; steps/readBatch.ts reads a batch in messages.
 *
 *   memory      memory has the budgets; bodyRoom is the part of one request, and the rate at which its client must send
 *   arrival     bodyArrival and batchArrival follow what has arrived, and end a body for others that wait for memory
 *   parts       partList joins short ones, gatherParts joins those of a long body; messageSplitter finds the messages
 *               of a batch
 *   bounds      shortChunks counts chunks of a few bytes; unreadBodies drops the rest of a body after its response
 */

/**
 * Number of bytes of a body that is too large that are read and dropped, so that a client that is still sending gets
 * the response.
 */
export const drainedBytes = 32 * 2 ** 20

/** How long the rest of a body is read and dropped that was ended for others. */
const lingerMs = 2_000

/** Shortest time until it is checked again whether a body is late that waited for this process. */
const recheckMs = 100

/**
 * Bytes of long bodies that are read in an iteration. Without a bound, each connection would bring up to 2 MiB in every
 * one.
 */
const bytesPerIteration = 131_072

/**
 * Number of parts after which memory is reserved for several parts together, and the bytes that are reserved. Most
 * bodies have few parts.
 */
const [fewParts, reservedTogether] = [16, 4_096]

export type CollectBodyOptions = {
  maxBytes: number
  memory: Pick<BodyMemory, 'clock' | 'maxMs' | 'chunks'>
  room: Room
  /** Returns a promise of the turn in which more of a long body is read. Absent: it is read as it arrives. */
  turn?: (() => Promise<void>) | undefined
}

/**
 * Returns the whole body. It is read on only when what arrived has its share of the memory. A body that is refused is
 * dropped as it arrives and answered at its end: most clients read the response only after they sent everything.
 * @throws Fault `too_large`, `malformed_request`, `request_timeout`, `unavailable`
 */
export const collectBody = async (context: Context, options: CollectBodyOptions): Promise<Buffer> => {
  const { req: request } = context
  const {
    room,
    turn,
    maxBytes,
    memory: { chunks },
  } = options
  // Its client left during the authentication: no event would come.
  if (request.destroyed) throw abortedFault()
  const announced = Number(request.headers['content-length'] ?? 0)
  const body = gatherParts(announced)
  using end = bodyEnd(context, options, body)
  if (announced > maxBytes) end.refuse(tooLargeFault(maxBytes))
  if (announced > maxBytes + drainedBytes) end.close()
  let [size, parts, readNow, reserved, arrived] = [0, 0, 0, 0, 0]

  const pauseFor = (wait: Promise<unknown>): void => {
    request.pause()
    end.waitFor(wait)
    void wait.then(() => end.isAnswered() || request.resume())
  }
  /** Reads on in a later iteration, round-robin with the other long work. */
  const pace = (bytes: number): void => {
    readNow += bytes
    if (turn === undefined || size <= shortBodyBytes || readNow < bytesPerIteration) return
    readNow = 0
    room.pause()
    pauseFor(turn().then(room.resume))
  }
  const reserve = (bytes: number): void => {
    arrived += bytes
    // Chunks of a byte would cost more here than in the parser.
    if (size <= reserved) {
      pace(bytes)
      return
    }
    reserved = parts > fewParts ? Math.max(size, Math.min(size + reservedTogether, maxBytes)) : size
    const granted = room.reserve(arrived, reserved)
    arrived = 0
    if (granted === null) pace(bytes)
    else pauseFor(granted.then((isGranted) => isGranted || end.refuse(noRoomFault(size > shortBodyBytes))))
  }
  const isOverAll = chunkCounter(chunks, context.state.clientAddress)
  request.on('data', (chunk: Buffer) => {
    const { length } = chunk
    if (end.isAnswered()) return
    size += length
    parts += 1
    if (isOverAll(parts, size)) end.closeAs(tooManyShortChunksFault())
    if (hasTooManyChunks(parts, size)) end.closeAs(tooManyChunksFault())
    else if (size > maxBytes + drainedBytes) end.closeAs(tooLargeFault(maxBytes))
    else if (size > maxBytes && !end.isRefused()) end.refuse(tooLargeFault(maxBytes))
    if (end.isRefused()) return
    body.add(chunk)
    reserve(length)
  })
  await end.reached
  return body.join(turn)
}

/**
 * How the reading of a body ends. `reached` resolves when it is complete, and rejects when its refusal can be answered.
 */
const bodyEnd = (
  { req: request, res: response }: Context,
  { room, memory: { clock, maxMs } }: CollectBodyOptions,
  body: Pick<ReturnType<typeof gatherParts>, 'size' | 'drop'>,
) => {
  const { promise: reached, resolve, reject } = Promise.withResolvers<void>()
  const timers = new DisposableStack()
  let refusal: Fault | null = null
  let [hasArrived, isComplete, isAnswered] = [false, false, false]
  let waiting: Promise<unknown> | null = null
  const refuse = (fault: Fault): void => {
    if (isComplete) return
    refusal ??= fault
    body.drop()
    // Immediately, not when the promise settles: no share may be granted to a request that is over.
    room[Symbol.dispose]()
  }
  /** The rest of a body may arrive, and its connection may end, after the response: no header can be set then. */
  const respond = (): void => {
    if (isAnswered) return
    isAnswered = true
    if (refusal?.code === 'too_large') response.setHeader('Connection', 'close')
    reject(refusal)
  }
  const close = (): void => {
    if (isAnswered) return
    response.setHeader('Connection', 'close')
    // The response may wait behind those to earlier requests, and nothing bounds what arrives until it is sent
    // (unreadBodies.ts).
    request.pause()
    respond()
  }
  const abort = (): void => {
    refuse(abortedFault())
    respond()
  }
  const closeAs = (fault: Fault): void => {
    refuse(fault)
    close()
  }
  room.onEnd((reason) => {
    if (reason === 'slow') return closeAs(slowFault())
    refuse(noRoomFault(false))
    timers.use(clock.after(lingerMs, close))
  })
  // What has arrived may still wait for memory, which has a limit of its own.
  const limit = maxMs === undefined ? null : arrivalLimit(clock, maxMs, () => hasArrived || closeAs(lateFault(maxMs)))
  if (limit) timers.use(limit)
  const finish = (): void => {
    if (refusal !== null) {
      respond()
      return
    }
    isComplete = true
    room.complete(body.size())
    resolve()
  }
  request.on('end', () => {
    hasArrived = true
    if (waiting === null) finish()
    else void waiting.then(finish)
  })
  request.on('error', abort)
  request.on('close', () => request.complete || abort())
  return {
    reached,
    refuse,
    close,
    closeAs,
    isRefused: () => refusal !== null,
    isAnswered: () => isAnswered,
    /** Makes the end wait too: a body whose last bytes arrived together ends although it is paused. */
    waitFor: (wait: Promise<unknown>): void => {
      waiting = wait
      limit?.pauseFor(wait)
    },
    [Symbol.dispose]: () => timers.dispose(),
  }
}

/** Calls back when a body has had `maxMs` to arrive. The time in which it waits for this process does not count. */
const arrivalLimit = ({ elapsed, after }: BodyMemory['clock'], maxMs: number, onLate: () => void) => {
  const since = elapsed()
  let pausedMs = 0
  let pausedAt: number | null = null
  const check = (): void => {
    const leftMs = maxMs - ((pausedAt ?? elapsed()) - since - pausedMs)
    if (leftMs > 0) timer = after(Math.max(leftMs, recheckMs), check)
    else onLate()
  }
  let timer = after(maxMs, check)
  return {
    pauseFor: (wait: Promise<unknown>): void => {
      pausedAt ??= elapsed()
      const resume = (): void => {
        if (pausedAt !== null) pausedMs += elapsed() - pausedAt
        pausedAt = null
      }
      wait.then(resume, resume)
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  }
}

export const tooLargeFault = (maxBytes: number, what = 'The body'): Fault =>
  new Fault('too_large', `${what} is over this request’s limit of ${sizeText(maxBytes)}; send a smaller one.`)

/** Returns the refusal of a body in too many short chunks. */
export const tooManyChunksFault = (): Fault => {
  const detail = `The body has too many short chunks; send chunks of ${shortChunkBytes} bytes or more.`
  return new Fault('malformed_request', detail)
}

/** Returns the refusal of a body of a client address that sent many such bodies. */
export const tooManyShortChunksFault = (): Fault => {
  const detail = `This client address sent too many short chunks; send chunks of ${shortChunkBytes} bytes or more, or retry in 2 s.`
  return new Fault('rate_limited', detail, { retryAfterMs: 2_000 })
}

const sizeText = (bytes: number): string => {
  if (bytes >= 2 ** 20) return `${bytes / 2 ** 20} MiB`
  return bytes >= 1_024 ? `${bytes / 1_024} KiB` : `${bytes} bytes`
}

export const abortedFault = (): Fault =>
  new Fault('malformed_request', 'The request ended before its body was complete.')
