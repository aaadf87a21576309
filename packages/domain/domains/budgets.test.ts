import assert from 'node:assert/strict'
import { domainBuckets } from './budgets.ts'

describe('budgets of the domains of a workspace', () => {
  it('allow two keys and two checks of each domain immediately', () => {
    const { keys, questions } = domainBuckets('ws_1', 300)
    assert.deepEqual([keys.burst, questions.burst], [600, 60_000])
  })

  it('are no smaller for fewer than 100 domains', () => {
    assert.deepEqual(domainBuckets('ws_1', 1), domainBuckets('ws_1', 100))
  })

  it('belong to one workspace each', () => {
    const [one, other] = [domainBuckets('ws_1', 1), domainBuckets('ws_2', 1)]
    assert.equal(new Set([one, other].flatMap(({ keys, questions }) => [keys.key, questions.key])).size, 4)
  })
})
