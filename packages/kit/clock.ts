/** Returns the time in milliseconds since the epoch. Injected where time decides something. */
export type Clock = () => number
