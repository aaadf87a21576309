import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'

/**
 * Signals that mail of a lane is due. A lost due notification delays mail but loses none, and one for mail that does
 * not exist, is not due or is leased costs one query.
 */
export type Doorbell = {
  /** Notifies one of the listeners. An empty `due` means that some mail of the lane is due. */
  ring(lane: Lane, due: readonly Due[]): void
  /** @returns a function that stops listening */
  listen(lane: Lane, onRing: (due: readonly Due[]) => void): () => void
}

/** The listeners of a doorbell. */
export type DoorbellListeners = {
  /** Returns how many listeners each lane has, of all processes. @throws if the number is unknown now */
  listeners(): Promise<Record<Lane, number>>
}
