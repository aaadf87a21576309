import assert from 'node:assert/strict'
import { effectiveRate, overrideOf, storedOverride } from './override.ts'

const fallback = { rate: 10, burst: 20 }

describe('rate of a workspace', () => {
  it('is the default without an override', () => {
    assert.deepEqual(effectiveRate({}, fallback), fallback)
  })

  it('is no limit if the rate or the burst is 0', () => {
    assert.equal(effectiveRate({ rate: 0 }, fallback), null)
    assert.equal(effectiveRate({ rate: 5, burst: 0 }, fallback), null)
    assert.equal(effectiveRate({ burst: 0 }, fallback), null)
  })

  it('has a burst of twice its size, at least 1, if the operator sets no burst', () => {
    assert.deepEqual(effectiveRate({ rate: 7.2 }, fallback), { rate: 7.2, burst: 15 })
    assert.deepEqual(effectiveRate({ rate: 0.1 }, fallback), { rate: 0.1, burst: 1 })
  })

  it('keeps the default for what the operator does not set', () => {
    assert.deepEqual(effectiveRate({ burst: 3 }, fallback), { rate: 10, burst: 3 })
    assert.deepEqual(effectiveRate({ rate: 7, burst: 3 }, fallback), { rate: 7, burst: 3 })
  })
})

describe('stored override of a rate', () => {
  it('is read as it was set', () => {
    for (const override of ['plan', null, 7] as const) {
      assert.equal(overrideOf(storedOverride(override) ?? undefined), override)
    }
  })
})
