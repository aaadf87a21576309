import { type ByteBudget, type ByteShare, takeInTime } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { clientPace } from '../bodies/bodyRoom.ts'
import type { Memory } from '../bodies/memory.ts'
import type { Context } from '../deps.ts'
import { disconnection } from './disconnection.ts'
import { longBody, writeInPieces } from './longResponses.ts'

/*
 * A client that does not read its response keeps the response in memory. A long response therefore counts against the
 * same budget as long bodies until it is flushed or its connection is closed, which happens to one that is read too
 * slowly while others wait. What a response may need is reserved before it is read from the store, from the budget of
 * responses that are being made.
 */

/** The memory of a response while it is made. */
export type ResponseMemory = Disposable & {
  /**
   * Counts the memory of a long response body until it is flushed, and writes it in pieces. A short body stays as it
   * is.
   * @throws Fault `unavailable`: the memory was not free in time
   */
  send(): Promise<void>
}

export type ResponseMemoryOptions = {
  memory: Pick<Memory, 'long' | 'responses' | 'waitMs' | 'clock'>
  /** Gives the writes of the pieces of a long body their turns. */
  slices: Pick<Slices, 'step'>
  /** Whose share it is. */
  owner: string
  /** Bytes that the response may have; 0: it is made already. */
  expectedBytes: number
  /** Whether it is made only when there is memory for a response of usual length afterwards. Default: false. */
  isCostly?: boolean
}

/** Bytes that are reserved for a costly response while it is made; a longer one waits for the rest. */
const usualCostlyBytes = 8 * 2 ** 20

/** @throws Fault `unavailable`: the memory was not free in time, or the client has disconnected */
export const takeResponseMemory = async (
  context: Context,
  { memory: { long, responses, waitMs, clock }, slices, owner, expectedBytes, isCostly = false }: ResponseMemoryOptions,
): Promise<ResponseMemory> => {
  const take = async (budget: ByteBudget, bytes: number): Promise<ByteShare | null> => {
    if (bytes === 0) return null
    const taken = await takeInTime(budget, { owner, bytes, waitMs, signal: disconnection(context) })
    if (taken) return taken
    const detail = 'Too many large responses are unread. Read pending responses, or retry in 1 s.'
    throw new Fault('unavailable', detail, { retryAfterMs: 1_000, expected: true })
  }
  // Otherwise clients that request long messages and do not read them would cost the work for each.
  const roomBytes = isCostly ? Math.min(expectedBytes, usualCostlyBytes) : 0
  let room = await take(long, roomBytes)
  const release = (): void => {
    room?.[Symbol.dispose]()
    room = null
  }
  const expected = await take(responses, expectedBytes).catch((thrown: unknown) => {
    release()
    throw thrown
  })
  return {
    send: async () => {
      const body = longBody(context)
      if (!body) return
      const remaining = await take(long, Math.max(0, body.length - (room ? roomBytes : 0)))
      room?.shrinkTo(body.length)
      const shares = [room, remaining].filter((share) => share !== null)
      const pace = clientPace(clock)
      endIfSlow(context, shares, pace)
      writeInPieces(context, body, slices, pace)
      releaseAtEnd(context, shares)
      room = null
    },
    [Symbol.dispose]: () => {
      release()
      expected?.[Symbol.dispose]()
    },
  }
}

/** Closes the connection of a client that reads too slowly while others wait. */
const endIfSlow = (
  { req: { socket } }: Context,
  shares: readonly ByteShare[],
  { spareMs }: Pick<ReturnType<typeof clientPace>, 'spareMs'>,
): void => {
  for (const share of shares) share.setEndable({ spareMs, onlyIfSlow: true, end: () => socket.destroy() })
}

/** A response that waits behind another of its connection has no `close` of its own. */
const releaseAtEnd = ({ res, req: { socket } }: Context, shares: readonly ByteShare[]): void => {
  const release = (): void => {
    for (const share of shares) share[Symbol.dispose]()
  }
  const close = (): void => {
    res.off('close', close)
    socket.off('close', close)
    // Other clients may have left at the same time: their requests end first, so that none of them gets this memory.
    if (res.writableFinished) release()
    else setImmediate(release)
  }
  if (socket.destroyed) close()
  else {
    res.on('close', close)
    socket.on('close', close)
  }
}
