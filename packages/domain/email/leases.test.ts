import assert from 'node:assert/strict'
import { claimOutcome, deathsAfter, maxDeaths } from './leases.ts'

describe('leases', () => {
  it('count as one death each when they ended without an outcome', () => {
    assert.equal(deathsAfter({ deaths: 2, hasLease: true }), 3)
  })

  it('count as no death when they were released', () => {
    assert.equal(deathsAfter({ deaths: 2, hasLease: false }), 2)
  })
})

describe('claim of a due email', () => {
  it('leases mail whose workers never died', () => {
    assert.deepEqual(claimOutcome({ deaths: 0, hasLease: false }), { kind: 'leased', deaths: 0 })
  })

  it('counts the death of the worker whose lease expired', () => {
    assert.deepEqual(claimOutcome({ deaths: 0, hasLease: true }), { kind: 'leased', deaths: 1 })
    const last = { deaths: maxDeaths - 2, hasLease: true }
    assert.deepEqual(claimOutcome(last), { kind: 'leased', deaths: maxDeaths - 1 })
  })

  it('parks mail at the last permitted death', () => {
    const expired = { deaths: maxDeaths - 1, hasLease: true }
    assert.deepEqual(claimOutcome(expired), { kind: 'parked', deaths: maxDeaths })
  })

  it('parks mail whose last death was counted when its leases were cleared', () => {
    const cleared = { deaths: maxDeaths, hasLease: false }
    assert.deepEqual(claimOutcome(cleared), { kind: 'parked', deaths: maxDeaths })
  })
})
