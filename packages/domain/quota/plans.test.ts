import assert from 'node:assert/strict'
import { type Allowance, limitsOf, newAllowance, overageOf } from './plans.ts'

describe('plan limits', () => {
  const cases: [name: string, allowance: Partial<Allowance>, limits: [number | null, number | null, number | null]][] =
    [
      ['free plan', {}, [3_000, 3_000, 100]],
      ['pro plan, which has overage', { plan: 'pro' }, [50_000, null, null]],
      ['spending cap, in whole blocks', { plan: 'pro', spendingCapUsd: 2.5 }, [50_000, 52_000, null]],
      ['spending cap on a plan without overage', { spendingCapUsd: 2.5 }, [3_000, 3_000, 100]],
      ['overrides', { monthly: 7, daily: 0 }, [7, 7, 0]],
      ['override of no limit', { monthly: null, daily: null }, [null, null, null]],
    ]
  for (const [name, allowance, [limit, most, daily]] of cases)
    it(`follow from the ${name}`, () => {
      assert.deepEqual(limitsOf({ ...newAllowance, ...allowance }), {
        monthly: { limit, most },
        daily: { limit: daily },
      })
    })
})

describe('overage', () => {
  it('costs one dollar for each started thousand past the limit', () => {
    assert.deepEqual(overageOf('pro', 50_000, 50_000), { sends: 0, blocks: 0, amountUsd: 0 })
    assert.deepEqual(overageOf('pro', 50_000, 50_001), { sends: 1, blocks: 1, amountUsd: 1 })
    assert.deepEqual(overageOf('pro', 50_000, 51_000), { sends: 1_000, blocks: 1, amountUsd: 1 })
    assert.deepEqual(overageOf('pro', 50_000, 51_001), { sends: 1_001, blocks: 2, amountUsd: 2 })
  })

  it('is zero without a limit and on a plan without overage', () => {
    const none = { sends: 0, blocks: 0, amountUsd: 0 }
    assert.deepEqual(overageOf('pro', null, 90_000), none)
    assert.deepEqual(overageOf('free', 3_000, 3_001), none)
  })
})
