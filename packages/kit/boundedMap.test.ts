import assert from 'node:assert/strict'
import { boundedMap } from './boundedMap.ts'

describe('bounded map', () => {
  const filled = (max: number, keys: readonly string[]) => {
    const map = boundedMap<number>(max)
    for (const [index, key] of keys.entries()) map.set(key, index)
    return { map, found: (...names: string[]) => names.map((key) => map.get(key)) }
  }

  it('removes the entry that was set least recently', () => {
    const { found } = filled(2, ['a', 'b', 'a', 'c'])
    assert.deepEqual(found('a', 'b', 'c'), [2, undefined, 3])
  })

  it('removes nothing when a full map gets another value of a key', () => {
    const { found } = filled(2, ['a', 'b', 'b'])
    assert.deepEqual(found('a', 'b'), [0, 2])
  })

  it('removes a key, the values that match, or all', () => {
    const { map, found } = filled(5, ['a', 'b', 'c', 'd', 'e'])
    map.delete('a')
    map.deleteWhere((value) => value % 2 === 1)
    assert.deepEqual(found('a', 'b', 'c', 'd', 'e'), [undefined, undefined, 2, undefined, 4])
    map.clear()
    assert.deepEqual(found('c', 'e'), [undefined, undefined])
  })
})
