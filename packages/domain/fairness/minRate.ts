/**
 * Minimum rate at which a client must send or read while others wait for the memory that it uses, and how far it may be
 * behind.
 */
export type MinRate = { bytesPerSecond: number; graceMs: number }

/** Rate of a client whose bytes count as they arrive or are read. */
export const minRate: MinRate = { bytesPerSecond: 16 * 1_024, graceMs: 5_000 }

/**
 * Maximum number of seconds in which a body arrives. The time in which it waits for this process does not count: for
 * memory, or for the turn in which more of it is read.
 */
export const maxBodySeconds = 30

/**
 * Returns whether a body is refused even if no other request waits.
 * @param waitedMs time in which this process waited for the client
 */
export const isBodyLate = (waitedMs: number): boolean => waitedMs >= maxBodySeconds * 1_000

/**
 * Returns the rate of a client that was given room for all of a body. The room is empty until the bytes arrive, so a
 * client that stops is slow before those who wait for it give up.
 */
export const minRateOfBody = (bytes: number): MinRate => ({
  bytesPerSecond: Math.max(minRate.bytesPerSecond, bytes / maxBodySeconds),
  graceMs: 1_000,
})

/** Returns the time after which a client counts as slow if it has sent nothing more. */
export const firstDueAt = (now: number, { graceMs }: MinRate = minRate): number => now + graceMs

/**
 * Returns this time after a client sent or read `bytes`. Bytes above the minimum rate give no credit for longer than
 * the grace, so a client that stops is slow soon.
 */
export const dueAfter = (
  dueAt: number,
  bytes: number,
  now: number,
  { bytesPerSecond, graceMs }: MinRate = minRate,
): number => Math.min(Math.max(dueAt, now) + (bytes * 1_000) / bytesPerSecond, now + graceMs)
