import { batcher } from '@postrider/kit/batcher.ts'
import { withTimeout } from '@postrider/kit/deadline.ts'
import { type OutageLog, outageLog } from '@postrider/kit/failureLog.ts'
import type { Log } from '@postrider/kit/log.ts'
import { pause as wait } from '@postrider/kit/pause.ts'
import { backoffMs, backoffs, retry, type Try } from '@postrider/kit/retry.ts'
import { detached } from '@postrider/kit/trace.ts'
import type { ICustomPartitioner, Kafka, Message, Producer } from 'kafkajs'
import { failedWith } from './client.ts'
import type { SendOutcome } from './message.ts'

export type Sender = AsyncDisposable & {
  /**
   * Sends a message soon, in a batch with others; never throws.
   * @param onOutcome called once, when it was sent or dropped
   */
  put(topic: string, message: Message, onOutcome?: (outcome: SendOutcome) => void): void
  /** Waits until every message was sent or dropped. */
  flushed(): Promise<void>
}

export type SenderOptions = {
  client: Kafka
  /** Ensures the topics; called before each connection. */
  prepare(): Promise<void>
  onOutcome(topic: string, outcome: SendOutcome, count: number): void
  log: Log
}

type Outgoing = { topic: string; message: Message; onOutcome: ((outcome: SendOutcome) => void) | undefined }

/** Messages that may wait, about 300 bytes each; further ones are dropped. */
const maxWaiting = 20_000
/** Messages of one request: the cost in kafkajs grows faster than their number. */
const maxInBatch = 1_000
/**
 * Time between the starts of two batches: a batch costs as much CPU as a hundred messages in it. A single message does
 * not wait.
 */
const gapMs = 20
/**
 * How long waiting messages may delay the end of a process, and then what kafkajs has in flight: it needs up to half a
 * minute to give up on a Kafka that does not respond.
 */
const [closingMs, abandonMs] = [2_000, 500]

/** How often a batch is sent again while brokers do not lead its partitions, about 20 s. */
const maxLeaderWaits = 20

/**
 * Returns whether a broker refused a partition that it is to lead: it has just been created or moved, and the broker
 * leads it soon. A partition without any leader fails with another error and is not waited for.
 */
const awaitsLeader = (ended: Try<unknown>): boolean => failedWith(ended, 'NOT_LEADER_FOR_PARTITION')

/** Spreads keys evenly with FNV-1a. kafkajs' own hash, murmur2 on BigInts, costs more than the rest of a message. */
const byKey: ICustomPartitioner =
  () =>
  ({ message, partitionMetadata }) => {
    const key = String(message.key ?? '')
    let hash = 0x811c9dc5
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
    return (hash >>> 0) % partitionMetadata.length
  }

const byTopic = (outgoing: readonly Outgoing[]) =>
  [...Map.groupBy(outgoing, ({ topic }) => topic)].map(([topic, group]) => ({
    topic,
    messages: group.map(({ message }) => message),
  }))

type ConnectionOptions = Pick<SenderOptions, 'client' | 'prepare'> & {
  outage: OutageLog
  stopping: AbortSignal
  pause(ms: number): Promise<void>
}

/** Opens a producer when one is needed, and again after it was closed. */
const producerConnection = ({ client, prepare, outage, stopping, pause }: ConnectionOptions) => {
  let producer: Producer | null = null

  const close = async (): Promise<void> => {
    const closing = producer
    producer = null
    await closing?.disconnect().catch(outage.failed)
  }

  const open = async (): Promise<Producer> => {
    try {
      await prepare()
      producer = client.producer({ createPartitioner: byKey, allowAutoTopicCreation: false, retry: { retries: 1 } })
      await producer.connect()
      return producer
    } catch (thrown) {
      outage.failed(thrown)
      await close()
      throw thrown
    }
  }

  /** @returns null: the sender was closed before Kafka became available */
  const connected = async (): Promise<Producer | null> => {
    if (stopping.aborted) return null
    if (producer) return producer
    const shouldRetry = (ended: object): boolean => 'error' in ended && !stopping.aborted
    return retry(open, {
      backoff: backoffs.reconnect,
      shouldRetry,
      pause: async (ms) => {
        await pause(ms)
        stopping.throwIfAborted()
      },
    }).catch(() => null)
  }

  return { connected, close }
}

/**
 * Sends messages to Kafka in the background. One batch is in flight at a time, at most fifty per second; messages wait
 * while Kafka is unavailable or elects leaders. When sending a batch fails it is dropped and the producer is replaced.
 */
export const kafkaSender = ({ client, prepare, onOutcome, log }: SenderOptions): Sender => {
  const stopping = new AbortController()
  const outage = outageLog(log, {
    failed: 'cannot publish to kafka',
    recovered: 'publishing to kafka again',
  })
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  const pause = (ms: number): Promise<void> => wait(Math.max(ms, 0), stopping)

  const { connected, close } = producerConnection({ client, prepare, outage, stopping: stopping.signal, pause })

  const report = (outcome: SendOutcome, batch: readonly Outgoing[]): void => {
    for (const { topic, messages } of byTopic(batch)) onOutcome(topic, outcome, messages.length)
    for (const outgoing of batch) outgoing.onOutcome?.(outcome)
  }

  const sendBatch = async (batch: readonly Outgoing[]): Promise<void> => {
    const ready = await connected()
    const startedAt = performance.now()
    waiting -= batch.length
    if (ready === null) {
      report('dropped', batch)
      return
    }
    try {
      await retry(() => ready.sendBatch({ topicMessages: byTopic(batch), acks: 1 }), {
        backoff: backoffs.leader,
        shouldRetry: (ended, { failures }) =>
          awaitsLeader(ended) && failures <= maxLeaderWaits && !stopping.signal.aborted,
        pause,
      })
      report('sent', batch)
      outage.recovered()
      await pause(startedAt + gapMs - performance.now())
    } catch (thrown) {
      report('dropped', batch)
      outage.failed(thrown)
      await close()
      await pause(backoffMs(backoffs.reconnect, 1, Math.random))
    }
  }

  const send = batcher<Outgoing, void>({
    max: maxInBatch,
    maxInFlight: 1,
    run: async (batch) => {
      await detached(() => sendBatch(batch))
      return batch.map(() => undefined)
    },
  })

  return {
    put: (topic, message, onOutcome) => {
      const outgoing = { topic, message, onOutcome }
      if (waiting >= maxWaiting || stopping.signal.aborted) {
        report('dropped', [outgoing])
        return
      }
      waiting += 1
      last = send(outgoing)
    },
    flushed: async () => {
      let seen: Promise<void>
      do {
        seen = last
        await seen
      } while (seen !== last)
    },
    [Symbol.asyncDispose]: async () => {
      await withTimeout(closingMs, last)
      stopping.abort()
      await withTimeout(abandonMs, last)
      await withTimeout(abandonMs, close())
    },
  }
}
