import assert from 'node:assert/strict'
import { overviewSearch, periodBefore, periodOf, rangeNames } from './range.ts'

const now = Date.parse('2026-11-23T10:20:30Z')
const shown = ({ from, to, bucket }: ReturnType<typeof periodOf>) =>
  `${new Date(from).toISOString()} ${new Date(to).toISOString()} ${bucket}`

describe('range of the overview', () => {
  it('has whole buckets, the present one included', () => {
    assert.equal(shown(periodOf('24h', now)), '2026-11-22T11:00:00.000Z 2026-11-23T11:00:00.000Z hour')
    assert.equal(shown(periodOf('7d', now)), '2026-11-17T00:00:00.000Z 2026-11-24T00:00:00.000Z day')
  })

  it('adjoins the period before, which has the same length', () => {
    for (const name of rangeNames) {
      const period = periodOf(name, now)
      const before = periodBefore(period)
      assert.equal(before.to, period.from)
      assert.equal(before.to - before.from, period.to - period.from)
    }
  })

  it('is read from the URL, without unknown values', () => {
    assert.deepEqual(overviewSearch({ range: '30d', compare: true, view: 'table' }), {
      range: '30d',
      compare: true,
      view: 'table',
    })
    assert.deepEqual(overviewSearch({ range: '2y', compare: 'yes', view: 3, other: 1 }), {})
  })
})
