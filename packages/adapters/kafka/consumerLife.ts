import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { commitSoon } from './commitSoon.ts'
import { watchdog } from './watchdog.ts'

export type ConsumerLife = {
  topic: string
  group: string
  /** Of this consumer alone. */
  client: Kafka
  /** Told of each batch; what it throws ends the life. */
  eachBatch(payload: EachBatchPayload): Promise<void>
  /** Told of the partitions that it got, after each rebalance. */
  onJoin(partitions: readonly number[]): void
  onRebalance(): void
  /** Told what can't be mended in place. */
  onFatal(reason: Error): void
  /** Whether Kafka is there at all. */
  answers(): Promise<boolean>
}

/** How long a listener that has died keeps its partitions: the sweeper rings for their mail meanwhile. */
const sessionMs = 10_000
const heartbeatMs = 1_000
/** How long the others wait for one that doesn't come to a rebalance. None of ours is ever kept long from it. */
const rebalanceMs = 10_000
/** A fetch that finds nothing waits this long at the broker; what is rung meanwhile answers it at once. */
const fetchWaitMs = 500
/** Batches of a fetch that are heard side by side, one of each partition. */
const mostPartitions = 64

const consumerOf = ({ client, group }: ConsumerLife, onRetriable: () => void): Consumer =>
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
 * What the client calls final although it passes: a Kafka that has just started knows no coordinator of any group for
 * some seconds, and a wait for a lock of the client's own may take longer than it likes.
 */
const passing = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout', 'KafkaJSTimeout'])

/**
 * One consumer from its start to its end, as one of its group. A new group begins with the oldest record, so none is
 * missed between its making and its first commit, nor after a log was wiped.
 * @param stopped ends it
 * @throws what ended it before
 */
export const consumerLife = async (life: ConsumerLife, stopped: Promise<null>): Promise<void> => {
  const { topic, eachBatch, onJoin, onRebalance, onFatal, answers } = life
  let retriable = false
  const consumer = consumerOf(life, () => {
    retriable = true
  })
  const commits = commitSoon()
  const crashed = Promise.withResolvers<Error>()
  const { CRASH, GROUP_JOIN, REBALANCING } = consumer.events
  consumer.on(GROUP_JOIN, ({ payload }) => onJoin(payload.memberAssignment[topic] ?? []))
  consumer.on(REBALANCING, onRebalance)
  consumer.on(CRASH, ({ payload }) => crashed.resolve(payload.error))
  const onSilent = () => onFatal(new Error(`Kafka answers, but nothing comes from ${topic} any more`))
  using _watch = watchdog({ consumer, answers, onSilent })
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
        await eachBatch(payload)
      },
    })
    const error = await Promise.race([crashed.promise, stopped])
    if (error === null) return
    if (!retriable && !passing.has(error.name)) onFatal(new Error(`listening to ${topic} broke`, { cause: error }))
    throw error
  } finally {
    await commits.finish()
    await consumer.disconnect()
  }
}
