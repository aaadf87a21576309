export type Lane = 'transactional' | 'marketing'

/** Says that mail of a lane is due: a hint, never the truth. Losing every ring costs delay, not mail. */
export type Doorbell = {
  ring(lane: Lane, emailIds: readonly string[]): void
  /** @returns stops listening */
  listen(lane: Lane, heard: (emailIds: readonly string[]) => void): () => void
}
