import type { Doorbell, Lane } from '@postrider/ports/doorbell.ts'

type Heard = (emailIds: readonly string[]) => void

/** The doorbell of one process: whoever listens hears it before `ring` returns. */
export const memoryDoorbell = (): Doorbell => {
  const listeners: Record<Lane, Set<Heard>> = { transactional: new Set(), marketing: new Set() }
  return {
    ring: (lane, emailIds) => {
      for (const heard of listeners[lane]) heard(emailIds)
    },
    listen: (lane, heard) => {
      listeners[lane].add(heard)
      return () => listeners[lane].delete(heard)
    },
  }
}
