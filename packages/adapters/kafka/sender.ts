import { setTimeout as pause, setImmediate as turnEnds } from 'node:timers/promises'
import type { Log } from '@postrider/kit/log.ts'
import { detached } from '@postrider/kit/trace.ts'
import type { ICustomPartitioner, Kafka, Message, Producer } from 'kafkajs'
import type { Ended } from './traced.ts'
import { troubleTeller } from './trouble.ts'

export type Sender = AsyncDisposable & {
  /** Sends it soon, in one batch with whatever else is put meanwhile; never throws. @param ended told what became of it */
  put(topic: string, message: Message, ended?: Ended): void
  /** Waits until all that was put is sent or dropped. */
  flushed(): Promise<void>
}

export type SenderOptions = {
  client: Kafka
  /** Makes sure of what is sent to; before the first batch, and again after each failure. */
  prepare(): Promise<void>
  onOutcome(topic: string, outcome: 'sent' | 'dropped', count: number): void
  log: Log
}

type Outgoing = { topic: string; message: Message; ended: Ended | undefined }

/** Messages that may wait, about 300 bytes each; what comes beyond is dropped. */
const mostWaiting = 20_000
/** Messages of one request: what the client does for them grows faster than their number. */
const mostAtOnce = 1_000
/** Between the starts of two batches: each costs as much CPU as a hundred messages in it, and who rings seldom never waits. */
const gapMs = 20
const againMs = 1_000
const closingMs = 2_000

/** Spreads keys evenly: FNV-1a. The client's own hash (murmur2 on BigInts) costs more than all the rest of a message. */
const byKey: ICustomPartitioner =
  () =>
  ({ message, partitionMetadata }) => {
    const key = String(message.key ?? '')
    let hash = 0x811c9dc5
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
    return (hash >>> 0) % partitionMetadata.length
  }

const inTopics = (outgoing: readonly Outgoing[]) =>
  [...Map.groupBy(outgoing, ({ topic }) => topic)].map(([topic, group]) => ({
    topic,
    messages: group.map(({ message }) => message),
  }))

/**
 * Sends to Kafka without anybody waiting for it: what is put in one turn of the event loop, or while a batch is under
 * way, leaves as one batch. One batch is under way at a time, at most fifty a second. A producer that fails is made anew, its batch is dropped.
 */
export const kafkaSender = ({ client, prepare, onOutcome, log }: SenderOptions): Sender => {
  const stopping = new AbortController()
  const waiting: Outgoing[] = []
  let producer: Producer | null = null
  let sending: Promise<void> | null = null
  const trouble = troubleTeller(log, {}, 'Kafka takes no rings; the sweeper finds the mail', 'Kafka takes rings again')

  const settle = (outcome: 'sent' | 'dropped', batch: readonly Outgoing[]): void => {
    for (const { topic, messages } of inTopics(batch)) onOutcome(topic, outcome, messages.length)
    for (const { ended } of batch) ended?.(outcome)
  }
  const close = async (): Promise<void> => {
    const closing = producer
    producer = null
    await closing?.disconnect().catch(trouble.tell)
  }
  const open = async (): Promise<Producer> => {
    await prepare()
    producer = client.producer({ createPartitioner: byKey, allowAutoTopicCreation: false, retry: { retries: 1 } })
    await producer.connect()
    return producer
  }
  const send = async (): Promise<void> => {
    const ready = producer ?? (await open())
    const batch = waiting.splice(0, mostAtOnce)
    try {
      await ready.sendBatch({ topicMessages: inTopics(batch), acks: 1 })
      settle('sent', batch)
    } catch (thrown) {
      settle('dropped', batch)
      throw thrown
    }
    trouble.over()
  }
  const rest = (ms: number): Promise<void> => pause(Math.max(ms, 0), undefined, stopping).catch(() => {})
  const sendAll = async (): Promise<void> => {
    await turnEnds()
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const next = performance.now() + gapMs
      try {
        await send()
        await rest(next - performance.now())
      } catch (thrown) {
        trouble.tell(thrown)
        await close()
        await rest(againMs)
      }
    }
    sending = null
  }

  return {
    put: (topic, message, ended) => {
      const outgoing = { topic, message, ended }
      if (waiting.length >= mostWaiting || stopping.signal.aborted) {
        settle('dropped', [outgoing])
        return
      }
      waiting.push(outgoing)
      sending ??= detached(sendAll)
    },
    flushed: async () => {
      while (sending) await sending
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.race([sending, pause(closingMs, undefined, { ref: false })])
      stopping.abort()
      settle('dropped', waiting.splice(0))
      await sending
      await close()
    },
  }
}
