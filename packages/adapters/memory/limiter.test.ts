import assert from 'node:assert/strict'
import { memoryLimiter } from './limiter.ts'

const bucket = { key: 'a', rate: 10, burst: 2 }

describe('memory limiter', () => {
  it('drops buckets that are full again and keeps those in use', async () => {
    const limiter = memoryLimiter({ maxBuckets: 100 })
    const inUse = { ...bucket, key: 'in use', rate: 0.000_01 }
    await limiter.take([inUse], 2, 0)
    // Far more keys than fit, but each bucket is full again long before the next key.
    for (let key = 0; key < 10_000; key++) await limiter.take([{ ...bucket, key: `idle ${key}` }], 1, key * 1_000)
    assert.equal((await limiter.take([inUse], 1, 10_000_000)).admitted, false)
  })

  it('drops the oldest bucket when too many are in use', async () => {
    const limiter = memoryLimiter({ maxBuckets: 3 })
    for (const key of ['a', 'b', 'c', 'd']) await limiter.take([{ ...bucket, key }], 2, 0)
    assert.equal((await limiter.take([{ ...bucket, key: 'd' }], 1, 0)).admitted, false)
    assert.equal((await limiter.take([{ ...bucket, key: 'b' }], 1, 0)).admitted, false)
    assert.equal((await limiter.take([bucket], 1, 0)).admitted, true)
  })

  // Standalone shares one limiter between the gateway, which measures durations, and services with the time of day. Each
  // call of another clock filled every bucket.
  it('measures by its own clock, even if the clocks of its callers differ', async () => {
    const time = { ms: 5_000 }
    const limiter = memoryLimiter({ elapsed: () => time.ms })
    await limiter.take([bucket], 2, 1_000)
    for (const now of [Date.UTC(2026, 10, 29), 1_000, Date.UTC(2027, 10, 29)])
      assert.equal((await limiter.take([bucket], 1, now)).admitted, false)
    time.ms += 100
    assert.equal((await limiter.take([bucket], 1, 1_000)).admitted, true)
  })

  it('admits nothing more when two clock readings arrive in the wrong order', async () => {
    const limiter = memoryLimiter()
    await limiter.take([bucket], 2, 1_000)
    for (let round = 0; round < 100; round++) {
      assert.equal((await limiter.take([bucket], 1, 1_000 - (round % 2))).admitted, false)
    }
  })
})
