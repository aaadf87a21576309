import { pause } from '@postrider/kit/pause.ts'
import type { FeedEvent } from './arrivals.ts'
import { failureOf } from './failure.ts'
import type { Output } from './output.ts'
import type { Tail } from './tail.ts'

/**
 * Time from the start of a read to the next one, in milliseconds. A read that waited for longer is repeated
 * immediately.
 */
const everyMs = 1_000
/** Codes of failures that pass automatically. */
const passing: ReadonlySet<string> = new Set(['connection', 'unavailable', 'rate_limited', 'internal'])

/**
 * Hands every new event to `use`, until the user ends the command. An unavailable server is retried.
 * @throws a failure that does not pass, such as a revoked key
 */
export const follow = async (
  tail: Tail,
  { output, stopped }: { output: Output; stopped: AbortSignal },
  use: (event: FeedEvent) => Promise<void> | void,
): Promise<void> => {
  let isAway = false
  while (!stopped.aborted) {
    let readAt = performance.now()
    try {
      for (const event of await tail.next()) await use(event)
      if (isAway) output.note('The server responds again.')
      isAway = false
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (stopped.aborted) return
      if (failure === null || !passing.has(failure.code)) throw thrown
      if (!isAway) output.note(`${failure.message} Trying again.`)
      isAway = true
      readAt = performance.now()
    }
    await pause(Math.max(0, readAt + everyMs - performance.now()), { signal: stopped })
  }
}
