import { type KnownOrigin, knownTurns } from '@postrider/domain/fairness/knownTurns.ts'
import type { Monotonic } from './clock.ts'

/**
 * Runs tasks, a few at a time. Waiting tasks start in the order of `knownTurns`: the group that had least work recently
 * is first, groups that had the same take turns, and so do the owners of a group. So a flood from any number of groups
 * delays the task of another group by the first task of each. Tasks of known origins and others start alternately.
 */
export type FairTaskQueue = {
  /** @returns the task's result. @throws `onFull()`, if no waiting slot is free, or the wait was too long */
  run<T>(origin: KnownOrigin, task: () => Promise<T>): Promise<T>
}

export type FairTaskQueueOptions = {
  maxRunning: number
  maxWaiting: number
  maxWaitingPerOwner: number
  /** A task that waited longer does not start, because its caller no longer waits. Default: no limit */
  maxWaitMs?: number
  /** Monotonic time in milliseconds. */
  elapsed?: Monotonic
  /** Returns the error of a task that may not wait, or that lost its waiting slot. */
  onFull(): Error
}

type Waiter = { since: number; start(): void; drop(): void }

export const fairTaskQueue = ({
  maxRunning,
  maxWaiting,
  maxWaitingPerOwner,
  maxWaitMs = Number.POSITIVE_INFINITY,
  elapsed = () => performance.now(),
  onFull,
}: FairTaskQueueOptions): FairTaskQueue => {
  const waiting = knownTurns<Waiter>(elapsed)
  let running = 0

  const freeSlot = (origin: KnownOrigin): boolean => {
    const dropped = waiting.dropNewest(origin)
    dropped?.drop()
    return dropped !== undefined
  }

  const isRefused = (origin: KnownOrigin): boolean =>
    waiting.sizeOf(origin) >= maxWaitingPerOwner || (waiting.size() >= maxWaiting && !freeSlot(origin))

  const enter = (origin: KnownOrigin): Promise<void> => {
    const isFree = running < maxRunning
    if (!isFree && isRefused(origin)) return Promise.reject(onFull())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(origin, { since: elapsed(), start: resolve, drop: () => reject(onFull()) })
    // While a slot is free, no other task waits. A task that starts immediately is work of its group, too.
    if (isFree) {
      running += 1
      waiting.next()?.start()
    }
    return promise
  }

  const leave = (): void => {
    const latest = elapsed() - maxWaitMs
    for (const late of waiting.removeOldest(({ since }) => since < latest)) late.drop()
    const next = waiting.next()
    if (next) next.start()
    else running -= 1
  }

  return {
    run: async (origin, task) => {
      await enter(origin)
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
