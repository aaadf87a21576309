import assert from 'node:assert/strict'
import { accountPseudonym, familiarNetwork, logInFailures, refusalEntries } from './logInLimits.ts'

const account = accountPseudonym('ada@example.com')
const address = '203.0.113.9'

describe('login limits', () => {
  it('name accounts by a pseudonym', () => {
    const { pair, client, network, account: ofAccount } = logInFailures(account, address)
    const all = [...pair, ...client, ...network, ...ofAccount, familiarNetwork(account, address)]
    assert.ok(!JSON.stringify(all).includes('ada'))
    assert.notEqual(accountPseudonym('eve@example.com'), account)
  })

  // A store of several servers holds the buckets of one request on one server.
  it('use buckets with one prefix in each request, and each bucket once', () => {
    const keysOf = (buckets: readonly { key: string }[]) => buckets.map(({ key }) => key)
    for (const from of [address, '2001:db8:1:2::7', '']) {
      const failures = Object.values(logInFailures(account, from))
      for (const buckets of [...failures, refusalEntries(account, from)])
        assert.equal(new Set(keysOf(buckets).map((key) => key.slice(0, key.indexOf('/')))).size, 1)
      const keys = keysOf([...failures.flat(), ...refusalEntries(account, from), familiarNetwork(account, from)])
      assert.equal(new Set(keys).size, keys.length)
    }
  })

  const pairs: [a: string, b: string, same: ('client' | 'network')[]][] = [
    [address, '203.0.113.9', ['client', 'network']],
    [address, '::ffff:203.0.113.9', ['client', 'network']],
    [address, '203.0.113.10', ['network']],
    [address, '203.0.114.9', []],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', ['client', 'network']],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0003::1', ['network']],
    ['2001:db8:1:2::1', '2001:db8:2:2::1', []],
    ['', 'nonsense', ['client', 'network']],
  ]
  for (const [a, b, same] of pairs)
    it(`count "${a}" and "${b}" as the same ${same.join(' and ') || 'nothing'}`, () => {
      const [first, second] = [logInFailures(account, a), logInFailures(account, b)]
      for (const part of ['client', 'network'] as const)
        assert.equal(first[part][0]?.key === second[part][0]?.key, same.includes(part), part)
      const isFamiliar = familiarNetwork(account, a).key === familiarNetwork(account, b).key
      assert.equal(isFamiliar, same.includes('network'))
    })

  it('make each further tier slower', () => {
    for (const tiers of Object.values(logInFailures(account, address)))
      for (const [at, tier] of tiers.entries()) {
        const before = tiers[at - 1]
        if (before) assert.ok(tier.rate < before.rate && tier.burst > before.burst)
      }
  })
})
