import { withTimeout } from '@postrider/kit/deadline.ts'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { watchdog } from './watchdog.ts'

export type ConsumerOptions = {
  topic: string
  group: string
  /** Used by this consumer only. */
  client: Kafka
  /** Handles a batch; an error ends the consumer. */
  eachBatch(payload: EachBatchPayload): Promise<void>
  /** Called after each rebalance with the partitions of this consumer. */
  onJoin(partitions: readonly number[]): void
  onRebalance(): void
  /** Called for an error that only a restart of the process can resolve. */
  onFatal(reason: Error): void
  /** Returns whether Kafka responds. */
  isReachable(): Promise<boolean>
}

/** How long a dead listener has its partitions; in the meantime the sweep finds their mail. */
const sessionMs = 10_000
const heartbeatMs = 1_000
/** How long a rebalance waits for a member that does not join. */
const rebalanceMs = 10_000
/** A consumer that sends no heartbeat and does not join for this time is replaced. */
const membership = { signs: ['HEARTBEAT', 'GROUP_JOIN'], silentMs: sessionMs + 2 * rebalanceMs } as const
/** How long a fetch without records waits at the broker; a new record ends the wait. */
const fetchWaitMs = 500
/** Batches of one fetch that are handled concurrently, one per partition. */
const maxPartitions = 64

const openConsumer = ({ client, group }: ConsumerOptions, onRetriable: () => void): Consumer =>
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
    // Notifications are not sent in transactions; an open transaction of another client must not block them.
    readUncommitted: true,
    // kafkajs calls this only for errors that it considers retriable. It would also restart a consumer that was stopped
    // in the meantime, so the listener restarts it instead.
    retry: {
      restartOnFailure: async () => {
        onRetriable()
        return false
      },
    },
  })

/**
 * Errors that kafkajs considers final although they pass: Kafka has no group coordinator for some seconds after its
 * start, and kafkajs may wait too long for one of its locks.
 */
const passingErrors = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout', 'KafkaJSTimeout'])

const commitDelayMs = 1_000

/**
 * How long leaving the group may take, in addition to a join that must end before. The brokers count a member that did
 * not leave for `sessionMs`, and each rebalance in this time waits for it, so that a process that starts gets nothing.
 */
const leaveMs = 5_000

/**
 * Commits offsets one second after a batch, in the background: a commit after each batch costs more than the batch. A
 * failed commit is ignored: a notification that is read twice costs one check, and heartbeats detect what is wrong.
 */
const delayedCommits = () => {
  let timer: NodeJS.Timeout | undefined
  let commit = async (): Promise<void> => {}
  const run = async (): Promise<void> => {
    timer = undefined
    await commit().catch(() => {})
  }
  return {
    /** @param commitAll commits every resolved offset */
    schedule: (commitAll: () => Promise<void>): void => {
      commit = commitAll
      timer ??= setTimeout(() => void run(), commitDelayMs)
    },
    /** Runs a scheduled commit now. */
    finish: async (): Promise<void> => {
      if (timer === undefined) return
      clearTimeout(timer)
      await run()
    },
  }
}

/**
 * Runs one consumer as a member of its group. A new group starts at the oldest record, so that nothing is missed
 * between its creation and its first commit, or after the log was deleted.
 * @param stopped ends the consumer
 * @throws the error that ended it earlier
 */
export const runConsumer = async (options: ConsumerOptions, stopped: Promise<null>): Promise<void> => {
  const { topic, eachBatch, onJoin, onRebalance, onFatal, isReachable } = options
  let retriable = false
  const consumer = openConsumer(options, () => {
    retriable = true
  })
  const commits = delayedCommits()
  const crashed = Promise.withResolvers<Error>()
  let isJoining = false
  const { CRASH, GROUP_JOIN, REBALANCING } = consumer.events
  consumer.on(GROUP_JOIN, ({ payload }) => {
    isJoining = false
    onJoin(payload.memberAssignment[topic] ?? [])
  })
  consumer.on(REBALANCING, () => {
    isJoining = true
    onRebalance()
  })
  consumer.on(CRASH, ({ payload }) => {
    isJoining = false
    crashed.resolve(payload.error)
  })
  const onSilent = () => onFatal(new Error(`Kafka responds, but the consumer of ${topic} receives nothing`))
  using _watch = watchdog({ consumer, isReachable, onSilent })
  // kafkajs sends heartbeats by the wall clock: none until a clock that was set back has caught up. It fetches on.
  const onNoHeartbeat = () => {
    retriable = true
    crashed.resolve(new Error(`the consumer of ${topic} sends no heartbeats`))
  }
  using _membership = watchdog({ ...membership, consumer, isReachable, onSilent: onNoHeartbeat })
  let isStopped = false
  void stopped.then(() => {
    isStopped = true
  })
  /** Ends when the consumer has joined or crashed. */
  let running: Promise<void> = Promise.resolve()
  const start = async (): Promise<void> => {
    await consumer.connect()
    if (isStopped) return
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    if (isStopped) return
    isJoining = true
    running = consumer.run({
      autoCommit: false,
      // Lets `commitOffsetsIfNecessary` commit at any time.
      autoCommitInterval: 0,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: maxPartitions,
      eachBatch: async (payload) => {
        commits.schedule(payload.commitOffsetsIfNecessary)
        await eachBatch(payload)
      },
    })
    await running
  }
  try {
    if ((await Promise.race([start(), stopped])) === null) return
    const error = await Promise.race([crashed.promise, stopped])
    if (error === null) return
    if (!retriable && !passingErrors.has(error.name)) {
      onFatal(new Error(`the consumer of ${topic} failed`, { cause: error }))
    }
    throw error
  } finally {
    const leave = async (): Promise<void> => {
      await commits.finish()
      // kafkajs leaves a group only after it has joined. Kafka would count a member whose connection ends before.
      await running.catch(() => {})
      await consumer.disconnect()
    }
    // kafkajs needs up to half a minute to give up on a Kafka that does not respond.
    const leaveInTime = async (): Promise<void> => {
      await withTimeout(leaveMs, leaving)
      if (isJoining) await withTimeout(rebalanceMs, leaving)
    }
    // A consumer that failed leaves before it is replaced.
    const leaving = leave()
    await Promise.race([leaving, stopped.then(leaveInTime)])
  }
}
