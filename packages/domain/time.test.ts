import assert from 'node:assert/strict'
import { dayMs, durationText, hourMs, minuteMs } from './time.ts'

describe('text of a duration', () => {
  for (const [ms, text] of [
    [7 * dayMs, '7 days'],
    [dayMs, '24 hours'],
    [36 * hourMs, '36 hours'],
    [hourMs, '1 hour'],
    [30 * minuteMs, '30 minutes'],
    [minuteMs, '1 minute'],
  ] as const)
    it(`is ${text} for ${ms} ms`, () => assert.equal(durationText(ms), text))
})
