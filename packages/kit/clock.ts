/** Returns the time in milliseconds since the epoch. Injected where time decides something. */
export type Clock = () => number

/**
 * Returns milliseconds since some moment of this process. It never goes back, even if the wall clock is set, so it
 * measures durations.
 */
export type Monotonic = () => number
