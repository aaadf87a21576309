import { setTimeout as pause } from 'node:timers/promises'

/** Much longer than anything takes on a busy machine: the deadline only ends a test that hangs. */
export const hangMs = 120_000

/**
 * Polls `look` until it returns a value other than undefined. Throws after `deadlineMs`.
 * @param what the condition, for the text of the error
 * @param everyMs use a longer interval if a look costs much CPU, such as a request to a process that is starting
 */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  deadlineMs = hangMs,
  everyMs = 15,
): Promise<T> => {
  const end = performance.now() + deadlineMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await pause(everyMs)
  }
}
