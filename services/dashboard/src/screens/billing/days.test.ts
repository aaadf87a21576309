import assert from 'node:assert/strict'
import { daysCsv, daysOf, sumOf } from './days.ts'

const usage = {
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  history: [
    { date: '2026-11-01', sends: 12 },
    { date: '2026-11-03', sends: 1_004 },
  ],
}
const now = Date.UTC(2026, 10, 4, 1)

describe('days of the month', () => {
  it('are all shown: with 0 where nothing was sent, and without a number where they have not begun', () => {
    const days = daysOf(usage, now)
    assert.equal(days.length, 30)
    assert.deepEqual(
      days.slice(0, 5).map(({ sends, total }) => [sends, total]),
      [
        [12, 12],
        [0, 12],
        [1_004, 1_016],
        [0, 1_016],
        [null, null],
      ],
    )
    assert.equal(sumOf(days), 1_016)
  })

  it('have the sends of a day that has begun for the service only', () => {
    const days = daysOf({ ...usage, history: [{ date: '2026-11-05', sends: 3 }] }, now)
    assert.equal(days[4]?.sends, 3)
  })

  it('are written as CSV up to the present day', () => {
    assert.equal(
      daysCsv(daysOf(usage, now)),
      'date,sends\r\n2026-11-01,12\r\n2026-11-02,0\r\n2026-11-03,1004\r\n2026-11-04,0\r\n',
    )
  })
})
