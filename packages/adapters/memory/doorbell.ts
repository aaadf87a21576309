import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { Doorbell, DoorbellListeners } from '@postrider/ports/doorbell.ts'

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
