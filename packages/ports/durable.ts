/**
 * The barrier between what was written and what may leave the process.
 * A write is seen by the next call at once; an answer, or the final dot, waits here first.
 */
export type Durable = {
  /** Resolves when everything written so far is on disk; at once where each write is durable by itself.
   * @throws Fault `unavailable`: it could not be kept, and none of it is there */
  settled(): Promise<void>
}
