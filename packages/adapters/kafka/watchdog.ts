import type { Monotonic } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'
import type { Consumer } from 'kafkajs'

type Sign = 'FETCH' | 'HEARTBEAT' | 'GROUP_JOIN'

export type WatchdogOptions = {
  consumer: Pick<Consumer, 'on' | 'events'>
  /** Events that are a sign of life. */
  signs?: readonly Sign[]
  /** Returns whether Kafka responds; never throws. */
  isReachable(): Promise<boolean>
  onSilent(): void
  /** Milliseconds without a sign of life. */
  silentMs?: number
  /** A monotonic clock in milliseconds. */
  elapsed?: Monotonic
}

/**
 * Detects a consumer that is stuck without an error: it calls `onSilent` when there was no sign of life for a minute
 * although Kafka responds. The silence of an unavailable Kafka does not count, nor the time in which this process was
 * paused.
 */
export const watchdog = ({
  consumer,
  signs = ['FETCH', 'HEARTBEAT', 'GROUP_JOIN'],
  isReachable,
  onSilent,
  silentMs = 60_000,
  elapsed = performance.now.bind(performance),
}: WatchdogOptions): Disposable => {
  let aliveAt = elapsed()
  let checkedAt = aliveAt
  let stopped = false
  const markAlive = (): void => {
    aliveAt = elapsed()
  }
  const unsubscribe = signs.map((sign) => consumer.on(consumer.events[sign], markAlive))

  const wasPausedUntil = (at: number): boolean => {
    const paused = at - checkedAt > silentMs / 2
    checkedAt = at
    return paused
  }
  const check = async (): Promise<void> => {
    const at = elapsed()
    if (wasPausedUntil(at)) markAlive()
    if (at - aliveAt < silentMs) return
    const silentSince = aliveAt
    const isKafkaReachable = await isReachable()
    const wasPaused = wasPausedUntil(elapsed())
    if (aliveAt !== silentSince || stopped) return
    if (isKafkaReachable && !wasPaused) onSilent()
    else markAlive()
  }
  const checking = every(check, { delayMs: () => silentMs / 12, onError: () => {} })
  return {
    [Symbol.dispose]: () => {
      stopped = true
      // A check that waits for Kafka must not delay the end of the consumer.
      void checking[Symbol.asyncDispose]()
      for (const off of unsubscribe) off()
    },
  }
}
