import { setTimeout as pause } from 'node:timers/promises'

/**
 * Calls `look` again and again until it returns something other than undefined.
 * @param what is in the error that is thrown after `deadlineMs`
 * @param everyMs longer where a look costs much CPU, such as a request to a process that is starting
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
