import assert from 'node:assert/strict'
import { maxCapCents } from '../billing/money.ts'
import { isOperatorsChange, limitsProblems } from './limitRules.ts'
import { maxQuota } from './quota.ts'

describe('change of limits', () => {
  const paths = (change: Parameters<typeof limitsProblems>[0]) => limitsProblems(change).map(({ path }) => path)

  it('may set the plan’s limit, none, or a whole number of sends', () => {
    for (const quota of ['plan', null, 0, maxQuota] as const)
      assert.deepEqual(paths({ monthly: quota, daily: quota }), [])
    for (const quota of [-1, 1.5, maxQuota + 1, Number.NaN])
      assert.deepEqual(paths({ monthly: quota, daily: quota }), ['limits.monthly', 'limits.daily'])
  })

  it('may set a known plan', () => {
    assert.deepEqual(paths({ plan: 'unlimited' }), [])
    assert.deepEqual(limitsProblems({ plan: 'toString' }), [
      { path: 'plan', code: 'invalid_value', message: 'Must be one of free, pro, unlimited.' },
    ])
  })

  it('may set a spending cap in whole cents', () => {
    for (const cap of [null, 0, maxCapCents]) assert.deepEqual(paths({ spending_cap_cents: cap }), [])
    for (const cap of [-1, 0.5, maxCapCents + 1, Number.NaN])
      assert.deepEqual(paths({ spending_cap_cents: cap }), ['spending_cap_usd'])
  })

  it('is of the operator, unless it sets nothing but the spending cap', () => {
    assert.equal(isOperatorsChange({ spending_cap_cents: 5 }), false)
    assert.equal(isOperatorsChange({ spending_cap_cents: null }), false)
    for (const change of [
      { plan: 'pro' },
      { monthly: null },
      { daily: 'plan' },
      { daily: 0, spending_cap_cents: 5 },
    ] as const)
      assert.equal(isOperatorsChange(change), true)
  })
})
