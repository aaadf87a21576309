import type { Clock } from '@postrider/kit/clock.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import { type WakeTimer, wakeTimer } from '@postrider/kit/wakeTimer.ts'

/** Finds due mail that no hint announces: scheduled mail, retries, and mail whose worker died. */
export type DuePoller = AsyncDisposable & {
  /** Polls soon, because the store has mail that this worker has not read. */
  pollSoon(): void
}

export type DuePollerOptions = {
  /** Returns when the store's next email is due; null when none waits. */
  nextDue(): Promise<number | null>
  /** Is set to the time of the next due email. */
  dueTimer: Pick<WakeTimer, 'scheduleAt'>
  now: Clock
  random: () => number
  /** Called before each poll. */
  onPoll(): void
  onError(reason: unknown): void
}

/** Average time between polls: a worker that received a hint may have died since. */
const pollEveryMs = 3_000
const pollSoonMs = 200
/** Mail that became due less long ago has a hint under way, probably to another worker. */
const hintUnderWayMs = 300
/** Every worker of the lane reads the same due time in advance; they spread their polls over this time. */
const spreadMs = 100

export const duePoller = ({ nextDue, dueTimer, now, random, onPoll, onError }: DuePollerOptions): DuePoller => {
  let isClosed = false
  /** Schedules a poll after 3/4 to 5/4 of the delay, so that workers do not poll together. */
  const pollAfter = (ms: number): void => pollTimer.scheduleAt(now() + ms * (0.75 + 0.5 * random()))

  const poll = async (): Promise<void> => {
    onPoll()
    try {
      const at = await nextDue()
      if (at !== null && !isClosed) dueTimer.scheduleAt(at > now() ? at + random() * spreadMs : at + hintUnderWayMs)
    } catch (thrown) {
      onError(thrown)
    } finally {
      if (!isClosed) pollAfter(pollEveryMs)
    }
  }

  const polling = singleFlight(poll)
  const pollTimer = wakeTimer(now, () => void polling.run())
  pollTimer.scheduleAt(now() + pollSoonMs)
  return {
    pollSoon: () => pollAfter(pollSoonMs),
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      pollTimer.cancel()
      await polling.inFlight()
    },
  }
}
