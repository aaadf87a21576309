import { setTimeout as pause } from 'node:timers/promises'
import { type ConsumerLife, consumerLife } from './consumerLife.ts'
import { batchHearer, type Hearing } from './hearBatch.ts'
import { lagOf } from './lag.ts'
import { troubleTeller } from './trouble.ts'

export type ListenerOptions = Hearing &
  Pick<ConsumerLife, 'topic' | 'client' | 'onFatal' | 'answers'> & {
    /** Makes sure of the topic; before each attempt to join. */
    prepare(): Promise<void>
    onLag(records: number): void
    onRestart(): void
  }

/** From the moment it is closed nothing is heard; leaving the group takes up to a second. */
export type Listener = AsyncDisposable & {
  /** It has joined its group and knows its partitions. */
  listening(): boolean
  /** Waits until it listens, or is closed. */
  ready(): Promise<void>
}

const againMs = 1_000

/** Listens to one lane, as one of its group, until it is closed. A consumer that broke is followed by a new one. */
export const kafkaListener = (options: ListenerOptions): Listener => {
  const { lane, log, prepare, onRestart } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
  const trouble = troubleTeller(log, { lane }, 'not listening; trying again', 'listening again')
  const lag = lagOf(options.onLag)
  const hearBatch = batchHearer(options, () => signal.aborted)
  let listening = false
  let joined = Promise.withResolvers<void>()

  const life: ConsumerLife = {
    ...options,
    eachBatch: async (payload) => {
      lag.behind(payload.batch.partition, Number(payload.batch.offsetLag()))
      await hearBatch(payload)
    },
    onJoin: (partitions) => {
      lag.assigned(partitions)
      listening = true
      joined.resolve()
      log.info({ lane, partitions: partitions.length }, 'listening')
      trouble.over()
    },
    onRebalance: () => log.info({ lane }, 'the group rebalances'),
  }
  const onLost = (): void => {
    lag.assigned([])
    if (listening) joined = Promise.withResolvers()
    listening = false
  }
  const keepListening = async (): Promise<void> => {
    for (let lives = 0; !signal.aborted; lives++) {
      if (lives > 0) onRestart()
      try {
        await prepare()
        if (!signal.aborted) await consumerLife(life, stopped)
      } catch (thrown) {
        trouble.tell(thrown)
      }
      onLost()
      await pause(againMs, undefined, { signal }).catch(() => {})
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
