import assert from 'node:assert/strict'
import { domainBuckets, operatorGuesses } from './buckets.ts'

describe('guesses at the operator token', () => {
  it('are counted for each IPv4 address', () => {
    assert.notEqual(operatorGuesses('192.0.2.1').key, operatorGuesses('192.0.2.2').key)
  })

  it('are counted together for the IPv6 addresses of one network', () => {
    assert.equal(operatorGuesses('2001:db8::1').key, operatorGuesses('2001:db8::2').key)
  })
})

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
