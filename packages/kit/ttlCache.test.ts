import assert from 'node:assert/strict'
import { ttlCache } from './ttlCache.ts'

const bench = (max = 10) => {
  const time = { at: 0 }
  return { time, values: ttlCache<number>({ freshMs: 100, max, elapsed: () => time.at }) }
}

describe('TTL cache', () => {
  it('are returned until they are too old', () => {
    const { time, values } = bench()
    assert.equal(values.get('a'), null)
    values.set('a', 1, 0)
    time.at = 100
    assert.equal(values.get('a'), 1)
    time.at = 101
    assert.equal(values.get('a'), null)
  })

  it('are removed in the order in which they were set', () => {
    const { values } = bench(2)
    for (const key of ['a', 'b', 'a', 'c']) values.set(key, 1, 0)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => values.get(key)),
      [1, null, 1],
    )
    values.delete('a')
    assert.equal(values.get('a'), null)
  })

  it('are removed if they match', () => {
    const { values } = bench()
    for (const [key, value] of Object.entries({ a: 1, b: 2 })) values.set(key, value, 0)
    values.deleteWhere((value) => value === 1)
    assert.deepEqual([values.get('a'), values.get('b')], [null, 2])
  })

  it('are not cached for a time of 0', () => {
    const values = ttlCache<number>({ freshMs: 0, max: 10, elapsed: () => 0 })
    values.set('a', 1, 0)
    assert.equal(values.get('a'), null)
  })
})
