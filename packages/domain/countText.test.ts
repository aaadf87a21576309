import assert from 'node:assert/strict'
import { countText } from './countText.ts'

describe('a count as text', () => {
  for (const [count, text] of [
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [100_000, '100,000'],
    [1_234_567, '1,234,567'],
    [-20_000, '-20,000'],
    [0.1, '0.1'],
    [12_345.6789, '12,345.6789'],
  ] as const)
    it(`writes ${count} as ${text}`, () => assert.equal(countText(count), text))
})
