import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@postrider/kit/log.ts'
import type { Due, Lane } from '@postrider/ports/doorbell.ts'
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import { commitSoon } from './commitSoon.ts'
import { lagOf } from './lag.ts'
import { readRing } from './message.ts'
import { troubleTeller } from './trouble.ts'
import { watchdog } from './watchdog.ts'

export type ListenerOptions = {
  lane: Lane
  topic: string
  group: string
  /** Of this listener alone. */
  client: Kafka
  /** Makes sure of the topic; before each attempt to join. */
  prepare(): Promise<void>
  heard(due: readonly Due[]): void
  /** Takes a record that can't be read. */
  park(record: KafkaMessage, from: { topic: string; partition: number }, reason: string): void
  /** Whether Kafka is there at all. */
  answers(): Promise<boolean>
  onLag(records: number): void
  onRestart(): void
  onFatal(reason: Error): void
  log: Log
}

/** From the moment it is closed nothing is heard; leaving the group takes up to a second. */
export type Listener = AsyncDisposable & {
  /** It has joined its group and knows its partitions. */
  listening(): boolean
  /** Waits until it listens, or is stopped. */
  ready(): Promise<void>
}

const againMs = 1_000
/** How long a listener that has died keeps its partitions: the sweeper rings for their mail meanwhile. */
const sessionMs = 10_000
const heartbeatMs = 1_000
/** How long the others wait for one that doesn't come to a rebalance. None of ours is ever kept long from it. */
const rebalanceMs = 10_000
/** A fetch that finds nothing waits this long at the broker; what is rung meanwhile answers it at once. */
const fetchWaitMs = 500
/** Between two fetches that find something: each costs as much CPU as hundreds of rings in it. */
const fetchGapMs = 40
/** Batches of a fetch that are heard side by side, one of each partition. */
const mostPartitions = 64
/** Records between two heartbeats. */
const atOnce = 100

const consumerOf = ({ client, group }: ListenerOptions, onRetriable: () => void): Consumer =>
  client.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    rebalanceTimeout: rebalanceMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: fetchWaitMs,
    maxBytesPerPartition: 64 * 1_024,
    maxBytes: 512 * 1_024,
    metadataMaxAge: 60_000,
    allowAutoTopicCreation: false,
    // Nobody rings in transactions; a foreign one that is left open must hold up nothing.
    readUncommitted: true,
    // Asked only where the client would start again by itself. It would do so even when stopped meanwhile: we do it.
    retry: {
      restartOnFailure: async () => {
        onRetriable()
        return false
      },
    },
  })

/**
 * Listens to one lane, as one of its group. Nothing is done inside of Kafka's callback but parsing and telling `heard`,
 * so no email holds up the records behind it. A new group begins with the oldest hint, so none is missed between its
 * making and its first commit, nor after a log was wiped.
 */
export const kafkaListener = (options: ListenerOptions): Listener => {
  const { lane, topic, heard, park, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
  const trouble = troubleTeller(log, { lane }, 'not listening; trying again', 'listening again')
  const lag = lagOf(options.onLag)
  /** No fetch before then, on the clock of `performance`. */
  let fetchAt = 0
  let listening = false
  let joined = Promise.withResolvers<void>()

  const tell = (due: readonly Due[]): void => {
    try {
      heard(due)
    } catch (thrown) {
      log.error({ err: thrown, lane }, 'a ring broke its hearer')
    }
  }
  const hear = (records: readonly KafkaMessage[], from: { topic: string; partition: number }): void => {
    const due: Due[] = []
    let look = false
    for (const record of records) {
      const read = readRing(record)
      if ('poison' in read) park(record, from, read.poison)
      else if (read.due === null) look = true
      else due.push(read.due)
    }
    if (look) tell([])
    if (due.length > 0) tell(due)
  }
  const hearBatch = async ({
    batch,
    isRunning,
    isStale,
    resolveOffset,
    heartbeat,
  }: EachBatchPayload): Promise<void> => {
    for (let at = 0; at < batch.messages.length; at += atOnce) {
      const records = batch.messages.slice(at, at + atOnce)
      const last = records.at(-1)
      if (!last || signal.aborted || !isRunning() || isStale()) return
      hear(records, batch)
      resolveOffset(last.offset)
      await heartbeat()
    }
    lag.behind(batch.partition, Number(batch.highWatermark) - 1 - Number(batch.lastOffset()))
    // The first batch of a fetch says when the next may begin, all of them are heard at once and wait for it.
    const now = performance.now()
    if (fetchAt < now) fetchAt = now + fetchGapMs
    await pause(fetchAt - now)
  }

  const onJoin = (partitions: readonly number[]): void => {
    lag.assigned(partitions)
    listening = true
    joined.resolve()
    log.info({ lane, partitions: partitions.length }, 'listening')
    trouble.over()
  }
  const onLost = (): void => {
    lag.assigned([])
    if (listening) joined = Promise.withResolvers()
    listening = false
  }

  /** One consumer from its start to its end. @throws what ended it, unless that was us */
  const live = async (): Promise<void> => {
    let retriable = false
    const consumer = consumerOf(options, () => {
      retriable = true
    })
    const commits = commitSoon()
    const crashed = Promise.withResolvers<Error>()
    const { CRASH, GROUP_JOIN, REBALANCING } = consumer.events
    consumer.on(GROUP_JOIN, ({ payload }) => onJoin(payload.memberAssignment[topic] ?? []))
    consumer.on(REBALANCING, () => log.info({ lane }, 'the group rebalances'))
    consumer.on(CRASH, ({ payload }) => crashed.resolve(payload.error))
    using _watch = watchdog({
      consumer,
      answers: options.answers,
      onSilent: () => options.onFatal(new Error(`Kafka answers, but nothing comes from ${topic} any more`)),
    })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [topic], fromBeginning: true })
      await consumer.run({
        autoCommit: false,
        // For the commits that we ask for: none is too early.
        autoCommitInterval: 0,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: mostPartitions,
        eachBatch: async (payload) => {
          commits.soon(payload.commitOffsetsIfNecessary)
          await hearBatch(payload)
        },
      })
      const error = await Promise.race([crashed.promise, stopped])
      if (error === null) return
      if (!retriable) options.onFatal(new Error(`listening to ${topic} broke`, { cause: error }))
      throw error
    } finally {
      onLost()
      await commits.finish()
      await consumer.disconnect()
    }
  }

  const keepListening = async (): Promise<void> => {
    for (let lives = 0; !signal.aborted; lives++) {
      if (lives > 0) options.onRestart()
      try {
        await options.prepare()
        if (!signal.aborted) await live()
      } catch (thrown) {
        trouble.tell(thrown)
        await pause(againMs, undefined, { signal }).catch(() => {})
      }
    }
    joined.resolve()
  }

  const done = keepListening()
  return {
    listening: () => listening,
    ready: () => joined.promise,
    [Symbol.asyncDispose]: () => {
      stopping.abort()
      return done
    },
  }
}
