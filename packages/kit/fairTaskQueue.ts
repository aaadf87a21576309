import { type KnownOrigin, knownTurns } from '@postrider/domain/fairness/knownTurns.ts'
import type { Monotonic } from './clock.ts'

/**
 * Runs tasks, a few at a time. Waiting tasks start in the order of `knownTurns`: round-robin across groups, and within
 * a group across owners. So a flood delays the task of another group by one task for each group that waits. Tasks of
 * known origins and others start alternately.
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
  const waiting = knownTurns<Waiter>()
  let running = 0

  const freeSlot = (origin: KnownOrigin): boolean => {
    const dropped = waiting.dropNewest(origin)
    dropped?.drop()
    return dropped !== undefined
  }

  const enter = (origin: KnownOrigin): Promise<void> => {
    if (running < maxRunning) {
      running += 1
      return Promise.resolve()
    }
    const isOverOwn = waiting.sizeOf(origin) >= maxWaitingPerOwner
    if (isOverOwn || (waiting.size() >= maxWaiting && !freeSlot(origin))) return Promise.reject(onFull())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(origin, { since: elapsed(), start: resolve, drop: () => reject(onFull()) })
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
