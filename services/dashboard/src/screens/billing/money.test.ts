import assert from 'node:assert/strict'
import { usd, usdOfCents } from './money.ts'

describe('amounts of money', () => {
  const amounts: readonly [string, string, number][] = [
    ['0.00', '$0.00', 0],
    ['20.00', '$20.00', 2_000],
    ['1234567.05', '$1,234,567.05', 123_456_705],
    ['-5.00', '−$5.00', -500],
    ['0.29', '$0.29', 29],
    ['999.99', '$999.99', 99_999],
  ]
  for (const [amount, text, cents] of amounts)
    it(`show ${amount} as ${text}`, () => {
      assert.equal(usd(amount), text)
      assert.equal(usdOfCents(cents), text)
    })
})
