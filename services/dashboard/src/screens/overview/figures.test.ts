import assert from 'node:assert/strict'
import { change, count, latency, percent } from './figures.ts'

describe('figures of the overview', () => {
  it('shows counts exactly', () => assert.equal(count(1_234_567), '1,234,567'))

  const percentages: readonly [number | null, string][] = [
    [null, '–'],
    [0, '0 %'],
    [0.004, '< 0.01 %'],
    [0.1, '0.1 %'],
    [1.234, '1.23 %'],
    [66.666, '66.7 %'],
    [99.95, '99.95 %'],
    [99.999, '> 99.99 %'],
    [100, '100 %'],
  ]
  for (const [value, text] of percentages) it(`show ${value} as ${text}`, () => assert.equal(percent(value), text))

  it('show a time that was not measured as a dash', () => {
    assert.equal(latency(null), '–')
    assert.equal(latency(840), '840 ms')
  })

  it('compare with the period before', () => {
    assert.equal(change(5, 5), 'same')
    assert.equal(change(5, 0), 'new')
    assert.equal(change(112, 100), '+12 %')
    assert.equal(change(0, 100), '−100 %')
    assert.equal(change(10_001, 10_000), '< +1 %')
    assert.equal(change(9_999, 10_000), '> −1 %')
  })
})
