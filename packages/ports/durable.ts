/**
 * The barrier between what was written and what may leave the process.
 * A write is seen by the next call at once; an answer, or the final dot, waits here first.
 */
export type Durable = {
  /** Resolves when everything written so far is on disk; at once where each write is durable by itself.
   * @throws Fault `unavailable`: it could not be kept, and none of it is there */
  settled(): Promise<void>
}

/** Ties together a piece of work whose writes span several commits. */
export type Units = {
  /**
   * Runs a piece of work, such as a request. Once a commit fails while it runs, its further writes and its `settled` are
   * refused with `unavailable`: so nothing is built on what is gone. Work without an end, such as a loop, is no unit.
   */
  unit<T>(work: () => Promise<T>): Promise<T>
}
