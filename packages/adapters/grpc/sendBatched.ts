import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import { atIterationEnd } from '@postrider/kit/batcher.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { gatherMethod, type ReplyBatch, splitBatch } from '@postrider/kit/grpc/callBatches.ts'
import { statusOnly } from '@postrider/kit/grpc/outcome.ts'
import { type Call, type CallResponse, metadataOf, responseOf, type SendCall } from './call.ts'

/** How much later than its last call a batch is canceled; each call ends at its own deadline. */
const graceMs = 1_000

type OpenCall = Call & { settle(response: CallResponse): void; settled: boolean }

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
      if (only && batch.length === 1) void sendAlone(only).then(only.settle)
      else sendBatch(batch)
    }
  })

  return (call) => {
    // A long call gains nothing from a batch, and a long message waits for memory by itself.
    if (call.isLong || call.signal) return sendAlone(call)
    const { promise, resolve } = Promise.withResolvers<CallResponse>()
    const open: OpenCall = {
      ...call,
      settled: false,
      settle: (response) => {
        open.settled = true
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
    const settleOpen = settleAtDeadlines(batch, { now, onAllSettled: () => stream.cancel() })
    stream.on('data', ({ replies }: ReplyBatch) => {
      for (const { number, code, body } of replies) batch[number]?.settle({ code, body, statusDetails: '' })
    })
    stream.on('error', (error) => settleOpen(responseOf(error as ServiceError)))
    stream.on('end', () =>
      settleOpen({ ...statusOnly(status.INTERNAL), statusDetails: 'the batch ended without this reply' }),
    )
  }
}

/** Settles each call of a batch at its own deadline. @returns settles immediately the calls that are still open */
const settleAtDeadlines = (
  batch: readonly OpenCall[],
  { now, onAllSettled }: { now: Clock; onAllSettled(): void },
): ((response: CallResponse) => void) => {
  const late: CallResponse = {
    ...statusOnly(status.DEADLINE_EXCEEDED),
    statusDetails: 'no response before the deadline',
  }
  const settleWhere = (response: CallResponse, isOver: (call: OpenCall) => boolean): void => {
    for (const call of batch) if (!call.settled && isOver(call)) call.settle(response)
  }
  const waitForNext = (): NodeJS.Timeout => {
    const open = batch.filter(({ settled }) => !settled)
    return setTimeout(check, Math.max(Math.min(...open.map(({ deadlineAt }) => deadlineAt)) - now(), 1))
  }
  // After a pause of the whole process, replies that have arrived in the meantime are read first.
  const check = (): void =>
    void setImmediate(() => {
      const at = now()
      settleWhere(late, ({ deadlineAt }) => deadlineAt <= at)
      if (batch.every(({ settled }) => settled)) onAllSettled()
      else timer = waitForNext()
    })
  let timer = waitForNext()
  return (response) => {
    clearTimeout(timer)
    settleWhere(response, () => true)
  }
}
