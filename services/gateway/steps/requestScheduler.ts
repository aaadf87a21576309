import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'

/** Counts events by name in this second and the last. */
type RecentCounts = {
  isEmpty(): boolean
  of(name: string): number
  /** Whether there is more than one name. */
  hasSeveral(): boolean
  add(name: string, count?: number): void
}

/** @param elapsed monotonic time in milliseconds */
export const recentCounts = (elapsed: Monotonic): RecentCounts => {
  let second = 0
  let [current, last] = [new Map<string, number>(), new Map<string, number>()]
  const forgetOld = (): void => {
    const now = Math.floor(elapsed() / 1_000)
    if (now === second) return
    last = now === second + 1 ? current : new Map()
    current = new Map()
    second = now
  }
  return {
    isEmpty: () => current.size === 0 && last.size === 0,
    of: (name) => {
      forgetOld()
      return (current.get(name) ?? 0) + (last.get(name) ?? 0)
    },
    hasSeveral: () => {
      forgetOld()
      if (current.size > 1 || last.size > 1) return true
      const [now] = current.keys()
      const [before] = last.keys()
      return now !== undefined && before !== undefined && now !== before
    },
    add: (name, count = 1) => {
      forgetOld()
      current.set(name, (current.get(name) ?? 0) + count)
    },
  }
}

/** Milliseconds of one event loop iteration that an owner may use for several requests while others are active. */
const iterationMs = 2

/** Owners whose first request of an iteration begins immediately. */
const maxOwners = 32

/**
 * Decides in which event loop iteration the work of a request begins. Requests that arrive in one iteration would
 * otherwise all run in it, so that the requests of one owner delay those of others by the work of all of them.
 */
export type RequestScheduler = {
  /**
   * Returns null if a request of this owner may go on immediately, else a promise that resolves when it may. While only
   * one owner is active, none waits. Otherwise the first request of an owner in an iteration continues, and further
   * ones until `iterationMs` have passed; the rest continues in later iterations, round-robin across the owners.
   */
  schedule(owner: string): Promise<void> | null
}

const anyOwner = (): boolean => true

/** @param elapsed monotonic time in milliseconds */
export const requestScheduler = (elapsed: Monotonic): RequestScheduler => {
  const active = recentCounts(elapsed)
  const waiting = fairQueue<() => void>()
  /** Owners of requests that went on in this iteration. */
  const begun = new Set<string>()
  let isOpen = false
  let since = 0

  const open = (): void => {
    isOpen = true
    since = elapsed()
    begun.clear()
  }

  const startNext = (): void => {
    if (waiting.size() > 0 && elapsed() - since > iterationMs) {
      setImmediate(nextIteration)
      return
    }
    const next = waiting.next(anyOwner)
    if (next === undefined) {
      isOpen = false
      return
    }
    begun.add(next.owner)
    next.item()
    // After the microtasks of the request, so that its work counts.
    queueMicrotask(() => process.nextTick(startNext))
  }

  const nextIteration = (): void => {
    open()
    startNext()
  }

  const mayBegin = (owner: string): boolean => {
    if (waiting.sizeOf(owner) > 0) return false
    return begun.has(owner) ? elapsed() - since <= iterationMs : begun.size < maxOwners
  }

  return {
    schedule: (owner) => {
      active.add(owner)
      if (waiting.size() === 0 && !active.hasSeveral()) return null
      if (!isOpen) {
        open()
        setImmediate(nextIteration)
      }
      if (mayBegin(owner)) {
        begun.add(owner)
        return null
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(owner, resolve)
      return promise
    },
  }
}
