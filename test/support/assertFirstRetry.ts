import assert from 'node:assert/strict'
import { minuteMs } from '@postrider/domain/time.ts'
import type { EmailRecord, RecipientRecord } from './records.ts'

/**
 * Asserts that a deferred recipient is retried by the first step of the schedule: 5 min after the attempt ended, 10 %
 * earlier or later. The event has the time of the end, so the duration of the attempt does not matter.
 */
export const assertFirstRetry = ({ events = [] }: EmailRecord, recipient: RecipientRecord | undefined): void => {
  const deferred = events.filter(({ type }) => type === 'email.deferred')
  assert.equal(deferred.length, 1)
  const delayMs = Date.parse(recipient?.next_at ?? '') - Date.parse(deferred[0]?.timestamp ?? '')
  assert.ok(delayMs >= 4.5 * minuteMs && delayMs <= 5.5 * minuteMs, `${delayMs} ms`)
}
