import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls `look` until it returns a value other than undefined. Throws after `deadlineMs`.
 * @param what the condition, for the text of the error
 * @param everyMs use a longer interval if a look costs much CPU, such as a request to a process that is starting
 */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  deadlineMs = 30_000,
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
