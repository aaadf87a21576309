import { setTimeout as pause } from 'node:timers/promises'

/** Much longer than anything takes on a busy machine: the deadline only ends a test that hangs. */
export const hangMs = 120_000

/**
 * Returns the interval of checks: a tenth of the time waited so far, at least `minMs` and at most 100 ms. A request
 * every 15 ms would take a sixth of a core from the process that the test waits for.
 */
export const seldom =
  (minMs = 15) =>
  (waitedMs: number): number =>
    Math.min(Math.max(minMs, waitedMs / 10), 100)

/**
 * Polls `check` until it returns a value other than undefined. Throws after `deadlineMs`.
 * @param what the condition, for the text of the error; a function: with what was found last
 * @param every milliseconds between checks, or a function of the time waited
 */
export const until = async <T>(
  what: string | (() => string),
  check: () => Promise<T | undefined> | T | undefined,
  deadlineMs = hangMs,
  every: number | ((waitedMs: number) => number) = seldom(),
): Promise<T> => {
  const startedAt = performance.now()
  for (;;) {
    const found = await check()
    if (found !== undefined) return found
    const waitedMs = performance.now() - startedAt
    if (waitedMs > deadlineMs)
      throw new Error(`not within ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`)
    await pause(typeof every === 'number' ? every : every(waitedMs))
  }
}
