import assert from 'node:assert/strict'
import { duration, relativeTime } from './times.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

describe('relative times', () => {
  for (const [ms, text] of [
    [0, 'just now'],
    [-59 * second, 'just now'],
    [9 * second, 'just now'],
    [30 * second, 'in a moment'],
    [-minute, '1 min ago'],
    [-59 * minute, '59 min ago'],
    [-hour, '1 h ago'],
    [2 * hour + minute, 'in 2 h'],
    [-3 * day, '3 d ago'],
  ] as const)
    it(`shows ${ms} ms as ${text}`, () => assert.equal(relativeTime(now + ms, now), text))

  it('shows the date after a week, with the year if it is not the current year', () => {
    assert.doesNotMatch(relativeTime(now - 8 * day, now), /ago|2026/)
    assert.match(relativeTime(now - 400 * day, now), /2025/)
  })
})

describe('durations', () => {
  for (const [ms, text] of [
    [0.4, '< 1 ms'],
    [840, '840 ms'],
    [2_400, '2.4 s'],
    [180_000, '3 min'],
    [185_000, '3 min 5 s'],
  ] as const)
    it(`shows ${ms} ms as ${text}`, () => assert.equal(duration(ms), text))
})
