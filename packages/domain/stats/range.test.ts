import assert from 'node:assert/strict'
import { type RequestedRange, rangeOf } from './range.ts'

const now = Date.parse('2026-11-23T10:20:30Z')
const at = (text: string): number => Date.parse(text)
const shown = (requested: RequestedRange) => {
  const found = rangeOf(requested, now)
  if ('problems' in found) return found.problems.map(({ path, code }) => `${path} ${code}`)
  const { from, to, bucket } = found.range
  return [new Date(from).toISOString(), new Date(to).toISOString(), bucket]
}

describe('range of statistics', () => {
  const rows: readonly [string, RequestedRange, string[]][] = [
    ['is the last 24 hours by default', {}, ['2026-11-22T10:00:00.000Z', '2026-11-23T11:00:00.000Z', 'hour']],
    [
      'is rounded outward to whole buckets',
      { from: at('2026-11-20T10:59:00Z'), to: at('2026-11-20T12:00:00.001Z') },
      ['2026-11-20T10:00:00.000Z', '2026-11-20T13:00:00.000Z', 'hour'],
    ],
    [
      'stays as it is if it has whole buckets',
      { from: at('2026-11-20T00:00:00Z'), to: at('2026-11-22T00:00:00Z'), bucket: 'day' },
      ['2026-11-20T00:00:00.000Z', '2026-11-22T00:00:00.000Z', 'day'],
    ],
    [
      'has days if it is longer than a week',
      { from: at('2026-11-10T00:00:00Z') },
      ['2026-11-10T00:00:00.000Z', '2026-11-24T00:00:00.000Z', 'day'],
    ],
    [
      'may begin in the future',
      { from: at('2026-12-10T00:00:00Z') },
      ['2026-12-10T00:00:00.000Z', '2026-12-10T01:00:00.000Z', 'hour'],
    ],
    ['must not end before it begins', { from: now, to: now - 1 }, ['to invalid_range']],
    ['must not be empty', { from: now, to: now }, ['to invalid_range']],
    ['has at least an hour', { from: now - 3_599_999, to: now }, ['to invalid_range']],
    ['has at most 90 days', { from: now - 90 * 86_400_000 - 1, to: now }, ['from invalid_range']],
    [
      'has at most 7 days of hours',
      { from: now - 7 * 86_400_000 - 1, to: now, bucket: 'hour' },
      ['bucket invalid_range'],
    ],
    ['does not begin before what is stored', { to: now - 100 * 86_400_000 }, ['from too_old']],
    [
      'names all problems',
      { from: now - 500 * 86_400_000, to: now - 501 * 86_400_000 },
      ['to invalid_range', 'from too_old'],
    ],
  ]
  for (const [name, requested, expected] of rows)
    it(name, () => {
      assert.deepEqual(shown(requested), expected)
    })

  it('can compare 90 days with the 90 days before', () => {
    assert.equal(shown({ from: now - 180 * 86_400_000, to: now - 90 * 86_400_000 })[2], 'day')
  })
})
