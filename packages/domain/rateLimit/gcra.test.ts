import assert from 'node:assert/strict'
import { gcra, shareOfBucket, verdictOnShares } from './gcra.ts'

describe('shares of a bucket', () => {
  const bucket = { key: 'ws_1/emails', rate: 10, burst: 7 }

  it('add up to the rate and the burst of all replicas together', () => {
    assert.deepEqual(shareOfBucket(bucket, 1), bucket)
    assert.deepEqual(shareOfBucket(bucket, 2), { ...bucket, rate: 5, burst: 3 })
  })

  it('admit at least one request of each replica', () => {
    assert.deepEqual(shareOfBucket(bucket, 100), { ...bucket, rate: 0.1, burst: 1 })
  })

  it('are not named in a verdict', () => {
    const { verdict } = gcra([shareOfBucket(bucket, 2)], [0], 1)
    assert.equal(verdict.tightest.burst, 3)
    assert.deepEqual(verdictOnShares([bucket], verdict), { ...verdict, tightest: bucket })
  })
})
