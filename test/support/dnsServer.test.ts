import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { type DnsServer, inTurn, startDnsServer, type Zones } from './dnsServer.ts'

/** Node's own resolver is the client here: it shares no code with ours. */
describe('DNS server of the tests', () => {
  const zones: Zones = {
    'a.test': {
      names: {
        'a.test': {
          TXT: ['x'.repeat(300), ['one', 'two']],
          MX: [[5, 'mx.a.test']],
          NS: ['ns.a.test'],
          A: ['192.0.2.1'],
        },
        'mx.a.test': { AAAA: ['2001:db8::1'] },
        'alias.a.test': { CNAME: 'a.test' },
        'x.b.a.test': { TXT: ['deep'] },
        '*.w.a.test': { TXT: ['wild'] },
        'long.a.test': { TXT: Array.from({ length: 30 }, () => 'y'.repeat(200)) },
      },
    },
    'refused.test': { names: {}, fault: 'refused' },
    'failing.test': { names: {}, fault: 'servfail' },
    'tcp.test': { names: { 'tcp.test': { TXT: ['over TCP'] } }, fault: 'truncated' },
    'flapping.test': { names: { 'flapping.test': { TXT: ['up'] } }, fault: inTurn('servfail', null) },
  }
  let server: DnsServer
  let client: Resolver
  before(async () => {
    server = await startDnsServer({ zones })
    client = new Resolver({ tries: 1, timeout: 120_000 })
    client.setServers([server.address])
  })
  after(() => server[Symbol.asyncDispose]())

  it('answers with the records of each type', async () => {
    assert.deepEqual(await client.resolveTxt('a.test'), [
      ['x'.repeat(255), 'x'.repeat(45)],
      ['one', 'two'],
    ])
    const mail = await client.resolveMx('a.test')
    assert.deepEqual(
      mail.map(({ exchange, priority }) => [exchange, priority]),
      [['mx.a.test', 5]],
    )
    assert.deepEqual(await client.resolveNs('a.test'), ['ns.a.test'])
    assert.deepEqual(await client.resolve4('a.test'), ['192.0.2.1'])
    assert.deepEqual(await client.resolve6('mx.a.test'), ['2001:db8::1'])
    assert.deepEqual(await client.resolveCname('alias.a.test'), ['a.test'])
    assert.deepEqual(await client.resolve4('alias.a.test'), ['192.0.2.1'])
    assert.deepEqual(await client.resolveTxt('any.w.a.test'), [['wild']])
  })

  for (const [name, code] of [
    ['gone.a.test', 'ENOTFOUND'],
    ['b.a.test', 'ENODATA'],
    ['mx.a.test', 'ENODATA'],
    ['refused.test', 'EREFUSED'],
    ['other.invalid', 'EREFUSED'],
    ['failing.test', 'ESERVFAIL'],
  ] as const)
    it(`fails with ${code} for ${name}`, async () => {
      await assert.rejects(client.resolveTxt(name), { code })
    })

  it('answers over TCP where the answer is too long for UDP, or truncated', async () => {
    const before = server.queries.length
    assert.equal((await client.resolveTxt('long.a.test')).length, 30)
    assert.deepEqual(await client.resolveTxt('tcp.test'), [['over TCP']])
    assert.deepEqual(
      server.queries.slice(before).map(({ via }) => via),
      ['udp', 'tcp', 'udp', 'tcp'],
    )
  })

  it('changes its answer when a test changes a zone', async () => {
    const names = zones['a.test']?.names ?? {}
    await assert.rejects(client.resolveTxt('new.a.test'), { code: 'ENOTFOUND' })
    names['new.a.test'] = { TXT: ['new'] }
    assert.deepEqual(await client.resolveTxt('new.a.test'), [['new']])
  })

  it('fails in turn where the fault is a function', async () => {
    await assert.rejects(client.resolveTxt('flapping.test'), { code: 'ESERVFAIL' })
    assert.deepEqual(await client.resolveTxt('flapping.test'), [['up']])
  })
})
