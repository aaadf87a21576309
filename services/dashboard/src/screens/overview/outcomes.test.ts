import assert from 'node:assert/strict'
import type { RecipientCounts } from '../../api/stats.ts'
import { bounceRate, complaintRate, countOf, deliveryRate, outcomes } from './outcomes.ts'

const none: RecipientCounts = {
  scheduled: 0,
  queued: 0,
  sending: 0,
  deferred: 0,
  unknown: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  suppressed: 0,
  canceled: 0,
  complained: 0,
}

describe('outcomes of recipients', () => {
  it('have each status of the API once, so that they add up to what was accepted', () => {
    const statuses: string[] = outcomes.flatMap((outcome) => outcome.statuses)
    assert.deepEqual(statuses.toSorted(), Object.keys(none).toSorted())
    const counts = Object.fromEntries(Object.keys(none).map((name, index) => [name, 2 ** index])) as RecipientCounts
    const sum = outcomes.reduce((total, outcome) => total + countOf(counts, outcome), 0)
    assert.equal(sum, 2 ** statuses.length - 1)
  })

  it('count a complaint as delivered', () => {
    const counts = { ...none, delivered: 199, complained: 1, bounced: 50, deferred: 50 }
    assert.equal(deliveryRate(counts, 300), 200 / 3)
    assert.equal(bounceRate(counts), 20)
    assert.equal(complaintRate(counts), 0.5)
  })

  it('have no rate without mail', () => {
    assert.equal(deliveryRate(none, 0), null)
    assert.equal(bounceRate({ ...none, failed: 3 }), null)
    assert.equal(complaintRate({ ...none, bounced: 3 }), null)
  })
})
