import assert from 'node:assert/strict'
import { firstThatFit, jsonBytes, pageRoom } from './listPage.ts'

const sizes = (items: number[], maxBytes: number) => firstThatFit(items, (bytes) => bytes, maxBytes)

describe('page of a list', () => {
  for (const [name, items, expected] of [
    ['all records that fit', [3, 3, 1], [3, 3, 1]],
    ['a record that fits exactly', [4, 5], [4, 5]],
    ['no record after a record that does not fit, even if it is smaller', [4, 6, 1], [4]],
    ['the first record in any case', [20, 1], [20]],
    ['nothing of an empty list', [], []],
  ] as const)
    it(`contains ${name}`, () => assert.deepEqual(sizes([...items], 11), expected))

  it('has more only if a record did not fit, by the limit or by its bytes', () => {
    const filled = (...bytes: number[]) => {
      const room = pageRoom<number>(2, 11)
      const added = bytes.map((one) => room.add(one, one))
      return [added, room.page()]
    }
    assert.deepEqual(filled(3, 3), [[true, true], { items: [3, 3], hasMore: false }])
    assert.deepEqual(filled(3, 3, 1), [[true, true, false], { items: [3, 3], hasMore: true }])
    assert.deepEqual(filled(4, 6, 1), [[true, false, false], { items: [4], hasMore: true }])
    assert.deepEqual(filled(), [[], { items: [], hasMore: false }])
  })

  it('counts bytes, not characters', () => assert.equal(jsonBytes('é"\n'), 8))
})
