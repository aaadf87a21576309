import assert from 'node:assert/strict'
import { type Allowance, newAllowance } from './plans.ts'
import { reachOf } from './reach.ts'

const at = Date.UTC(2026, 10, 21, 12)

describe('thresholds that an update of a month reaches', () => {
  const reach = (used: number, today: number, over: { noticed?: string[]; allowance?: Partial<Allowance> } = {}) => {
    const { crossings, ranges } = reachOf({
      workspace: 'ws_1',
      allowance: { ...newAllowance, monthly: 100, daily: 50, ...over.allowance },
      noticed: over.noticed ?? [],
      entries: [{ at, day: '21' }],
      after: { used, days: { '21': today } },
    })
    return { marks: crossings.map(({ mark }) => mark), ranges: Object.fromEntries(ranges) }
  }

  it('are none below the first ones, which bound the numbers', () => {
    assert.deepEqual(reach(79, 39), { marks: [], ranges: { used: { below: 80 }, 'days.21': { below: 40 } } })
  })

  it('bound a number on both sides when it is between two', () => {
    assert.deepEqual(reach(80, 39), {
      marks: ['2026-11 100 80'],
      ranges: { used: { min: 80, below: 100 }, 'days.21': { below: 40 } },
    })
  })

  it('leave out those that were reached before', () => {
    assert.deepEqual(reach(81, 0, { noticed: ['2026-11 100 80'] }).ranges['used'], { below: 100 })
  })

  it('do not bound a number past the last one', () => {
    const noticed = ['2026-11 100 80', '2026-11 100 100']
    assert.deepEqual(reach(100, 0, { noticed }), { marks: [], ranges: { 'days.21': { below: 40 } } })
  })

  it('are reached once by entries of two days', () => {
    const days = { '20': 41, '21': 41 }
    const entries = [
      { at, day: '21' },
      { at: at - 86_400_000, day: '20' },
    ]
    const allowance = { ...newAllowance, monthly: 100, daily: 50 }
    const { crossings } = reachOf({ workspace: 'ws_1', allowance, noticed: [], entries, after: { used: 82, days } })
    assert.deepEqual(
      crossings.map(({ mark }) => mark),
      ['2026-11 100 80', '2026-11-21 50 80', '2026-11-20 50 80'],
    )
  })

  it('are none without limits', () => {
    assert.deepEqual(reach(9, 9, { allowance: { monthly: null, daily: null } }), { marks: [], ranges: {} })
  })
})
