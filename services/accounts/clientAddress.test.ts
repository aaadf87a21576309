import assert from 'node:assert/strict'
import { clientOf, networkOf } from './clientAddress.ts'
import { isWithin } from './networks.ts'

describe('a client address', () => {
  for (const [address, client, network] of [
    ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001::1', '2001:db8:1:0::/64', '2001:db8:1::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['', 'unknown', ''],
    ['not an address', 'unknown', ''],
  ] as const)
    it(`“${address}” is the client ${client} in the network “${network}”`, () =>
      assert.deepEqual([clientOf(address), networkOf(address)], [client, network]))

  it('is in a network of one address when it is that one', () => {
    assert.equal(isWithin(['192.0.2.1'], '192.0.2.1'), true)
    assert.equal(isWithin(['192.0.2.1'], '192.0.2.2'), false)
    assert.equal(isWithin(['::/0'], '192.0.2.2'), false)
    assert.equal(isWithin(['0.0.0.0/0'], '192.0.2.2'), true)
  })
})
