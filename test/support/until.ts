import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again until there is an answer.
 * @param look returns undefined while it isn't so yet
 * @param deadlineMs after which it is an error, told with `what`
 */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  deadlineMs = 10_000,
): Promise<T> => {
  const end = performance.now() + deadlineMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await pause(15)
  }
}
