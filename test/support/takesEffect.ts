import assert from 'node:assert/strict'
import { until } from './until.ts'

/**
 * Asserts that a change applies to every request that begins `withinMs` after this call or later, and waits for the
 * first such response. The duration of a request does not count, so a busy machine cannot fail the assertion.
 * @param request returns the response if the change applied to it, and undefined otherwise
 */
export const takesEffect = async <T>(
  what: string,
  withinMs: number,
  request: () => Promise<T | undefined>,
): Promise<T> => {
  const changedAt = performance.now()
  return until(what, async () => {
    const beganMs = performance.now() - changedAt
    const response = await request()
    assert.ok(response !== undefined || beganMs <= withinMs, `not after ${beganMs} ms: ${what}`)
    return response
  })
}
