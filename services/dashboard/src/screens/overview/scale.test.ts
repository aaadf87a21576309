import assert from 'node:assert/strict'
import { labeled, linesOf, stacked } from './scale.ts'

describe('scale of a chart', () => {
  const lines: readonly [number, boolean, number[]][] = [
    [0, true, [0, 1]],
    [1, true, [0, 1]],
    [3, true, [0, 1, 2, 3]],
    [10, true, [0, 3, 6, 9, 12]],
    [1_204, true, [0, 500, 1_000, 1_500]],
    [0, false, [0, 0.25]],
    [6, false, [0, 2, 4, 6]],
    [0.6, false, [0, 0.2, 0.4, 0.6]],
    [100, false, [0, 25, 50, 75, 100]],
  ]
  for (const [max, isWhole, expected] of lines)
    it(`has lines ${expected.join(', ')} up to ${max}`, () => assert.deepEqual(linesOf(max, { isWhole }), expected))

  it('reaches every value with at most six lines', () => {
    for (let max = 0.001; max < 1e9; max *= 1.7)
      for (const isWhole of [false, true]) {
        const found = linesOf(max, { isWhole })
        assert.ok((found.at(-1) ?? 0) >= max * (1 - 1e-6), `${max}: ${found}`)
        assert.ok(found.length <= 6, `${max}: ${found}`)
        if (isWhole) assert.ok(found.every(Number.isInteger), `${max}: ${found}`)
      }
  })

  it('has labels at even distances, one of them at the last bucket', () => {
    assert.deepEqual(labeled(7, 10), [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(labeled(24, 6), [3, 7, 11, 15, 19, 23])
    assert.deepEqual(labeled(3, 0), [2])
  })

  it('stacks each layer on those below it', () => {
    const layers = [
      [1, 2],
      [0, 3],
      [4, 0],
    ]
    assert.deepEqual(stacked(layers), [
      [1, 2],
      [1, 5],
      [5, 5],
    ])
  })
})
