import type { Due } from '@postrider/domain/email/due.ts'
import { type Lane, lanes } from '@postrider/domain/email/email.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { ProcessParts } from '@postrider/kit/openProcess.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import type { Doorbell, DoorbellListeners } from '@postrider/ports/doorbell.ts'
import type { EventHints } from '@postrider/ports/eventHints.ts'
import type { Kafka, KafkaMessage } from 'kafkajs'
import { addressOf, type KafkaAddress, type KafkaConfig, kafkaClients } from './client.ts'
import { kafkaListener, type Listener } from './listener.ts'
import { type Channel, emailRing, eventsRing, laneRing, parkedRecord, startSendSpan } from './message.ts'
import { type KafkaMetrics, kafkaMetrics } from './metrics.ts'
import { kafkaSender } from './sender.ts'
import { ensureTopics, groupSizes, shapeOf, topicNames } from './topics.ts'

/*
 * The doorbell over Kafka. A lost due notification costs delay, because the sweep finds the mail.
 *
 *   ring:   doorbell.ts -> message.ts (record, span) -> sender.ts (batches, one producer)
 *   listen: listener.ts (replaces failed consumers) -> consumer.ts (one consumer: options, commits, errors)
 *           -> batchHandler.ts (records of a fetch) -> message.ts (reads a record); unreadable records are parked
 *   topics.ts creates topics and counts who listens;
 *   watchdog.ts detects a consumer that is stuck: it is replaced, or the process exits;
 *   client.ts has address, login and logging;
 *   idleTimers.ts patches kafkajs; metrics.ts declares the metrics.
 */

export type KafkaDoorbellOptions = KafkaAddress & {
  /** Prefix of topics and groups; separates the installations that share one Kafka. */
  prefix?: string
  /** The name of this installation; absent: others that use the same topics are not detected. */
  installation?: string | undefined
  /** Listeners of one group share the due notifications; each group receives all of them. */
  group?: string
  /** Listeners of one group share the hints about events. */
  eventsGroup?: string
  /** Partitions of each lane's topic: the maximum number of listeners that share it. */
  partitions?: number
  replicationFactor?: number
  /** Called for an error that only a restart of the process can resolve. */
  onFatal(reason: Error): void
  metrics: KafkaMetrics
  log: Log
}

export type KafkaDoorbell = Doorbell &
  DoorbellListeners &
  AsyncDisposable & {
    /** Hints about new events, over a topic of their own. */
    hints: EventHints
    /** Waits until every notification was sent to Kafka or dropped; as long as Kafka is unavailable. */
    flushed(): Promise<void>
    /** Waits until the partitions of every topic listened to are assigned. */
    ready(): Promise<void>
    /** Returns whether the partitions of every topic listened to are assigned now. */
    listening(): boolean
  }

/**
 * Returns the doorbell over Kafka, without a connection: the first notification opens a producer and each `listen` a
 * consumer, and both wait in the background for an unavailable Kafka. Closing it leaves the groups and sends the
 * remaining notifications.
 */
