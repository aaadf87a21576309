import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { recentCounts } from './recentCounts.ts'

/** Milliseconds of one turn of the event loop in which several requests of an owner begin, while others are active. */
const turnMs = 2

/** Owners whose first request of a turn begins immediately. */
const maxOwners = 32

/**
 * Decides in which turn of the event loop the work of a request begins. Requests that arrive in one turn would otherwise all
 * run in it, so that the requests of one owner delay those of others by the work of all of them.
 */
export type FairTurns = {
  /**
   * Returns null if a request of this owner may go on immediately, else a promise that resolves when it may. While only one owner
   * is active, none waits. Otherwise the first request of an owner in a turn continues, and further ones until `turnMs` have
   * passed; the rest continues in later turns, in turn among the owners.
   */
  enter(owner: string): Promise<void> | null
}

const anyOwner = (): boolean => true

/** @param elapsed monotonic time in milliseconds */
export const fairTurns = (elapsed: () => number): FairTurns => {
  const active = recentCounts(elapsed)
  const waiting = fairQueue<() => void>()
  /** Owners of requests that went on in this turn. */
  const begun = new Set<string>()
  let isOpen = false
  let since = 0

  const open = (): void => {
    isOpen = true
    since = elapsed()
    begun.clear()
  }

  const startNext = (): void => {
    if (waiting.size() > 0 && elapsed() - since > turnMs) {
      setImmediate(nextTurn)
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

  const nextTurn = (): void => {
    open()
    startNext()
  }

  const mayBegin = (owner: string): boolean => {
    if (waiting.sizeOf(owner) > 0) return false
    return begun.has(owner) ? elapsed() - since <= turnMs : begun.size < maxOwners
  }

  return {
    enter: (owner) => {
      active.add(owner)
      if (waiting.size() === 0 && !active.hasSeveral()) return null
      if (!isOpen) {
        open()
        setImmediate(nextTurn)
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
