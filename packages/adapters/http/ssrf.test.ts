import assert from 'node:assert/strict'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import type { WebhookResult } from '@postrider/ports/webhookClient.ts'
import { type DnsServer, inTurn, startDnsServer } from '../../../test/support/dnsServer.ts'
import { insideHosts } from '../../../test/support/insideHosts.ts'
import { patientResolver, patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { onOnePort, startRawServer, startWebhookServer } from '../../../test/support/webhookReceiver.ts'

const request = (url: string) => ({ url, headers: {}, body: '{}' })

const summary = (result: WebhookResult): string =>
  result.kind === 'answered' ? String(result.status) : `${result.kind} ${result.reason}`

/** Addresses that are not public, as DNS returns them. */
const insideAddresses = {
  A: [
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  AAAA: [
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2001:0:7f00:1::',
    '2002:7f00:1::',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
  ],
} as const

const startDns = (names: DnsServer['zones'][string]['names']): Promise<DnsServer> =>
  startDnsServer({ zones: { 'rebind.test': { names } } })

/** Listens on every address of this machine. */
const startCanaries = () =>
  onOnePort(
    () => startRawServer(undefined, { host: '::' }),
    (port) => startRawServer(undefined, { host: '0.0.0.0', port }),
  )

describe('webhooks to addresses that are not public', () => {
  it('open no connection for any spelling of a URL', async () => {
    await using canaries = await startCanaries()
    const [canary, canaryOfIpv4] = canaries
    const client = patientWebhookClient({ rules: webhookRules({ ports: [canary.port] }) })
    for (const host of insideHosts)
      assert.equal(summary(await client.post(request(`https://${host}:${canary.port}/`))), 'blocked url', host)
    assert.deepEqual([canary.connections, canaryOfIpv4.connections, client.connections()], [0, 0, { idle: 0, used: 0 }])
  })

  for (const type of ['A', 'AAAA'] as const)
    for (const address of insideAddresses[type])
      it(`open no connection for a name that resolves to ${address}`, async () => {
        await using canaries = await startCanaries()
        const [canary, canaryOfIpv4] = canaries
        // The public address does not help: one address anywhere in the list decides.
        const names = {
          'rebind.test': { A: ['8.8.8.8'], ...{ [type]: [address, ...(type === 'A' ? ['8.8.8.8'] : [])] } },
        }
        await using dns = await startDns(names)
        const rules = webhookRules({ ports: [canary.port] })
        const client = patientWebhookClient({ rules, resolve: patientResolver(dns) })
        const result = await client.post(request(`https://rebind.test:${canary.port}/`))
        assert.equal(summary(result), 'blocked address')
        // The address is not shown: it may be one of the operator's own DNS.
        assert.equal(JSON.stringify(result).includes(address), false)
        assert.deepEqual([canary.connections, canaryOfIpv4.connections], [0, 0])
      })

  it('open no connection if the resolver fails for one family', async () => {
    await using server = await startWebhookServer()
    await using dns = await startDns({ 'rebind.test': { A: ['127.0.0.1'] } })
    const resolve = patientResolver(dns, { tries: 1 })
    const client = patientWebhookClient({ rules: webhookRules({ allow: ['127.0.0.0/8'] }), resolve })
    const url = `http://rebind.test:${server.port}/`
    for (const fault of ['servfail', 'refused', 'malformed'] as const)
      for (const faults of [inTurn(null, fault), inTurn(fault, null), inTurn(fault)]) {
        Object.assign(dns.zones['rebind.test'] ?? {}, { fault: faults })
        assert.equal(summary(await client.post(request(url))), 'failed dns')
      }
    assert.equal(server.connections, 0)
    Object.assign(dns.zones['rebind.test'] ?? {}, { fault: null })
    assert.equal(summary(await client.post(request(url))), '200')
    await client.close()
  })
})

describe('webhooks to a name whose addresses change', () => {
  it('connect to the address that was checked', async () => {
    await using listeners = await onOnePort(
      () => startWebhookServer(undefined, { host: '127.0.0.2' }),
      (port) => startRawServer(undefined, { port }),
    )
    const [server, canary] = listeners
    let queries = 0
    const changing = {
      get A() {
        queries += 1
        return [queries === 1 ? '127.0.0.2' : '127.0.0.1']
      },
    }
    await using dns = await startDns({ 'rebind.test': changing })
    const rules = webhookRules({ allow: ['127.0.0.2/32'] })
    const client = patientWebhookClient({ rules, resolve: patientResolver(dns) })
    const url = `http://rebind.test:${server.port}/`
    assert.equal(summary(await client.post(request(url))), '200')
    assert.equal(server.seen[0]?.headers['host'], `rebind.test:${server.port}`)
    // The open connection leads to an address that the name no longer has.
    assert.deepEqual(client.connections(), { idle: 1, used: 0 })
    assert.equal(summary(await client.post(request(url))), 'blocked address')
    assert.deepEqual([server.seen.length, canary.connections], [1, 0])
    await client.close()
  })

  it('use no connection to an address that the name no longer has', async () => {
    await using servers = await onOnePort(
      () => startWebhookServer(undefined, { host: '127.0.0.2' }),
      (port) => startWebhookServer(undefined, { host: '127.0.0.3', port }),
    )
    const [first, second] = servers
    const record = { A: ['127.0.0.2'] }
    await using dns = await startDns({ 'rebind.test': record })
    const rules = webhookRules({ allow: ['127.0.0.0/8'] })
    const client = patientWebhookClient({ rules, resolve: patientResolver(dns) })
    const url = `http://rebind.test:${first.port}/`
    for (const address of ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.2']) {
      record.A = [address]
      assert.equal(summary(await client.post(request(url))), '200')
    }
    assert.deepEqual([first.seen.length, second.seen.length], [3, 2])
    assert.deepEqual([first.connections, second.connections, client.connections().idle], [2, 1, 1])
    await client.close()
  })

  it('use the next address if the first one refuses the connection', async () => {
    await using server = await startWebhookServer(undefined, { host: '127.0.0.3' })
    await using dns = await startDns({ 'rebind.test': { A: ['127.0.0.2', '127.0.0.3'], AAAA: ['::1'] } })
    const rules = webhookRules({ allow: ['127.0.0.0/8', '::1'] })
    const client = patientWebhookClient({ rules, resolve: patientResolver(dns) })
    assert.equal(summary(await client.post(request(`http://rebind.test:${server.port}/`))), '200')
    assert.equal(summary(await client.post(request(`http://rebind.test:${server.port}/`))), '200')
    assert.equal(server.connections, 1)
    await client.close()
  })
})

describe('webhooks with POSTRIDER_WEBHOOK_ALLOW', () => {
  it('reach exactly the allowed addresses', async () => {
    await using listeners = await onOnePort(
      () => startWebhookServer(undefined, { host: '127.0.0.2' }),
      (port) => startRawServer(undefined, { port }),
      (port) => startRawServer(undefined, { host: '::1', port }),
    )
    const [allowed, canary, canaryOfIpv6] = listeners
    const { port } = allowed
    await using dns = await startDns({
      'in.rebind.test': { A: ['127.0.0.2'] },
      'out.rebind.test': { A: ['127.0.0.1'] },
      'both.rebind.test': { A: ['127.0.0.2', '127.0.0.1'] },
      'six.rebind.test': { A: ['127.0.0.2'], AAAA: ['::1'] },
    })
    const resolve = patientResolver(dns)
    const client = patientWebhookClient({ rules: webhookRules({ allow: ['127.0.0.2/32'] }), resolve })
    for (const [host, expected] of [
      ['127.0.0.2', '200'],
      ['2130706434', '200'],
      ['0x7f.2', '200'],
      ['[::ffff:127.0.0.2]', '200'],
      ['in.rebind.test', '200'],
      ['in.rebind.test.', '200'],
      ['127.0.0.1', 'blocked url'],
      ['localhost', 'blocked url'],
      ['app.localhost.', 'blocked url'],
      ['0.0.0.0', 'blocked url'],
      ['[::]', 'blocked url'],
      ['[::1]', 'blocked url'],
      ['[::ffff:127.0.0.1]', 'blocked url'],
      ['[64:ff9b::127.0.0.2]', 'blocked url'],
      ['out.rebind.test', 'blocked address'],
      ['both.rebind.test', 'blocked address'],
      ['six.rebind.test', 'blocked address'],
      ['none.rebind.test', 'failed dns'],
    ] as const)
      assert.equal(summary(await client.post(request(`http://${host}:${port}/`))), expected, host)
    assert.deepEqual([allowed.seen.length, canary.connections, canaryOfIpv6.connections], [6, 0, 0])
    await client.close()
  })

  it('reach localhost without DNS', async () => {
    await using server = await startWebhookServer(undefined, { host: '::1' })
    const resolve = () => Promise.reject(new Error('a resolver is queried'))
    const client = patientWebhookClient({ rules: webhookRules({ allow: ['::1'] }), resolve })
    assert.equal(summary(await client.post(request(`http://localhost:${server.port}/`))), '200')
    assert.equal(server.seen[0]?.headers['host'], `localhost:${server.port}`)
    await client.close()
  })
})
