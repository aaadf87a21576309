import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import { atIterationEnd } from '@postrider/kit/batcher.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { gatherMethod, type ReplyBatch, splitBatch } from '@postrider/kit/grpc/callBatches.ts'
import { statusOnly } from '@postrider/kit/grpc/outcome.ts'
import { type Call, type CallResponse, metadataOf, responseOf, type SendCall } from './call.ts'

/** How much later than its last call a batch is canceled; each call ends at its own deadline. */
const graceMs = 1_000

type OpenCall = Call & { end(response: CallResponse): void; hasEnded: boolean }

export type SendBatchedOptions = {
  /** Returns the client for the next batch. */
  client(): Client
  authorization: string | null
  /** Sends a call that is not batched. */
  sendAlone: SendCall
  now: Clock
}

/** Sends the calls of one event loop iteration as one batch, to one replica; a single call is sent alone. */
export const sendBatched = ({ client, authorization, sendAlone, now }: SendBatchedOptions): SendCall => {
  const sendBatch = batchSender({ client, authorization, now })
  let waiting: OpenCall[] = []

  const sendSoon = atIterationEnd(() => {
    const calls = waiting
    waiting = []
    for (const batch of splitBatch(calls)) {
      const [only] = batch
      if (only && batch.length === 1) void sendAlone(only).then(only.end)
      else sendBatch(batch)
    }
  })

  return (call) => {
    // A long call gains nothing from a batch, and a long message waits for memory by itself.
    if (call.isLong || call.signal) return sendAlone(call)
    const { promise, resolve } = Promise.withResolvers<CallResponse>()
    const open: OpenCall = {
      ...call,
      hasEnded: false,
      end: (response) => {
        open.hasEnded = true
        resolve(response)
      },
    }
    waiting.push(open)
    sendSoon()
    return promise
  }
}

const batchSender = ({ client, authorization, now }: Omit<SendBatchedOptions, 'sendAlone'>) => {
  const { path, request, reply } = gatherMethod()
  const metadata = metadataOf(authorization)

  return (batch: readonly OpenCall[]): void => {
    const at = now()
    const calls = batch.map(({ path, message, deadlineAt, headers }) => ({
      path,
      message,
      timeout_ms: deadlineAt - at,
      headers,
    }))
    const deadline = Math.max(...batch.map(({ deadlineAt }) => deadlineAt)) + graceMs
    const stream = client().makeServerStreamRequest(path, request.encode, reply.decode, { calls }, metadata, {
      deadline,
    })
    const endOpen = endAtDeadlines(batch, { now, onAllEnded: () => stream.cancel() })
    stream.on('data', ({ replies }: ReplyBatch) => {
      for (const { number, code, body } of replies) batch[number]?.end({ code, body, statusDetails: '' })
    })
    stream.on('error', (error) => endOpen(responseOf(error as ServiceError)))
    stream.on('end', () =>
      endOpen({ ...statusOnly(status.INTERNAL), statusDetails: 'the batch ended without this reply' }),
    )
  }
}

/** Ends each call of a batch at its own deadline. @returns ends immediately the calls that are still open */
const endAtDeadlines = (
  batch: readonly OpenCall[],
  { now, onAllEnded }: { now: Clock; onAllEnded(): void },
): ((response: CallResponse) => void) => {
  const late: CallResponse = {
    ...statusOnly(status.DEADLINE_EXCEEDED),
    statusDetails: 'no response before the deadline',
  }
  const endWhere = (response: CallResponse, isOver: (call: OpenCall) => boolean): void => {
    for (const call of batch) if (!call.hasEnded && isOver(call)) call.end(response)
  }
  const waitForNext = (): NodeJS.Timeout => {
    const open = batch.filter(({ hasEnded }) => !hasEnded)
    return setTimeout(check, Math.max(Math.min(...open.map(({ deadlineAt }) => deadlineAt)) - now(), 1))
  }
  // After a pause of the whole process, replies that have arrived in the meantime are read first.
  const check = (): void =>
    void setImmediate(() => {
      const at = now()
      endWhere(late, ({ deadlineAt }) => deadlineAt <= at)
      if (batch.every(({ hasEnded }) => hasEnded)) onAllEnded()
      else timer = waitForNext()
    })
  let timer = waitForNext()
  return (response) => {
    clearTimeout(timer)
    endWhere(response, () => true)
  }
}
