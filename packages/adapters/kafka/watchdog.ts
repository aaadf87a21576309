import type { Consumer } from 'kafkajs'

export type WatchdogOptions = {
  consumer: Pick<Consumer, 'on' | 'events'>
  /** Whether Kafka is there at all. */
  answers(): Promise<boolean>
  onSilent(): void
  /** Milliseconds without a sign of life. */
  silentMs?: number
  /** A clock that nobody sets, in milliseconds. */
  now?: () => number
}

/**
 * Watches a consumer that can get stuck without an error: it says so when there was no fetch, heartbeat or joining for
 * a minute although Kafka answers. While Kafka is away silence is no fault of ours; and a process that stood still itself
 * heard nothing meanwhile, so it listens anew.
 */
export const watchdog = ({
  consumer,
  answers,
  onSilent,
  silentMs = 60_000,
  now = performance.now.bind(performance),
}: WatchdogOptions): Disposable => {
  let heardAt = now()
  let lookedAt = heardAt
  let asking = false
  const alive = (): void => {
    heardAt = now()
  }
  const { FETCH, HEARTBEAT, GROUP_JOIN } = consumer.events
  const unsubscribe = [consumer.on(FETCH, alive), consumer.on(HEARTBEAT, alive), consumer.on(GROUP_JOIN, alive)]
  const look = async (): Promise<void> => {
    const at = now()
    const stoodStill = at - lookedAt > silentMs / 2
    lookedAt = at
    if (stoodStill) alive()
    if (asking || at - heardAt < silentMs) return
    asking = true
    const silentSince = heardAt
    const there = await answers()
    asking = false
    if (heardAt !== silentSince) return
    if (there) onSilent()
    else alive()
  }
  const timer = setInterval(() => void look(), silentMs / 12)
  timer.unref()
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
      for (const off of unsubscribe) off()
    },
  }
}
