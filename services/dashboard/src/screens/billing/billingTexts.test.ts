import assert from 'node:assert/strict'
import { beyondText, limitText, periodText, priceText } from './billingTexts.ts'

describe('texts of billing', () => {
  it('name the days of a period in UTC, the last one included', () => {
    const text = periodText({ start: '2026-11-16T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' })
    assert.match(text, /^16\s?–\s?30 Nov 2026$/)
  })

  it('name prices and limits', () => {
    const overage = { per: 1_000, price_usd: '1.00' }
    assert.deepEqual(
      [priceText({ price_usd: '20.00' }), priceText({ price_usd: '0.00' })],
      ['$20.00 a month', 'No charge'],
    )
    assert.deepEqual([limitText(3_000), limitText(null)], ['3,000', 'No limit'])
    assert.equal(beyondText({ monthly: 50_000, overage }), '$1.00 for each started 1,000')
    assert.equal(beyondText({ monthly: 3_000, overage: null }), 'Refused')
    assert.equal(beyondText({ monthly: null, overage: null }), '–')
  })
})
