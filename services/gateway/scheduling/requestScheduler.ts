import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { recentCounts } from './recentCounts.ts'

/** Milliseconds of one event loop iteration that an owner may use for several requests while others are active. */
const iterationMs = 2

/** Owners whose first request of an iteration begins immediately. */
const maxOwners = 32

/**
 * Decides in which event loop iteration the work of a request begins. Requests that arrive in one iteration would otherwise
 * all run in it, so that the requests of one owner delay those of others by the work of all of them.
 */
export type RequestScheduler = {
  /**
   * Returns null if a request of this owner may go on immediately, else a promise that resolves when it may. While only one owner
   * is active, none waits. Otherwise the first request of an owner in an iteration continues, and further ones until
   * `iterationMs` have passed; the rest continues in later iterations, round-robin across the owners.
   */
  schedule(owner: string): Promise<void> | null
}

const anyOwner = (): boolean => true

/** @param elapsed monotonic time in milliseconds */
export const requestScheduler = (elapsed: () => number): RequestScheduler => {
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
