import assert from 'node:assert/strict'
import fc from 'fast-check'
import { newAllowance, offeredPlans } from '../quota/plans.ts'
import { type Billing, openBilling } from './account.ts'
import { adjust } from './corrections.ts'
import { rollMonths } from './months.ts'
import { planForNextMonth, startPlan } from './planChoice.ts'
import { previewOf } from './preview.ts'

const at = Date.UTC(2026, 10, 16, 12)
const contextAt = (now: number) => ({ now, newInvoiceId: () => 'in_1' })
const free = openBilling('ws_1', newAllowance, contextAt(at))

const linesOf = (billing: Billing, now = at) =>
  previewOf(billing, 'pro', now).newLines.map(({ description, amountCents }) => [description, amountCents])

describe('preview of a plan', () => {
  it('has the line for the remaining days of the month, and the limits of the plan', () => {
    assert.deepEqual(linesOf(free), [['Pro plan, 16 to 30 November 2026 (15 of 30 days)', 1_000]])
    const { choice, beginsAt, limits } = previewOf(free, 'pro', at)
    assert.deepEqual([choice, beginsAt, limits.monthly.limit, limits.daily.limit], ['upgrade', at, 50_000, null])
  })

  it('has earlier corrections, even if they cover the price, so that nothing is invoiced', () => {
    const credited = adjust(free, -2_500, 'Credit', at - 1)
    const { lines } = previewOf(credited, 'pro', at)
    assert.deepEqual(lines, ['ws_1/2026-11/adjust/0', 'ws_1/2026-11/plan/0'])
  })

  it('has no line for days that were charged before', () => {
    const again = startPlan(startPlan(free, 'pro', contextAt(at)), 'free', contextAt(at))
    assert.deepEqual(previewOf(again, 'pro', at).lines, [])
  })

  it('keeps the limits that the operator set', () => {
    const billing = { ...free, allowance: { ...newAllowance, monthly: 7, daily: null } }
    const { monthly, daily } = previewOf(billing, 'pro', at).limits
    assert.deepEqual([monthly.limit, daily.limit], [7, null])
  })

  it('names the effect of each choice, and when it begins', () => {
    const pro = startPlan(free, 'pro', contextAt(at))
    const leaving = planForNextMonth(pro, 'free', at)
    const end = Date.UTC(2026, 11, 1)
    const effect = (billing: Billing, plan: 'free' | 'pro') => {
      const { choice, beginsAt, lines } = previewOf(billing, plan, at)
      return [choice, beginsAt, lines.length]
    }
    assert.deepEqual(effect(pro, 'pro'), ['none', null, 0])
    assert.deepEqual(effect(pro, 'free'), ['downgrade', end, 0])
    assert.deepEqual(effect(leaving, 'free'), ['none', end, 0])
    assert.deepEqual(effect(leaving, 'pro'), ['revoke', null, 0])
  })

  it('has the lines of the invoice that the choice issues, after any choices and corrections', () => {
    const step = fc.oneof(
      fc.constantFrom(...offeredPlans).map((plan) => ({ plan })),
      fc.integer({ min: -3_000, max: 3_000 }).map((cents) => ({ cents })),
      fc.integer({ min: 1, max: 40 }).map((days) => ({ days })),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let [billing, now] = [free, at]
        for (const one of steps) {
          if ('days' in one) now += one.days * 86_400_000
          billing = rollMonths(billing, now)
          if ('plan' in one) billing = startPlan(billing, one.plan, contextAt(now))
          if ('cents' in one) billing = adjust(billing, one.cents, 'Correction', now)
        }
        const preview = previewOf(billing, 'pro', now)
        if (preview.choice !== 'upgrade') return
        const before = billing.account.newInvoices.length
        const [invoice] = startPlan(billing, 'pro', contextAt(now)).account.newInvoices.slice(before)
        if (invoice) assert.deepEqual(preview.lines, invoice.lines)
      }),
    )
  })
})
