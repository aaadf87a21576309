import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'

type Heard = (due: readonly Due[]) => void

/** The doorbell of one process: whoever listens hears it before `ring` returns. */
export const memoryDoorbell = (): Doorbell => {
  const listeners: Record<Lane, Set<Heard>> = { transactional: new Set(), marketing: new Set() }
  return {
    ring: (lane, due) => {
      for (const heard of listeners[lane]) heard(due)
    },
    listen: (lane, heard) => {
      listeners[lane].add(heard)
      return () => listeners[lane].delete(heard)
    },
  }
}
