import assert from 'node:assert/strict'
import { startDnsServer } from '../../../test/support/dnsServer.ts'
import { patientResolver } from '../../../test/support/patientWebhookClient.ts'

const zones = () => ({
  'example.test': {
    names: {
      'both.example.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
      'four.example.test': { A: ['192.0.2.1'] },
      'six.example.test': { AAAA: ['2001:db8::1'] },
      'alias.example.test': { CNAME: 'both.example.test' },
      'empty.example.test': { TXT: ['a'] },
    },
  },
})

const never = new AbortController().signal

describe('addresses of hosts', () => {
  for (const [host, expected] of [
    ['both.example.test', ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
    ['four.example.test', ['192.0.2.1']],
    ['six.example.test', ['2001:db8::1']],
    ['alias.example.test', ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
    ['empty.example.test', null],
    ['none.example.test', null],
  ] as const)
    it(`are ${expected?.join(', ') ?? 'missing'} for ${host}`, async () => {
      await using dns = await startDnsServer({ zones: zones() })
      const resolved = await patientResolver(dns)(host, never)
      assert.deepEqual(resolved, expected === null ? { kind: 'missing' } : { kind: 'found', addresses: expected })
    })

  it('are those of the server at an IPv6 address', async () => {
    await using dns = await startDnsServer({ zones: zones(), host: '::1' })
    const resolved = await patientResolver(dns)('four.example.test', never)
    assert.deepEqual(resolved, { kind: 'found', addresses: ['192.0.2.1'] })
  })

  it('are resolved by the server each time', async () => {
    await using dns = await startDnsServer({ zones: zones() })
    const resolve = patientResolver(dns)
    await resolve('four.example.test', never)
    await resolve('four.example.test', never)
    assert.deepEqual(dns.queries.map(({ type }) => type).toSorted(), ['A', 'A', 'AAAA', 'AAAA'])
  })

  it('are not returned by a server that is not reached, or by an aborted lookup', async () => {
    await using dns = await startDnsServer({ zones: { 'example.test': { names: {}, fault: 'silent' } } })
    const stopping = new AbortController()
    dns.onSilence = () => stopping.abort()
    const resolve = patientResolver(dns)
    assert.deepEqual(await resolve('four.example.test', stopping.signal), { kind: 'failed' })
    assert.deepEqual(await resolve('four.example.test', stopping.signal), { kind: 'failed' })
    assert.deepEqual(await resolve('four.other.test', never), { kind: 'failed' })
  })
})
