import assert from 'node:assert/strict'
import {
  type Allowance,
  billedStoredPlans,
  isBilled,
  limitsOf,
  newAllowance,
  overageOf,
  plans,
  readAllowance,
  type StoredAllowance,
  storedChange,
} from './plans.ts'

describe('plan limits', () => {
  const cases: [name: string, allowance: Partial<Allowance>, limits: [number | null, number | null, number | null]][] =
    [
      ['free plan', {}, [3_000, 3_000, 100]],
      ['pro plan, which has overage', { plan: 'pro' }, [50_000, null, null]],
      ['unlimited plan', { plan: 'unlimited' }, [null, null, null]],
      ['unlimited plan with an override', { plan: 'unlimited', daily: 5 }, [null, null, 5]],
      ['unlimited plan with a spending cap', { plan: 'unlimited', spendingCapCents: 0 }, [null, null, null]],
      ['spending cap, in whole blocks', { plan: 'pro', spendingCapCents: 250 }, [50_000, 52_000, null]],
      ['spending cap on a plan without overage', { spendingCapCents: 250 }, [3_000, 3_000, 100]],
      ['overrides', { monthly: 7, daily: 0 }, [7, 7, 0]],
      ['override of no limit', { monthly: null, daily: null }, [null, null, null]],
    ]
  for (const [name, allowance, [limit, max, daily]] of cases)
    it(`follow from the ${name}`, () => {
      assert.deepEqual(limitsOf({ ...newAllowance, ...allowance }), {
        monthly: { limit, max },
        daily: { limit: daily },
      })
    })
})

describe('overage', () => {
  it('costs one dollar for each started thousand past the limit', () => {
    assert.deepEqual(overageOf(plans.pro.overage, 50_000, 50_000), { sends: 0, blocks: 0, amountCents: 0 })
    assert.deepEqual(overageOf(plans.pro.overage, 50_000, 50_001), { sends: 1, blocks: 1, amountCents: 100 })
    assert.deepEqual(overageOf(plans.pro.overage, 50_000, 51_000), { sends: 1_000, blocks: 1, amountCents: 100 })
    assert.deepEqual(overageOf(plans.pro.overage, 50_000, 51_001), { sends: 1_001, blocks: 2, amountCents: 200 })
  })

  it('is zero without a limit and on a plan without overage', () => {
    const none = { sends: 0, blocks: 0, amountCents: 0 }
    assert.deepEqual(overageOf(plans.pro.overage, null, 90_000), none)
    assert.deepEqual(overageOf(plans.free.overage, 3_000, 3_001), none)
  })
})

describe('stored allowance', () => {
  // A process of the last release fails on an unknown plan, and with it every send of its batch.
  it('names only plans of the last release, and none refuses a send of an unlimited workspace', () => {
    const { plan, unlimited } = storedChange({ plan: 'unlimited' })
    assert.deepEqual([plan, unlimited], ['pro', true])
    assert.deepEqual(plans.pro.overage === null || plans.pro.daily !== null, false)
  })

  for (const plan of ['free', 'pro', 'unlimited'] as const)
    it(`reads back as it was written: ${plan}`, () => {
      const allowance: Allowance = { plan, monthly: 5, daily: null, spendingCapCents: 250 }
      const stored = storedChange({ ...newAllowance, ...allowance }) as StoredAllowance
      // Release 0.1 reads dollars.
      assert.equal(stored.spendingCapUsd, 2.5)
      assert.deepEqual(readAllowance(stored), allowance)
      // A change of another field does not change the plan; a change of the plan changes only it.
      assert.deepEqual(readAllowance({ ...stored, ...storedChange({ daily: 3 }) }), { ...allowance, daily: 3 })
      assert.deepEqual(readAllowance({ ...stored, ...storedChange({ plan: 'pro' }) }), { ...allowance, plan: 'pro' })
    })

  it('reads an allowance that the last release stored', () => {
    const others = { plan: 'pro', monthly: 'plan', daily: 'plan' } as const
    for (const [usd, cents] of [
      [null, null],
      [0, 0],
      // 100 times these numbers is no whole number.
      [12.34, 1_234],
      [1.15, 115],
      [999_999.99, 99_999_999],
    ] as const)
      assert.deepEqual(readAllowance({ ...others, spendingCapUsd: usd }), { ...others, spendingCapCents: cents })
  })
})

describe('plans that are due for billing', () => {
  it('are those that may have a price, of which unlimited is stored as pro', () => {
    assert.deepEqual([isBilled('free'), isBilled('pro'), isBilled('unlimited')], [false, true, true])
    assert.deepEqual(billedStoredPlans, ['pro'])
  })
})
