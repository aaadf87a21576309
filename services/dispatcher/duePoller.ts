import type { Clock } from '@postrider/kit/clock.ts'
import { every, spread } from '@postrider/kit/every.ts'
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
  const soonMs = spread(pollSoonMs, random)

  const poll = async (): Promise<void> => {
    onPoll()
    const at = await nextDue()
    if (at !== null && !isClosed) dueTimer.scheduleAt(at > now() ? at + random() * spreadMs : at + hintUnderWayMs)
  }

  const { run } = singleFlight(poll)
  const polling = every(run, { delayMs: spread(pollEveryMs, random), onError })
  let soon: Promise<void> | null = null
  const soonTimer = wakeTimer(now, () => {
    soon = run().catch(onError)
  })
  const pollSoon = (): void => soonTimer.scheduleAt(now() + soonMs())
  pollSoon()
  return {
    pollSoon,
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      soonTimer.cancel()
      await Promise.all([polling[Symbol.asyncDispose](), soon])
    },
  }
}
