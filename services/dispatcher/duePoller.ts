import { type Alarm, alarm } from '@postrider/kit/alarm.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'

/** Finds due mail that no hint announces: scheduled mail, retries, and mail whose worker died. */
export type DuePoller = AsyncDisposable & {
  /** Polls soon, because the store has mail that this worker does not know. */
  pollSoon(): void
}

export type DuePollerOptions = {
  /** Returns when the store's next email is due; null when none waits. */
  nextDue(): Promise<number | null>
  /** Is set to the time of the next due email. */
  dueAlarm: Pick<Alarm, 'scheduleAt'>
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
/** A time that is known in advance is known to every worker of the lane; they spread over this time. */
const spreadMs = 100

export const duePoller = ({ nextDue, dueAlarm, now, random, onPoll, onError }: DuePollerOptions): DuePoller => {
  let isClosed = false
  /** Schedules a poll after 3/4 to 5/4 of the delay, so that workers do not poll together. */
  const pollAfter = (ms: number): void => pollAlarm.scheduleAt(now() + ms * (0.75 + 0.5 * random()))

  const poll = async (): Promise<void> => {
    onPoll()
    try {
      const at = await nextDue()
      if (at !== null && !isClosed) dueAlarm.scheduleAt(at > now() ? at + random() * spreadMs : at + hintUnderWayMs)
    } catch (thrown) {
      onError(thrown)
    } finally {
      if (!isClosed) pollAfter(pollEveryMs)
    }
  }

  const polling = singleFlight(poll)
  const pollAlarm = alarm(now, () => void polling.run())
  pollAlarm.scheduleAt(now() + pollSoonMs)
  return {
    pollSoon: () => pollAfter(pollSoonMs),
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      pollAlarm.cancel()
      await polling.inFlight()
    },
  }
}
