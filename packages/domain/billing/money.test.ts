import assert from 'node:assert/strict'
import { centsOf, parseCap, parseUsd, prorated, usdText } from './money.ts'

describe('spending caps', () => {
  for (const [text, cents] of [
    ['none', null],
    ['0', 0],
    ['12.5', 1_250],
    ['1000000', 100_000_000],
    ['1000000.01', undefined],
    ['-1', undefined],
    ['', undefined],
  ] as const)
    it(`read "${text}" as ${cents}`, () => assert.equal(parseCap(text), cents))
})

describe('amounts of money', () => {
  for (const [cents, text] of [
    [0, '0.00'],
    [1, '0.01'],
    [-1, '-0.01'],
    [100, '1.00'],
    [-2_050, '-20.50'],
    [123_456_789, '1234567.89'],
  ] as const)
    it(`write ${cents} cents as ${text}`, () => assert.equal(usdText(cents), text))

  for (const [text, cents] of [
    ['20', 2_000],
    ['20.5', 2_050],
    ['-0.01', -1],
    ['-0', 0],
    ['0.00', 0],
    ['999999999.99', 99_999_999_999],
    ['1.005', null],
    ['+1', null],
    ['1,50', null],
    ['1e3', null],
    ['', null],
    ['.5', null],
  ] as const)
    it(`read ${JSON.stringify(text)} as ${cents}`, () => assert.equal(parseUsd(text), cents))

  it('become whole cents when they are floating-point numbers', () => {
    assert.deepEqual([0.1 + 0.2, 1.15, 19.99].map(centsOf), [30, 115, 1_999])
  })
})

describe('price of some days of a month', () => {
  for (const [days, ofDays, cents] of [
    [1, 31, 65],
    [31, 31, 2_000],
    [1, 30, 67],
    [15, 30, 1_000],
    [1, 28, 71],
    [1, 29, 69],
    [15, 29, 1_034],
    [17, 31, 1_097],
    // Half a cent is rounded up: 2000 × 3 / 32 is 187.5.
    [3, 32, 188],
  ] as const)
    it(`is ${cents} cents of 20 USD for ${days} of ${ofDays} days`, () =>
      assert.equal(prorated(2_000, days, ofDays), cents))
})
