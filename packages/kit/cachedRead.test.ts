import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { cachedRead } from './cachedRead.ts'

/** A cache whose reads end when the test ends them. `time.now` is its clock. */
const held = (freshMs = 1_000) => {
  const time = { now: 0 }
  const reads: { key: string; resolve(value: string): void; reject(reason: unknown): void }[] = []
  const read = (key: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    reads.push({ key, resolve, reject })
    return promise
  }
  return { time, reads, cache: cachedRead({ read, freshMs, max: 10, elapsed: () => time.now }) }
}

describe('cached read', () => {
  it('reads a key once for concurrent callers, and then returns the value without a promise', async () => {
    const { reads, cache } = held()
    const both = Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])
    reads[0]?.resolve('one')
    reads[1]?.resolve('two')
    assert.deepEqual(await both, ['one', 'one', 'two'])
    assert.equal(cache.get('a'), 'one')
    assert.deepEqual(
      reads.map(({ key }) => key),
      ['a', 'b'],
    )
  })

  it('counts the age of a value from the start of its read, even while the read runs', async () => {
    const { time, reads, cache } = held()
    const slow = cache.get('a')
    time.now = 1_001
    const later = cache.get('a')
    reads[0]?.resolve('old')
    assert.equal(await slow, 'old')
    reads[1]?.resolve('new')
    assert.equal(await later, 'new')
    assert.equal(cache.get('a'), 'new')
    time.now = 2_002
    assert.ok(cache.get('a') instanceof Promise)
  })

  it('shares a failure with the callers of that read, and reads again for the next one', async () => {
    const { reads, cache } = held()
    const both = Promise.allSettled([cache.get('a'), cache.get('a')])
    reads[0]?.reject(new Error('first read'))
    assert.deepEqual(
      (await both).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    const again = cache.get('a')
    reads[1]?.resolve('one')
    assert.equal(await again, 'one')
  })

  it('does not cache the result of a read that was in progress when its key was forgotten', async () => {
    for (const forget of [
      (cache: ReturnType<typeof held>['cache']) => cache.forget('a'),
      (cache: ReturnType<typeof held>['cache']) => cache.forgetWhere(() => false),
    ]) {
      const { reads, cache } = held()
      void cache.get('a')
      forget(cache)
      reads[0]?.resolve('before the change')
      await nextIteration()
      void cache.get('a')
      assert.equal(reads.length, 2)
    }
  })

  it('forgets the values that match and no other value', () => {
    const { reads, cache } = held()
    cache.set('a', 'one', 0)
    cache.set('b', 'two', 0)
    cache.forgetWhere((value) => value === 'one')
    assert.equal(cache.get('b'), 'two')
    void cache.get('a')
    assert.equal(reads.length, 1)
  })

  it('reads for each caller when nothing may be cached', () => {
    const { reads, cache } = held(0)
    void cache.get('a')
    void cache.get('a')
    assert.equal(reads.length, 2)
  })
})
