import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import type { Perform } from './perform.ts'
import { gatheredBytes, type WireCall, type WireCalls, type WireReplies, type WireReply } from './wireMessages.ts'

type Stream = ServerWritableStream<WireCalls, WireReplies>

/** Answers calls that came together, each when it is ready: the replies of one event-loop turn travel together too. */
export const serveGathered =
  ({ perform, now }: { perform: Perform; now: Clock }): handleServerStreamingCall<WireCalls, WireReplies> =>
  (stream) => {
    const { calls } = stream.request
    const cameAt = now()
    const replies = replyGatherer(stream, calls.length)
    for (const [number, { path, message, timeout_ms, headers }] of calls.entries()) {
      const done = perform({ path, message, deadlineAt: cameAt + timeout_ms, headers })
      void done.then((outcome) => replies.add({ number, ...outcome }))
    }
  }

const replyGatherer = (stream: Stream, expected: number) => {
  let open = expected
  let ready: WireReply[] = []
  const send = (): void => {
    for (const replies of portions(ready)) stream.write({ replies })
    ready = []
    if (open === 0) stream.end()
  }
  if (open === 0) stream.end()
  return {
    add: (reply: WireReply): void => {
      open--
      if (ready.push(reply) === 1) setImmediate(send)
    },
  }
}

/** Cuts a list so that no part outgrows what may travel together; what is larger by itself goes alone. */
export const portions = <Part extends Pick<WireReply, 'body'> | Pick<WireCall, 'message'>>(
  parts: readonly Part[],
): Part[][] => {
  const cut: Part[][] = []
  let room = 0
  for (const part of parts) {
    const size = 'body' in part ? part.body.length : part.message.length
    room -= size
    const last = cut.at(-1)
    if (last && room >= 0) last.push(part)
    else {
      cut.push([part])
      room = gatheredBytes - size
    }
  }
  return cut
}
