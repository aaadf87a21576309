import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import type { Clock } from '@postrider/kit/clock.ts'
import { bare } from '@postrider/kit/grpc/outcome.ts'
import { portions } from '@postrider/kit/grpc/serveGathered.ts'
import { gatherMethod, type WireReplies } from '@postrider/kit/grpc/wireMessages.ts'
import type { Answer, Ask, Call } from './ask.ts'
import { failed, metadataOf } from './unary.ts'

/** A larger message gains nothing by company, in bytes. */
const largestGathered = 64 * 1024

/** How much longer than its calls a batch may take: they end by themselves. */
const graceMs = 1_000

type Waiting = Call & { settle(answer: Answer): void; settled: boolean }

type Deps = { client: Client; authorization: string; alone: Ask; now: Clock }

/** The calls of one event-loop turn travel together, to one replica; whatever is alone in its turn goes by itself. */
export const askGathered = ({ client, authorization, alone, now }: Deps): Ask => {
  const sendBatch = batchSender({ client, authorization, now })
  let waiting: Waiting[] = []

  const send = (): void => {
    const turn = waiting
    waiting = []
    for (const batch of portions(turn)) {
      const [only] = batch
      if (only && batch.length === 1) void alone(only).then(only.settle)
      else sendBatch(batch)
    }
  }

  return (call) => {
    if (call.message.length > largestGathered) return alone(call)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const one: Waiting = {
      ...call,
      settled: false,
      settle: (answer) => {
        one.settled = true
        resolve(answer)
      },
    }
    if (waiting.push(one) === 1) setImmediate(send)
    return promise
  }
}

const batchSender = ({ client, authorization, now }: Omit<Deps, 'alone'>) => {
  const { path, request, reply } = gatherMethod()
  const metadata = metadataOf(authorization)

  return (batch: readonly Waiting[]): void => {
    const at = now()
    const calls = batch.map(({ path, message, deadlineAt, headers }) => ({
      path,
      message,
      timeout_ms: deadlineAt - at,
      headers,
    }))
    const deadline = Math.max(...batch.map(({ deadlineAt }) => deadlineAt)) + graceMs
    const stream = client.makeServerStreamRequest(path, request.encode, reply.decode, { calls }, metadata, { deadline })
    const end = endInTime(batch, { now, onAll: () => stream.cancel() })
    stream.on('data', ({ replies }: WireReplies) => {
      for (const { number, code, body } of replies) batch[number]?.settle({ code, body, told: '' })
    })
    stream.on('error', (error) => end(failed(error as ServiceError)))
    stream.on('end', () => end({ ...bare(status.INTERNAL), told: 'the batch ended without this reply' }))
  }
}

/** Ends each call of a batch at its own deadline. @returns what ends those still open, at once */
const endInTime = (batch: readonly Waiting[], { now, onAll }: { now: Clock; onAll(): void }) => {
  const late: Answer = { ...bare(status.DEADLINE_EXCEEDED), told: 'no answer in time' }
  const endOpen = (answer: Answer, isOver: (call: Waiting) => boolean): void => {
    for (const call of batch) if (!call.settled && isOver(call)) call.settle(answer)
  }
  const wait = (): NodeJS.Timeout => {
    const open = batch.filter(({ settled }) => !settled)
    return setTimeout(look, Math.max(Math.min(...open.map(({ deadlineAt }) => deadlineAt)) - now(), 1))
  }
  // Whoever stood still looks first for what has come meanwhile.
  const look = (): void =>
    void setImmediate(() => {
      const at = now()
      endOpen(late, ({ deadlineAt }) => deadlineAt <= at)
      if (batch.every(({ settled }) => settled)) onAll()
      else timer = wait()
    })
  let timer = wait()
  return (answer: Answer): void => {
    clearTimeout(timer)
    endOpen(answer, () => true)
  }
}
