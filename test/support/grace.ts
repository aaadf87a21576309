import assert from 'node:assert/strict'

/** Kubernetes kills a process 30 s after SIGTERM. Each must end 5 s earlier. */
const graceMs = 25_000

/**
 * A stop does far less than a start, so one that takes this many times as long on a busy machine waits for something.
 */
const startsPerStop = 10

/**
 * Asserts that a process stopped within its grace period, or on a busy machine within a multiple of the longest of the
 * starts before and after it: the machine may be busy at any of the three.
 */
export const assertStoppedInTime = (
  { stopMs, startsMs }: { stopMs: number; startsMs: readonly number[] },
  name = 'it',
): void => {
  const limitMs = Math.max(graceMs, startsPerStop * Math.max(...startsMs))
  assert.ok(stopMs < limitMs, `${name} took ${stopMs} ms to stop and ${startsMs.join(' and ')} ms to start`)
}

/** Returns how long `work` takes, in milliseconds. */
export const elapsedMs = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  await work()
  return performance.now() - since
}
