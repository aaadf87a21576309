import type { Lane } from '@postrider/domain/email/email.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { KafkaMessage } from 'kafkajs'
import { type KafkaAddress, kafkaClient } from './client.ts'
import { kafkaListener, type Listener } from './listener.ts'
import { emailRing, laneRing, parkedRecord } from './message.ts'
import type { KafkaMetrics } from './metrics.ts'
import { kafkaSender } from './sender.ts'
import { ensureTopics, lanes, topicNames } from './topics.ts'
import { sending } from './traced.ts'

export type KafkaDoorbellOptions = KafkaAddress & {
  /** Of topics and groups: keeps the installations of one Kafka apart. */
  prefix?: string
  /** Listeners of one group share the rings; each group hears all of them. */
  group?: string
  /** Of each lane's topic: the most listeners that share it. */
  partitions?: number
  replicationFactor?: number
  /** Told what can't be mended in place: the process is to end and start anew. */
  onFatal(reason: Error): void
  metrics: KafkaMetrics
  log: Log
}

export type KafkaDoorbell = Doorbell &
  AsyncDisposable & {
    /** Waits until all that was rung is with Kafka, or dropped; as long as Kafka is away. */
    flushed(): Promise<void>
    /** Waits until every lane listened to is shared out; at once where none is. */
    ready(): Promise<void>
    /** Whether every lane listened to is shared out just now. */
    listening(): boolean
  }

/**
 * The doorbell over Kafka. Opens nothing by itself: the first ring makes a producer, each `listen` a consumer, and each
 * of them waits in the background for a Kafka that is away. Closing it leaves the groups and sends what was rung.
 */
export const kafkaDoorbell = (options: KafkaDoorbellOptions): KafkaDoorbell => {
  const { prefix = '', group = 'postrider.dispatcher', partitions = 12, replicationFactor = 1 } = options
  const { metrics, log, onFatal } = options
  const topics = topicNames(prefix)
  const client = kafkaClient(options)
  const prepare = () => ensureTopics(client, topics, { partitions, replicationFactor })
  const answers = () =>
    prepare().then(
      () => true,
      () => false,
    )
  const listeners = new Set<Listener>()
  const leaving = new Set<Promise<void>>()

  const laneOf = (topic: string): Lane | undefined => lanes.find((lane) => topics.due[lane] === topic)
  const sender = kafkaSender({
    client,
    prepare,
    onOutcome: (topic, outcome, count) => {
      const lane = laneOf(topic)
      if (lane) metrics.kafkaRings.inc({ lane, outcome }, count)
    },
    log,
  })
  const park = (record: KafkaMessage, from: { topic: string; partition: number }, reason: string): void => {
    const { topic, partition } = from
    metrics.kafkaParked.inc()
    log.error({ topic, partition, offset: record.offset, reason }, 'a record on Kafka could not be read; it is parked')
    sender.put(topics.parked, parkedRecord(record, from, reason))
  }
  const leave = (listener: Listener): void => {
    if (!listeners.delete(listener)) return
    const left = Promise.resolve(listener[Symbol.asyncDispose]()).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  return {
    ring: (lane, due) => {
      if (due.length === 0) sender.put(topics.due[lane], laneRing())
      const topic = topics.due[lane]
      for (const one of due) {
        const { due: traced, ended } = sending(topic, one)
        sender.put(topic, emailRing(traced), ended)
      }
    },
    listen: (lane, heard) => {
      // An alert on the first of them needs the 0 before it.
      metrics.kafkaRestarts.inc({ lane }, 0)
      const listener = kafkaListener({
        lane,
        topic: topics.due[lane],
        group: `${prefix}${group}.${lane}`,
        client: kafkaClient(options),
        prepare,
        heard,
        park,
        answers,
        onLag: (records) => metrics.kafkaLag.set({ lane }, records),
        onRestart: () => metrics.kafkaRestarts.inc({ lane }),
        onFatal,
        log,
      })
      listeners.add(listener)
      return () => leave(listener)
    },
    flushed: sender.flushed,
    ready: async () => void (await Promise.all(listeners.values().map((listener) => listener.ready()))),
    listening: () => listeners.values().every((listener) => listener.listening()),
    [Symbol.asyncDispose]: async () => {
      for (const listener of listeners) leave(listener)
      await Promise.all(leaving)
      await sender[Symbol.asyncDispose]()
    },
  }
}
