import type { EventHint, EventHints } from '@postrider/ports/eventHints.ts'

type Listener = (hints: readonly EventHint[]) => void

/** Hints within one process. Its listeners have run when `ring` returns. */
export const memoryHints = (): EventHints => {
  const listeners = new Set<Listener>()
  return {
    ring: (hints) => {
      for (const listener of listeners) listener(hints)
    },
    listen: (onHints) => {
      listeners.add(onHints)
      return () => listeners.delete(onHints)
    },
  }
}
