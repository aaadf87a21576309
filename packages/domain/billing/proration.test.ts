import assert from 'node:assert/strict'
import fc from 'fast-check'
import { plans } from '../quota/plans.ts'
import { daysOfMonth, endOfMonth, monthAfter, startOfMonth } from '../time.ts'
import { emptyAccount, openBilling } from './account.ts'
import { planCharge } from './charges.ts'
import { centsOf, parseUsd, prorated, usdText } from './money.ts'
import { startPlan } from './planChoice.ts'

const price = fc.integer({ min: 0, max: 100_000_000 })
const monthDays = fc.constantFrom(28, 29, 30, 31)
const month = fc
  .record({ year: fc.integer({ min: 2024, max: 2110 }), month: fc.integer({ min: 1, max: 12 }) })
  .map((one) => `${one.year}-${String(one.month).padStart(2, '0')}`)
const dayMs = 86_400_000

describe('proration', () => {
  it('is a whole number of cents from 0 to the price, and the price for a whole month', () => {
    fc.assert(
      fc.property(price, monthDays, fc.nat({ max: 31 }), (cents, ofDays, anyDays) => {
        const days = Math.min(anyDays, ofDays)
        const part = prorated(cents, days, ofDays)
        assert.ok(Number.isSafeInteger(part) && part >= 0 && part <= cents)
        assert.ok(Math.abs(part * ofDays - cents * days) * 2 <= ofDays, 'within half a cent of the exact part')
        assert.equal(prorated(cents, ofDays, ofDays), cents)
        assert.equal(prorated(cents, 0, ofDays), 0)
      }),
    )
  })

  it('never decreases with a day more, and two parts of a month differ from the whole by at most a cent', () => {
    fc.assert(
      fc.property(price, monthDays, fc.nat({ max: 31 }), (cents, ofDays, anyDays) => {
        const days = Math.min(anyDays, ofDays)
        const [one, rest] = [prorated(cents, days, ofDays), prorated(cents, ofDays - days, ofDays)]
        assert.ok(Math.abs(one + rest - cents) <= 1)
        if (days > 0) assert.ok(one >= prorated(cents, days - 1, ofDays))
      }),
    )
  })

  it('charges the days from each moment of a day to the end of its month, in months of 28 to 31 days', () => {
    fc.assert(
      fc.property(month, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (text, part) => {
        const lengthMs = endOfMonth(text) - startOfMonth(text)
        // The product of the last moments can round up to the whole month.
        const at = startOfMonth(text) + Math.min(Math.floor(part * lengthMs), lengthMs - 1)
        const ofDays = lengthMs / dayMs
        assert.equal(daysOfMonth(text), ofDays)
        const passed = Math.floor((at - startOfMonth(text)) / dayMs)
        const { amountCents } = planCharge({ workspace: 'ws_1', plan: 'pro', at, n: 0, paidCents: 0 })
        assert.equal(amountCents, prorated(plans.pro.priceCents, ofDays - passed, ofDays))
        assert.ok(amountCents > 0 && amountCents <= plans.pro.priceCents)
      }),
    )
  })

  it('charges a month once, by its first day on the plan, even if other plans are chosen after it', () => {
    const names = fc.array(fc.constantFrom('free', 'pro', 'unlimited'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(month, names, fc.array(fc.nat({ max: 27 }), { minLength: 6, maxLength: 6 }), (text, list, days) => {
        const sorted = days.toSorted((a, b) => a - b)
        const contextAt = (index: number) => ({
          now: startOfMonth(text) + (sorted[index] ?? 0) * dayMs + 1,
          newInvoiceId: () => 'inv_1',
        })
        const allowance = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapCents: null } as const
        let billing = { ...openBilling('ws_1', allowance, contextAt(0)), account: emptyAccount(text) }
        for (const [index, plan] of list.entries()) billing = startPlan(billing, plan, contextAt(index))
        const { newLines, newInvoices } = billing.account
        const first = list.indexOf('pro')
        const ofDays = daysOfMonth(text)
        const charged = first === -1 ? 0 : prorated(plans.pro.priceCents, ofDays - (sorted[first] ?? 0), ofDays)
        assert.deepEqual(
          newLines.map(({ amountCents }) => amountCents),
          first === -1 ? [] : [charged],
        )
        assert.equal(
          newInvoices.reduce((sum, { totalCents }) => sum + totalCents, 0),
          charged,
        )
        assert.ok(monthAfter(text) > text)
      }),
    )
  })

  it('reads an amount that it writes, and the cents of every amount with two decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (cents) => {
        assert.equal(parseUsd(usdText(cents)), cents === 0 ? 0 : cents)
        assert.equal(centsOf(Number(usdText(cents))), cents)
      }),
    )
  })
})
