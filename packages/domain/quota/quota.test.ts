import assert from 'node:assert/strict'
import { type Allowance, newAllowance } from './plans.ts'
import { coveredReleases, quotaRefusalOf, releasable, releaseLineId, standingOf, tightestOf } from './quota.ts'

const at = Date.UTC(2026, 10, 21, 12)
const [midnight, nextMonth] = [Date.UTC(2026, 10, 22), Date.UTC(2026, 11)]
const allowance = (over: Partial<Allowance> = {}): Allowance => ({ ...newAllowance, ...over })

describe('refusal of a reservation', () => {
  const daily = { quota: 'daily', limit: 100, resetsAt: midnight, spendingCapCents: null } as const
  const monthly = { quota: 'monthly', limit: 3_000, resetsAt: nextMonth, spendingCapCents: null } as const
  const pro = allowance({ plan: 'pro', spendingCapCents: 250 })
  for (const [name, which, used, count, expected] of [
    ['none when it fits exactly', allowance(), { month: 97, day: 97 }, 3, null],
    ['names the daily quota and what is left of it', allowance(), { month: 97, day: 97 }, 5, { ...daily, left: 3 }],
    ['has nothing left of a quota that is used up', allowance(), { month: 100, day: 100 }, 1, { ...daily, left: 0 }],
    ['has nothing left past a lowered limit', allowance(), { month: 500, day: 500 }, 1, { ...daily, left: 0 }],
    [
      'names the monthly quota when both are exceeded',
      allowance(),
      { month: 2_999, day: 100 },
      2,
      { ...monthly, left: 1 },
    ],
    [
      'none past the included sends of a plan with overage',
      allowance({ plan: 'pro' }),
      { month: 90_000, day: 0 },
      9,
      null,
    ],
    [
      'names the spending cap',
      pro,
      { month: 52_000, day: 0 },
      1,
      { ...monthly, limit: 52_000, left: 0, spendingCapCents: 250 },
    ],
    ['none without limits', allowance({ monthly: null, daily: null }), { month: 9e9, day: 9e9 }, 9e9, null],
  ] as const)
    it(name, () => assert.deepEqual(quotaRefusalOf(which, used, { count, at }), expected))
})

describe('tightest quota', () => {
  const day = (limit: number, remaining: number) => ({ period: 'day', limit, remaining, resetsAt: midnight })
  const month = (limit: number, remaining: number) => ({ period: 'month', limit, remaining, resetsAt: nextMonth })
  for (const [name, over, used, expected] of [
    ['is the day when fewer of its sends are left', {}, { month: 50, day: 50 }, day(100, 50)],
    ['is the month when fewer of its sends are left', {}, { month: 2_990, day: 5 }, month(3_000, 10)],
    ['is the month when both have equally many left', {}, { month: 3_000, day: 100 }, month(3_000, 0)],
    ['is the day when the month has no limit', { monthly: null }, { month: 9, day: 9 }, day(100, 91)],
    ['is the month when the day has no limit', { daily: null }, { month: 9, day: 9 }, month(3_000, 2_991)],
    ['is the month on the pro plan', { plan: 'pro' }, { month: 9, day: 9 }, month(50_000, 49_991)],
    ['has nothing left past the included sends', { plan: 'pro' }, { month: 50_001, day: 9 }, month(50_000, 0)],
    ['is null without limits', { monthly: null, daily: null }, { month: 9, day: 9 }, null],
  ] as const)
    it(name, () => assert.deepEqual(tightestOf(standingOf(allowance(over), used), at), expected))
})

describe('releases that still have to be written', () => {
  const wanted = [0, 1, 2, 1].map((recipient) => ({ id: releaseLineId('em_1', recipient) }))
  const ids = (left: number, ...written: number[]): string[] =>
    releasable(left, new Set(written.map((recipient) => releaseLineId('em_1', recipient))), wanted).map(({ id }) => id)

  it('have one line for each recipient', () => {
    assert.deepEqual(ids(9), ['em_1/0/release', 'em_1/1/release', 'em_1/2/release'])
  })

  it('leave out recipients that have a line', () => assert.deepEqual(ids(9, 0, 2), ['em_1/1/release']))

  it('never exceed the sends that the reservation has left', () => {
    assert.deepEqual(ids(1), ['em_1/0/release'])
    assert.deepEqual(ids(1, 0), ['em_1/1/release'])
    assert.deepEqual(ids(0), [])
    assert.deepEqual(ids(-1), [])
  })
})

describe('releases that a reservation covers', () => {
  const wanted = [0, 1, 2].map((recipient) => ({ id: releaseLineId('em_1', recipient) }))
  const numbers = (sends: number, ...written: number[]) => {
    const known = new Set(written.map((recipient) => releaseLineId('em_1', recipient)))
    const { covered, excess } = coveredReleases(sends, known, wanted)
    return [covered, excess].map((some) => some.map((release) => wanted.indexOf(release)))
  }

  it('are as many as it has sends', () => {
    assert.deepEqual(numbers(3), [[0, 1, 2], []])
    assert.deepEqual(numbers(2), [[0, 1], [2]])
  })

  it('contain the written ones, which use sends', () => {
    assert.deepEqual(numbers(2, 2), [[0, 2], [1]])
    assert.deepEqual(numbers(1, 1), [[1], [0, 2]])
  })
})
