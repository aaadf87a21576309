/** How fast a client must send or read while others wait for the memory that it uses. */
export const minBytesPerSecond = 16 * 1_024

/** How far a client may be behind, in milliseconds. */
const graceMs = 5_000

/** Returns the time after which a client counts as slow if it has sent nothing more. */
export const firstDueAt = (now: number): number => now + graceMs

/**
 * Returns this time after a client sent or read `bytes`. Bytes above the minimum rate give no credit for longer than the grace, so a
 * client that stops is slow soon.
 */
export const dueAfter = (dueAt: number, bytes: number, now: number): number =>
  Math.min(Math.max(dueAt, now) + (bytes * 1_000) / minBytesPerSecond, now + graceMs)
