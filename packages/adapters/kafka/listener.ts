import { every } from '@postrider/kit/every.ts'
import { outageLog } from '@postrider/kit/failureLog.ts'
import { backoffMs, backoffs } from '@postrider/kit/retry.ts'
import { type BatchHandlerOptions, batchHandler } from './batchHandler.ts'
import { type ConsumerOptions, runConsumer } from './consumer.ts'

export type ListenerOptions = BatchHandlerOptions &
  Pick<ConsumerOptions, 'topic' | 'client' | 'onFatal' | 'isReachable'> & {
    /** Ensures the topic; called before each consumer. */
    prepare(): Promise<void>
    onLag(records: number): void
    onRestart(): void
  }

/**
 * Listener of a channel. Once disposing has begun, no record is passed on; leaving the group takes up to a second, and
 * longer while the group rebalances.
 */
export type Listener = AsyncDisposable & {
  /** It has joined its group and has its partitions. */
  listening(): boolean
  /** Waits until it listens or is closed. */
  ready(): Promise<void>
}

/** Sums the lag over the partitions of a listener. @param onLag receives the sum, in records */
const lagSum = (onLag: (records: number) => void) => {
  let lags = new Map<number, number>()
  const report = (): void => onLag(lags.values().reduce((sum, records) => sum + records, 0))
  return {
    set: (partition: number, records: number): void => {
      lags.set(partition, records)
      report()
    },
    /** Drops the partitions that other listeners have now. */
    assigned: (partitions: readonly number[]): void => {
      lags = new Map(partitions.map((partition) => [partition, lags.get(partition) ?? 0]))
      report()
    },
  }
}

/** Listens to one channel as a member of its group until it is closed. A consumer that failed is replaced. */
export const kafkaListener = (options: ListenerOptions): Listener => {
  const { channel, log, prepare, onRestart } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
  const failed = 'not listening to kafka, retrying'
  const outage = outageLog(log, { fields: { lane: channel }, failed, recovered: 'listening to kafka again' })
  const lag = lagSum(options.onLag)
  const handle = batchHandler(options, () => signal.aborted)
  let isFirst = true
  let listening = false
  let joined = Promise.withResolvers<void>()

  const consumer: ConsumerOptions = {
    ...options,
    eachBatch: async (payload) => {
      lag.set(payload.batch.partition, Number(payload.batch.offsetLag()))
      await handle(payload)
    },
    onJoin: (partitions) => {
      // It joins only to leave.
      if (signal.aborted) return
      lag.assigned(partitions)
      listening = true
      joined.resolve()
      log.info({ lane: channel, partitions: partitions.length }, 'listening to kafka')
      outage.recovered()
    },
    onRebalance: () => log.info({ lane: channel }, 'kafka group rebalances'),
  }

  const listenOnce = async (): Promise<void> => {
    if (!isFirst) onRestart()
    isFirst = false
    try {
      // While Kafka does not respond, kafkajs needs half a minute to give up.
      await Promise.race([prepare(), stopped])
      if (!signal.aborted) await runConsumer(consumer, stopped)
    } finally {
      lag.assigned([])
      if (listening) joined = Promise.withResolvers()
      listening = false
    }
  }

  const consumers = every(listenOnce, {
    delayMs: () => backoffMs(backoffs.reconnect, 1, Math.random),
    startNow: true,
    onError: outage.failed,
  })
  return {
    listening: () => listening,
    ready: () => joined.promise,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await consumers[Symbol.asyncDispose]()
      joined.resolve()
    },
  }
}
