/**
 * The barrier between a write and what leaves the process because of it.
 *
 * A store may collect the writes of several callers in one commit (SQLite: one commit and one fsync for all writes of
 * an event loop iteration). A write is visible to the next call immediately, but durable only after the commit. So a
 * caller waits for `synced` before anything leaves the process: a response, a final dot, a due notification. A
 * store whose writes are durable when they return (MongoDB with `w: majority, j: true`) has nothing to wait for.
 */
export type Durable = {
  /** Resolves when everything written so far is on disk.
   * @throws Fault `unavailable`: the commit failed and none of its writes exist */
  synced(): Promise<void>
}

/**
 * A failed commit removes writes that other calls have already read. A unit is a piece of work, such as an HTTP
 * request, that must not continue on such reads.
 */
export type Units = {
  /**
   * Runs a unit. If any commit fails while it runs, its later writes and its `synced` throw `unavailable`. Work that
   * it starts and does not await is outside of it once it has returned. A loop that never ends must not be a unit.
   * @param isNew within another unit: begins a new one, for work that is repeated because a commit failed
   */
  unit<T>(work: () => Promise<T>, isNew?: boolean): Promise<T>
}
