import assert from 'node:assert/strict'
import { overageOf } from './plans.ts'

describe('plans', () => {
  it('each started thousand past the limit costs a dollar', () => {
    assert.deepEqual(overageOf('pro', 50_000, 50_000), { sends: 0, blocks: 0, amountUsd: 0 })
    assert.deepEqual(overageOf('pro', 50_000, 50_001), { sends: 1, blocks: 1, amountUsd: 1 })
    assert.deepEqual(overageOf('pro', 50_000, 51_000), { sends: 1_000, blocks: 1, amountUsd: 1 })
    assert.deepEqual(overageOf('pro', 50_000, 51_001), { sends: 1_001, blocks: 2, amountUsd: 2 })
  })

  it('without a limit, or on a plan without overage, there is none', () => {
    const none = { sends: 0, blocks: 0, amountUsd: 0 }
    assert.deepEqual(overageOf('pro', null, 90_000), none)
    assert.deepEqual(overageOf('free', 3_000, 3_001), none)
  })
})
