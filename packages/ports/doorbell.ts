export type Lane = 'transactional' | 'marketing'

/** An email that is due, as far as a hint tells: never anything of what is in it. */
export type Due = {
  id: string
  workspace: string
  /** Trace of the request that sent it (W3C Trace Context §3.2); absent: it isn't traced. */
  traceparent?: string
}

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
