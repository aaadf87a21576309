import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js'
import { atIterationEnd } from '../batcher.ts'
import type { Clock } from '../clock.ts'
import { callersOf } from './admit.ts'
import type { HandleCall } from './callHandler.ts'
import { methodsOf } from './definition.ts'

/*
 * Batches of calls: the calls that a client makes in one event loop iteration are one request to Wire.Gather
 * (protos/postrider/wire/v1/wire.proto), because a separate HTTP/2 stream costs more CPU than most calls. Each call has
 * its own deadline and its own reply. The client's side is adapters/grpc/sendBatched.ts.
 */

export type BatchedCall = { path: string; message: Buffer; timeout_ms: number; headers: Record<string, string> }
export type CallBatch = { calls: BatchedCall[] }
export type BatchedReply = { number: number; code: number; body: Buffer }
export type ReplyBatch = { replies: BatchedReply[] }

type GatherMethod = {
  path: string
  request: { encode(calls: CallBatch): Buffer; decode(bytes: Buffer): CallBatch }
  reply: { encode(replies: ReplyBatch): Buffer; decode(bytes: Buffer): ReplyBatch }
}

export const gatherMethod = (): GatherMethod => {
  const [gather] = methodsOf({ proto: 'postrider/wire/v1/wire.proto', name: 'postrider.wire.v1.Wire' })
  return gather as unknown as GatherMethod
}

/** Maximum number of bytes of one batch; a larger message is sent alone. */
const batchBytes = 2 ** 20

/** Upper bound of what a batch adds to a message, in bytes. */
export const framingBytes = 64 * 1024

/** Splits a list into batches of at most `batchBytes`; a larger item is a batch by itself. */
export const splitBatch = <Item extends Pick<BatchedReply, 'body'> | Pick<BatchedCall, 'message'>>(
  items: readonly Item[],
): Item[][] => {
  const batches: Item[][] = []
  let room = 0
  for (const item of items) {
    const size = 'body' in item ? item.body.length : item.message.length
    room -= size
    const last = batches.at(-1)
    if (last && room >= 0) last.push(item)
    else {
      batches.push([item])
      room = batchBytes - size
    }
  }
  return batches
}

/** Serves Wire.Gather: handles the calls of a batch concurrently and streams each reply as soon as it is ready. */
export const serveBatches =
  ({ handle, now }: { handle: HandleCall; now: Clock }): handleServerStreamingCall<CallBatch, ReplyBatch> =>
  (stream) => {
    const { calls } = stream.request
    const callers = callersOf(stream.metadata)
    const receivedAt = now()
    const reply = replyWriter(stream, calls.length)
    for (const [number, { path, message, timeout_ms, headers }] of calls.entries()) {
      const handled = handle({ path, message, deadlineAt: receivedAt + timeout_ms, callers, headers })
      void handled.then((outcome) => reply({ number, ...outcome }))
    }
  }

/** Writes the replies of one event loop iteration together. */
const replyWriter = (stream: ServerWritableStream<CallBatch, ReplyBatch>, expected: number) => {
  let open = expected
  let ready: BatchedReply[] = []
  const writeSoon = atIterationEnd(() => {
    for (const replies of splitBatch(ready)) stream.write({ replies })
    ready = []
    if (open === 0) stream.end()
  })
  if (open === 0) stream.end()
  return (reply: BatchedReply): void => {
    open--
    ready.push(reply)
    writeSoon()
  }
}