export const kafkaDoorbell = (options: KafkaDoorbellOptions): KafkaDoorbell => {
  const { prefix = '', partitions = 12, replicationFactor = 1 } = options
  const { group = 'postrider.dispatcher', eventsGroup = 'postrider.webhooks' } = options
  const { metrics, log, installation } = options
  const topics = topicNames(prefix)
  const newClient = kafkaClients(options)
  const client = newClient()
  const prepare = () => ensureTopics(client, topics, { partitions, replicationFactor })

  const groupOf = (lane: Lane): string => `${prefix}${group}.${lane}`
  const channelOf = (topic: string): Channel | undefined =>
    topic === topics.events ? 'events' : lanes.find((lane) => topics.due[lane] === topic)
  const sender = kafkaSender({
    client,
    prepare,
    onOutcome: (topic, outcome, count) => {
      const channel = channelOf(topic)
      if (channel) metrics.kafkaRings.inc({ lane: channel, outcome }, count)
    },
    log,
  })
  const park = (record: KafkaMessage, from: { topic: string; partition: number }, reason: string): void => {
    metrics.kafkaParked.inc()
    log.error({ ...from, offset: record.offset, reason }, 'cannot read kafka record, parked')
    sender.put(topics.parked, parkedRecord(record, from, reason))
  }
  const { listen, leaveAll, ...listeners } = openListeners(options, { newClient, prepare, park })

  return {
    ring: (lane, due) => {
      const topic = topics.due[lane]
      if (due.length === 0) sender.put(topic, laneRing(installation))
      for (const one of due) {
        const { due: traced, onOutcome } = startSendSpan(topic, one)
        sender.put(topic, emailRing(traced), onOutcome)
      }
    },
    listen: (lane, onRing) => listen({ channel: lane, topic: topics.due[lane], group: groupOf(lane) }, onRing),
    listeners: async () => {
      const sizes = await groupSizes(client, lanes.map(groupOf)).catch((thrown: unknown) => {
        log.warn({ reason: String(thrown) }, 'cannot count dispatchers in kafka')
        throw thrown
      })
      const sizeOf = (lane: Lane) => sizes.get(groupOf(lane)) ?? 0
      return { transactional: sizeOf('transactional'), marketing: sizeOf('marketing') }
    },
    hints: {
      ring: (hints) => {
        for (const hint of hints) sender.put(topics.events, eventsRing(hint))
      },
      listen: (onHints) =>
        listen({ channel: 'events', topic: topics.events, group: `${prefix}${eventsGroup}` }, onHints),
    },
    flushed: sender.flushed,
    ...listeners,
    [Symbol.asyncDispose]: async () => {
      await leaveAll()
      await sender[Symbol.asyncDispose]()
    },
  }
}

type Topic = { channel: Channel; topic: string; group: string }
type ListenerParts = Pick<Parameters<typeof kafkaListener>[0], 'prepare' | 'park'> & { newClient: () => Kafka }

/** The listeners of a doorbell: `listen` adds one and returns a function that ends it. */
const openListeners = (options: KafkaDoorbellOptions, { newClient, prepare, park }: ListenerParts) => {
  const { metrics, onFatal, installation, log } = options
  const listeners = new Set<Listener>()
  const leaving = runningWork()
  const isReachable = () =>
    prepare().then(
      () => true,
      () => false,
    )

  const leave = (listener: Listener): void => {
    if (listeners.delete(listener)) leaving.track(Promise.resolve(listener[Symbol.asyncDispose]()))
  }

  return {
    listen: (from: Topic, onRing: (due: readonly Due[]) => void): (() => void) => {
      const lane = from.channel
      // An alert on the first restart needs the 0 before it.
      metrics.kafkaRestarts.inc({ lane }, 0)
      const listener = kafkaListener({
        ...from,
        client: newClient(),
        prepare,
        onRing,
        park,
        isReachable,
        onLag: (records) => metrics.kafkaLag.set({ lane }, records),
        onRestart: () => metrics.kafkaRestarts.inc({ lane }),
        onFatal,
        installation,
        log,
      })
      listeners.add(listener)
      return () => leave(listener)
    },
    ready: async (): Promise<void> => void (await Promise.all(listeners.values().map((listener) => listener.ready()))),
    listening: (): boolean => listeners.values().every((listener) => listener.listening()),
    leaveAll: async (): Promise<void> => {
      for (const listener of listeners) leave(listener)
      await leaving.ended()
    },
  }
}

export type OpenDoorbellOptions = Omit<ProcessParts, 'readiness'> & {
  config: KafkaConfig & { POSTRIDER_INSTALLATION?: string | undefined }
}

/** Opens the doorbell of a process; the process starts without Kafka. */
export const openDoorbell = ({ open, name, config, metrics, log }: OpenDoorbellOptions): KafkaDoorbell =>
  open.use(
    kafkaDoorbell({
      ...addressOf(name, config),
      ...shapeOf(config),
      prefix: config.KAFKA_TOPIC_PREFIX,
      installation: config.POSTRIDER_INSTALLATION,
      onFatal: open.fail,
      metrics: kafkaMetrics(metrics.registry),
      log,
    }),
  )
