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
  const units = new AsyncLocalStorage<{ began: number }>()
  const listeners = new Set<() => void>()
  let count = 0
  return {
    unit: (work) => (units.getStore() === undefined ? units.run({ began: count }, work) : work()),
    inUnit: () => (units.getStore()?.began ?? count) !== count,
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
