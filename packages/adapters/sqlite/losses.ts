import { AsyncLocalStorage } from 'node:async_hooks'
import type { Units } from '@postrider/ports/durable.ts'

/** Counts commits that failed, so that work which began before one builds nothing on what is gone. */
export type Losses = Units & {
  /** Whether something was lost since the running unit of work began; false outside of one. */
  inUnit(): boolean
  add(): void
  /** @returns stops telling */
  onLost(listener: () => void): () => void
}

export const countLosses = (): Losses => {
  // What a unit sets going, such as a worker it woke, keeps its context for ever: so a unit has an end.
  const units = new AsyncLocalStorage<{ began: number; ended: boolean }>()
  const listeners = new Set<() => void>()
  let count = 0
  return {
    unit: async (work) => {
      const outer = units.getStore()
      if (outer && !outer.ended) return work()
      const unit = { began: count, ended: false }
      try {
        return await units.run(unit, work)
      } finally {
        unit.ended = true
      }
    },
    inUnit: () => {
      const unit = units.getStore()
      return unit !== undefined && !unit.ended && unit.began !== count
    },
    add: () => {
      count += 1
      for (const listener of listeners) listener()
    },
    onLost: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
