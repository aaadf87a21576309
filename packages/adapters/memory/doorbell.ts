import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { Doorbell, DoorbellListeners } from '@postrider/ports/doorbell.ts'
import type { EventHint, EventHints } from '@postrider/ports/eventHints.ts'

type Listener = (due: readonly Due[]) => void

/** A doorbell within one process. Its listeners have run when `ring` returns. */
export const memoryDoorbell = (): Doorbell & DoorbellListeners => {
  const listeners: Record<Lane, Set<Listener>> = { transactional: new Set(), marketing: new Set() }
  return {
    ring: (lane, due) => {
      for (const listener of listeners[lane]) listener(due)
    },
    listen: (lane, onRing) => {
      listeners[lane].add(onRing)
      return () => listeners[lane].delete(onRing)
    },
    listeners: async () => ({ transactional: listeners.transactional.size, marketing: listeners.marketing.size }),
  }
}

/** Hints within one process. Its listeners have run when `ring` returns. */
export const memoryHints = (): EventHints => {
  const listeners = new Set<(hints: readonly EventHint[]) => void>()
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
