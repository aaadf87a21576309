import assert from 'node:assert/strict'
import { type Allowance, newAllowance } from './plans.ts'
import { crossingOf, isReached, markOf, newCrossings, thresholdsAhead, thresholdsOf } from './thresholds.ts'

const at = Date.UTC(2026, 10, 21, 12)

const shown = (change: Partial<Allowance>): string[] =>
  thresholdsOf({ ...newAllowance, ...change }).map(
    ({ period, limit, percent, sends }) => `${period} ${percent} % of ${limit}: ${sends}`,
  )

describe('thresholds of quotas', () => {
  const cases: [change: Partial<Allowance>, expected: string[]][] = [
    [
      {},
      ['monthly 80 % of 3000: 2400', 'monthly 100 % of 3000: 3000', 'daily 80 % of 100: 80', 'daily 100 % of 100: 100'],
    ],
    [{ plan: 'pro' }, ['monthly 80 % of 50000: 40000', 'monthly 100 % of 50000: 50000']],
    [
      { plan: 'pro', spendingCapCents: 500 },
      ['monthly 80 % of 50000: 40000', 'monthly 100 % of 50000: 50000', 'monthly 100 % of 55000: 55000'],
    ],
    // A cap of 0 ends the included sends: there is one end.
    [{ plan: 'pro', spendingCapCents: 0 }, ['monthly 80 % of 50000: 40000', 'monthly 100 % of 50000: 50000']],
    [{ plan: 'unlimited' }, []],
    [{ monthly: null, daily: 0 }, []],
    [{ monthly: 1, daily: null }, ['monthly 80 % of 1: 1', 'monthly 100 % of 1: 1']],
    [{ monthly: 3, daily: null }, ['monthly 80 % of 3: 3', 'monthly 100 % of 3: 3']],
    [{ monthly: 11, daily: null }, ['monthly 80 % of 11: 9', 'monthly 100 % of 11: 11']],
  ]
  for (const [change, expected] of cases) {
    it(`are ${expected.length === 0 ? 'none' : expected.join(', ')} for ${JSON.stringify(change)}`, () => {
      assert.deepEqual(shown(change), expected)
    })
  }

  it('have different marks for every period, limit and percentage', () => {
    const marks = [newAllowance, { ...newAllowance, monthly: 10, daily: 10 }].flatMap((allowance) =>
      [at, at + 86_400_000, Date.UTC(2026, 11, 21)].flatMap((time) =>
        thresholdsOf(allowance).map((threshold) => markOf(threshold, time)),
      ),
    )
    // Four limits with two percentages each; the monthly limits are the same on both days of a month.
    assert.equal(new Set(marks).size, 20)
  })

  it('are reached by the sends of their period', () => {
    const of = thresholdsOf({ ...newAllowance, monthly: 10, daily: 5 })
    const reached = (month: number, day: number) =>
      of.filter((one) => isReached(one, { month, day })).map(({ period, percent }) => `${period} ${percent}`)
    assert.deepEqual(reached(7, 3), [])
    assert.deepEqual(reached(8, 3), ['monthly 80'])
    assert.deepEqual(reached(9, 4), ['monthly 80', 'daily 80'])
    assert.deepEqual(reached(12, 6), ['monthly 80', 'monthly 100', 'daily 80', 'daily 100'])
  })

  it('become events with the used sends and the end of the period', () => {
    const [warning] = thresholdsOf({ ...newAllowance, monthly: 10, daily: null })
    assert.ok(warning)
    assert.deepEqual(crossingOf('ws_1', warning, { month: 12, day: 2 }, at), {
      threshold: warning,
      mark: '2026-11 10 80',
      derivation: { at: Date.UTC(2026, 10, 1), cause: 'quota ws_1 2026-11 10 80' },
      event: {
        type: 'quota.warning',
        workspace: 'ws_1',
        mode: 'live',
        data: {
          period: 'monthly',
          starts_at: '2026-11-01T00:00:00.000Z',
          resets_at: '2026-12-01T00:00:00.000Z',
          limit: 10,
          used: 12,
          remaining: 0,
          threshold_percent: 80,
        },
      },
    })
  })

  it('are new or ahead until they were reached once', () => {
    const thresholds = thresholdsOf({ ...newAllowance, monthly: 10, daily: 5 })
    const state = { workspace: 'ws_1', thresholds, used: { month: 8, day: 4 }, at, isKnown: () => false }
    assert.deepEqual(
      newCrossings(state).map(({ mark }) => mark),
      ['2026-11 10 80', '2026-11-21 5 80'],
    )
    assert.deepEqual(
      thresholdsAhead(state).map(({ period, percent }) => `${period} ${percent}`),
      ['monthly 100', 'daily 100'],
    )
    const known = ['2026-11 10 80', '2026-11-21 5 100']
    const later = { ...state, isKnown: (mark: string) => known.includes(mark) }
    assert.deepEqual(
      newCrossings(later).map(({ mark }) => mark),
      ['2026-11-21 5 80'],
    )
    assert.deepEqual(
      thresholdsAhead(later).map(({ period, percent }) => `${period} ${percent}`),
      ['monthly 100'],
    )
  })
})
