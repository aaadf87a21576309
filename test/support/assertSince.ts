import assert from 'node:assert/strict'

/** The largest difference between the clock of the service and the clock of the tests. */
const clockErrorMs = 120_000

/**
 * Asserts that a time is between `began` and now, both moved by `offsetMs`. Unlike a distance from now, this is true
 * however long the requests since `began` took.
 * @param began `Date.now()` before the request that sets the time
 * @param errorMs the largest difference between the clocks
 */
export const assertSince = (
  time: string | null | undefined,
  began: number,
  offsetMs = 0,
  errorMs = clockErrorMs,
): void => {
  const at = Date.parse(time ?? '') - offsetMs
  const [first, last] = [began - errorMs, Date.now() + errorMs]
  assert.ok(at >= first && at <= last, `${time} is not ${offsetMs} ms after a time between ${first} and ${last}`)
}
