import { Readable } from 'node:stream'
import type { Slices } from '@postrider/kit/slices.ts'
import type { clientPace } from '../bodies/bodyRoom.ts'
import { shortBodyBytes } from '../bodies/memory.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { slicesFor } from './scheduleRequests.ts'

/*
 * A long response is written in pieces, so that a client that reads slowly is seen to make progress, and many clients
 * do not occupy an event loop iteration: the kernel copies a piece when it is written, in some 50 µs, and may hold
 * megabytes for a client that reads nothing.
 */

const pieceBytes = 64 * 1_024

/**
 * Returns whether the body of the response is long. A UTF-16 unit has at most three bytes, so most texts need no
 * measuring.
 */
export const isLongResponse = ({ body }: Context): boolean => {
  if (typeof body !== 'string') return Buffer.isBuffer(body) && body.length > shortBodyBytes
  return body.length * 3 > shortBodyBytes && Buffer.byteLength(body) > shortBodyBytes
}

/** Returns the body of a long response; null: it is short. */
export const longBody = (context: Context): Buffer | null => {
  if (!isLongResponse(context)) return null
  return Buffer.isBuffer(context.body) ? context.body : Buffer.from(String(context.body))
}

type Pace = Pick<ReturnType<typeof clientPace>, 'pause' | 'resume' | 'moved'>

async function* piecesOf(body: Buffer, slices: Pick<Slices, 'step'>, pace?: Pace) {
  for (let start = 0; start < body.length; start += pieceBytes) {
    pace?.pause()
    await slices.step()
    pace?.resume()
    yield body.subarray(start, start + pieceBytes)
    pace?.moved(pieceBytes)
  }
}

/**
 * Makes the body of a response be written in pieces.
 * @param pace of the client: a piece counts when it has gone to the client, or to the buffers on the way, and the wait
 * for its turn does not count
 */
export const writeInPieces = (context: Context, body: Buffer, slices: Pick<Slices, 'step'>, pace?: Pace): void => {
  context.body = Readable.from(piecesOf(body, slices, pace), { objectMode: false, highWaterMark: pieceBytes })
  context.length = body.length
}

/** Writes every long response in pieces. Those that use memory are already (steps/responseMemory.ts). */
export const writeLongResponses = (deps: Pick<RouteDeps, 'slices'>): Step =>
  async function writeLongResponses(context, next) {
    await next()
    const body = longBody(context)
    if (body !== null) writeInPieces(context, body, slicesFor(deps, context))
  }
