import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'

/**
 * Says that mail of a lane is due: a hint, never the truth. Losing every ring costs delay, not mail; a ring for mail
 * that isn't there, or isn't due, or is held, costs one look.
 */
export type Doorbell = {
  /** Tells one of the listeners; no `due`: something of the lane is, look for it. */
  ring(lane: Lane, due: readonly Due[]): void
  /** @returns stops listening */
  listen(lane: Lane, heard: (due: readonly Due[]) => void): () => void
}
