/**
 * The barrier between a write and what leaves the process because of it. The next call sees a write at once; an HTTP
 * response or a final dot waits here first.
 */
export type Durable = {
  /** Resolves when everything written so far is on disk; at once in a store whose writes are durable by themselves.
   * @throws Fault `unavailable` when it could not be stored; none of it exists then */
  settled(): Promise<void>
}

/** Groups writes that span several commits. */
export type Units = {
  /**
   * Runs a unit of work, such as a request. After a commit fails during the unit, its further writes and its `settled`
   * fail with `unavailable`, so nothing builds on writes that are lost. Endless work, such as a loop, is no unit.
   */
  unit<T>(work: () => Promise<T>): Promise<T>
}
