import assert from 'node:assert/strict'
import {
  auditNetwork,
  clientAddress,
  isInNetworks,
  isLoopbackAddress,
  isLoopbackHost,
  isPrivateHost,
  networkArea,
  networkMatcher,
  parseNetwork,
  rateLimitClient,
  shortAddress,
  unmapAddress,
} from './network.ts'

describe('network rules', () => {
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
    it(`counts "${address}" as the client ${client} and records it as "${network}"`, () =>
      assert.deepEqual([rateLimitClient(address), auditNetwork(address)], [client, network]))

  for (const [address, area] of [
    ['203.0.113.9', '203.0.0.0/16'],
    ['::ffff:203.0.113.9', '203.0.0.0/16'],
    ['2001:0db8:1:2::1', '2001:db8::/32'],
    ['not an address', ''],
  ] as const)
    it(`counts "${address}" in the area "${area}"`, () => assert.equal(networkArea(address), area))

  for (const [address, short] of [
    ['127.0.0.1', '127.0.0.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['0::FFFF:7f00:1', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['localhost', 'localhost'],
    ['', ''],
  ] as const)
    it(`shortens "${address}" to "${short}"`, () => assert.equal(shortAddress(address), short))

  it('recognizes the addresses of this machine in each spelling', () => {
    for (const address of ['127.0.0.1', '127.9.8.7', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'])
      assert.ok(isLoopbackAddress(address), address)
    for (const address of [
      '10.0.0.7',
      '128.0.0.1',
      '::',
      '::2',
      '::ffff:10.0.0.7',
      '127.evil.example',
      'localhost',
      '',
    ])
      assert.ok(!isLoopbackAddress(address), address)
  })

  it('recognizes the hosts that mean this machine', () => {
    const hosts = [
      'localhost',
      'LOCALHOST.',
      'a.b.localhost',
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ]
    for (const host of hosts) {
      for (const suffix of ['', ':', ':8080']) assert.ok(isLoopbackHost(host + suffix), host + suffix)
    }
    for (const host of [
      '',
      '::1',
      'evil.example',
      'localhost.evil.example',
      '127.evil.example',
      '127.0.0.1.evil.example',
      '[::2]',
      '[::ffff:10.0.0.7]',
      '[localhost]',
      'evil.example:127.0.0.1',
      'localhost:123456',
    ])
      assert.ok(!isLoopbackHost(host), host)
  })

  it('recognizes the hosts that an attacker cannot make resolve to another machine', () => {
    for (const host of ['postrider', 'gateway:8080', 'gateway.postrider.svc', 'gateway.postrider.svc.cluster.local:80'])
      assert.ok(isPrivateHost(host), host)
    for (const host of [
      '192.168.0.10:8080',
      '[2001:db8::1]:8080',
      'mail.internal.',
      'printer.local',
      'nas.lan',
      'box.home.arpa',
      'x.test',
    ])
      assert.ok(isPrivateHost(host), host)
    for (const host of [
      '',
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.nip.io',
      'local.example',
      'svc.evil.example.',
      '.',
    ])
      assert.ok(!isPrivateHost(host), host)
  })

  it('unwraps an IPv4-mapped address and leaves any other as it is', () => {
    assert.equal(unmapAddress('::FFFF:192.0.2.1'), '192.0.2.1')
    for (const same of ['192.0.2.1', '2001:db8::1', '::1', '']) assert.equal(unmapAddress(same), same)
  })

  for (const [text, expected] of [
    ['10.0.0.0/8', '10.0.0.0/8 ipv4'],
    ['192.0.2.1', '192.0.2.1/32 ipv4'],
    ['2001:db8::/32', '2001:db8::/32 ipv6'],
    ['::1', '::1/128 ipv6'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8 ipv4'],
    ['::ffff:10.0.0.1', '10.0.0.1/32 ipv4'],
    ['10.0.0.0/33', null],
    ['2001:db8::/129', null],
    ['10.0.0.0/', null],
    ['10.0.0.0/8/8', null],
    ['10.0.0.0/-1', null],
    ['example.com', null],
    ['', null],
  ] as const)
    it(`reads the network "${text}" as ${expected}`, () => {
      const network = parseNetwork(text)
      assert.equal(network && `${network.address}/${network.bits} ${network.family}`, expected)
    })

  it('matches an address with a network of one address only if they are equal', () => {
    assert.equal(isInNetworks(['192.0.2.1'], '192.0.2.1'), true)
    assert.equal(isInNetworks(['192.0.2.1'], '192.0.2.2'), false)
  })

  it('matches IPv4 addresses with 0.0.0.0/0 and not with ::/0', () => {
    assert.equal(isInNetworks(['::/0'], '192.0.2.2'), false)
    assert.equal(isInNetworks(['0.0.0.0/0'], '192.0.2.2'), true)
    assert.equal(isInNetworks(['0.0.0.0/0'], '2001:db8::1'), false)
  })

  it('matches no network with a text that is not an address', () => {
    for (const text of ['', 'example.com', '10.0.0']) assert.equal(isInNetworks(['0.0.0.0/0', '::/0'], text), false)
  })

  it('takes the last hop that is not a trusted proxy as the client', () => {
    const client = (trusted: string[], peer: string, forwardedFor: string) =>
      clientAddress(peer, forwardedFor, networkMatcher(trusted.flatMap((text) => parseNetwork(text) ?? [])))
    assert.equal(client([], '127.0.0.1', '198.51.100.7'), '127.0.0.1')
    assert.equal(client(['10.0.0.0/8'], '::ffff:127.0.0.1', '198.51.100.7'), '127.0.0.1')
    assert.equal(client(['127.0.0.0/8'], '::ffff:127.0.0.1', '198.51.100.7'), '198.51.100.7')
    const hops = '1.2.3.4, 198.51.100.7:443, 10.1.2.3'
    assert.equal(client(['127.0.0.1', '::ffff:10.0.0.0/104'], '127.0.0.1', hops), '198.51.100.7')
    assert.equal(client(['127.0.0.1'], '127.0.0.1', '[2001:db8::1]:80'), '2001:db8::1')
    assert.equal(client(['127.0.0.1'], '127.0.0.1', 'nonsense'), '127.0.0.1')
    // A client could choose its own address behind a proxy that appends `unknown` to its header, as squid can.
    for (const last of ['unknown', '_hidden', '10.0.0.1:port'])
      assert.equal(client(['127.0.0.1'], '127.0.0.1', `198.51.100.7, ${last}`), '127.0.0.1')
    assert.equal(client(['127.0.0.1'], '127.0.0.1', '198.51.100.7, , 127.0.0.1,'), '198.51.100.7')
    assert.equal(client(['::/0'], '127.0.0.1', '10.0.0.1'), '127.0.0.1')
  })
})
