import assert from 'node:assert/strict'
import { memoryLimiter } from './limiter.ts'

const bucket = { key: 'a', rate: 10, burst: 2 }

describe('the limiter in memory', () => {
  it('forgets what is full again, so only buckets in use cost memory', async () => {
    const limiter = memoryLimiter({ mostBuckets: 100 })
    const first = { ...bucket, key: 'kept', rate: 0.000_01 }
    await limiter.take([first], 2, 0)
    // Far more keys than fit, but each is full again long before the next comes.
    for (let key = 0; key < 10_000; key++) await limiter.take([{ ...bucket, key: `idle ${key}` }], 1, key * 1_000)
    assert.equal((await limiter.take([first], 1, 10_000_000)).admitted, false, 'one that is in use is not forgotten')
  })

  it('forgets the oldest when more are in use than it may keep', async () => {
    const limiter = memoryLimiter({ mostBuckets: 3 })
    for (const key of ['a', 'b', 'c', 'd']) await limiter.take([{ ...bucket, key }], 2, 0)
    assert.equal((await limiter.take([{ ...bucket, key: 'd' }], 1, 0)).admitted, false)
    assert.equal((await limiter.take([{ ...bucket, key: 'b' }], 1, 0)).admitted, false)
    assert.equal((await limiter.take([bucket], 1, 0)).admitted, true)
  })

  it('two readings of the clock that crossed give nothing away', async () => {
    const limiter = memoryLimiter()
    await limiter.take([bucket], 2, 1_000)
    for (let crossing = 0; crossing < 100; crossing++) {
      assert.equal((await limiter.take([bucket], 1, 1_000 - (crossing % 2))).admitted, false)
    }
  })
})
