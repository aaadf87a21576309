import assert from 'node:assert/strict'
import { byWalk, example, type Harness, spoiled, topLevel } from '../../../test/support/dnsHarness.ts'
import { answer, apex, apexText, missing, txt, unknown } from '../../../test/support/dnsResults.ts'
import type { Zones } from '../../../test/support/dnsServer.ts'
import type { SystemNames } from './systemNames.ts'
import { publicEndpoint } from './walk.ts'

/** Delegates example.test to hosts with these addresses. */
const delegatedTo = (addresses: readonly string[]): Zones => {
  const hosts = addresses.map((_, index) => `ns${index + 1}.example.test`)
  const zones = topLevel(0)
  const names = zones['test']?.names ?? {}
  names['example.test'] = { NS: hosts }
  for (const [index, address] of addresses.entries()) {
    names[`ns${index + 1}.example.test`] = address.includes(':') ? { AAAA: [address] } : { A: [address] }
  }
  return zones
}

const system = (part: Partial<SystemNames>): SystemNames => ({
  serversOf: async () => ['ns.test'],
  addressesOf: async (host) => (host === 'ns.test' ? ['192.0.2.1'] : []),
  ...part,
})

const queriedNames = ({ servers }: Harness): string[] =>
  servers.flatMap(({ queries }) => queries.map(({ name }) => name))

describe('walk to the authoritative servers', () => {
  it('finds the server of a zone below, although the zone above has older records', async () => {
    const own = example()
    const names = own['example.test']?.names ?? {}
    names['sub.example.test'] = { NS: ['ns2.sub.example.test'] }
    names['ns2.sub.example.test'] = { A: ['192.0.2.12'] }
    names['a.sub.example.test'] = { TXT: ['old'] }
    const below: Zones = { 'sub.example.test': { names: { 'a.sub.example.test': { TXT: ['new'] } } } }
    await using harness = await byWalk({ zones: [own, below], top: topLevel(1) })
    const { lookup } = harness.resolver
    assert.deepEqual(await lookup({ name: 'a.sub.example.test', type: 'TXT' }), answer(txt(['new'])))
    assert.deepEqual(await lookup({ name: 'b.sub.example.test', type: 'TXT' }), missing('nxdomain'))
  })

  it('follows a delegation that changed between two checks', async () => {
    const moved: Zones = { 'example.test': { names: { 'example.test': { TXT: ['moved'] } } } }
    await using harness = await byWalk({ zones: [example(), moved], top: topLevel(1) })
    assert.deepEqual(await harness.resolver.lookup(apex), apexText)
    Object.assign(harness.top.zones, delegatedTo(['192.0.2.12']))
    assert.deepEqual(await harness.resolver.lookup(apex), answer(txt(['moved'])))
  })

  it('returns NXDOMAIN for a name that its parent does not delegate', async () => {
    await using harness = await byWalk({ zones: [example()] })
    const gone = { name: 'a.unregistered.test', type: 'TXT' } as const
    assert.deepEqual(await harness.resolver.lookup(gone), missing('nxdomain'))
  })

  it('queries a delegation once per check', async () => {
    await using harness = await byWalk({ zones: [example()] })
    const check = harness.resolver.begin()
    for (let times = 0; times < 3; times++) assert.deepEqual(await check.lookup(apex), apexText)
    assert.equal(harness.top.queries.length, 1)
    await harness.resolver.begin().lookup(apex)
    assert.equal(harness.top.queries.length, 2)
  })

  it('answers lookups of one check at the same time', async () => {
    await using harness = await byWalk({ zones: [example()] })
    const check = harness.resolver.begin()
    const results = await Promise.all([
      check.lookup(apex),
      check.lookup(apex),
      check.lookup({ ...apex, name: 'gone.test' }),
    ])
    assert.deepEqual(results, [apexText, apexText, missing('nxdomain')])
  })

  it('does not accept NODATA that no authority marks', async () => {
    await using harness = await byWalk({ zones: [spoiled('bareNodata')] })
    assert.deepEqual(await harness.resolver.lookup({ name: 'b.example.test', type: 'TXT' }), unknown('lame'))
  })

  for (const address of [
    '127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    '2002:7f00:1::1',
  ])
    it(`never queries a server at ${address}`, async () => {
      await using harness = await byWalk({ zones: [example()], top: delegatedTo([address]) })
      assert.deepEqual(await harness.resolver.lookup(apex), unknown('lame'))
      assert.equal(harness.events.length, 1)
    })

  it('never queries a private address that the name of a server has', async () => {
    const top: Zones = { test: { names: { 'example.test': { NS: ['localhost', 'rebind.invalid'] } } } }
    const queried: string[] = []
    const addressesOf = async (host: string): Promise<string[]> => {
      queried.push(host)
      return host === 'ns.test' ? ['192.0.2.1'] : ['127.0.0.1', '::1', '10.0.0.1']
    }
    await using harness = await byWalk({ zones: [], top, names: system({ addressesOf }) })
    assert.deepEqual(await harness.resolver.lookup(apex), unknown('lame'))
    assert.deepEqual([queried, harness.events.length], [['ns.test', 'localhost', 'rebind.invalid'], 1])
  })

  it('queries another server of a zone that has a private one too', async () => {
    await using harness = await byWalk({ zones: [example()], top: delegatedTo(['127.0.0.1', '192.0.2.11']) })
    assert.deepEqual(await harness.resolver.lookup(apex), apexText)
  })

  it('ignores an address outside the zone of the server that names it', async () => {
    const top: Zones = {
      test: { names: { 'example.test': { NS: ['ns.victim.invalid'] }, 'ns.victim.invalid': { A: ['192.0.2.11'] } } },
    }
    await using harness = await byWalk({ zones: [example()], top, names: system({}) })
    assert.deepEqual(await harness.resolver.lookup(apex), unknown('lame'))
    assert.deepEqual(queriedNames(harness), [])
  })

  it('queries at most six of a hundred lame servers', async () => {
    const top = delegatedTo(Array.from({ length: 100 }, (_, index) => `192.0.2.${index + 11}`))
    await using harness = await byWalk({ zones: Array.from({ length: 8 }, () => spoiled('refused')), top })
    assert.deepEqual(await harness.resolver.lookup(apex), unknown('refused'))
    assert.equal(queriedNames(harness).length, 6)
  })

  // Regression: a zone that names one server six times made each question six queries to it.
  it('queries a server once that a zone names under many hosts', async () => {
    for (const fault of ['refused', 'servfail', 'notAuthoritative'] as const) {
      const top = delegatedTo(Array.from({ length: 100 }, () => '192.0.2.11'))
      await using harness = await byWalk({ zones: [spoiled(fault)], top })
      assert.equal((await harness.resolver.lookup(apex)).kind, 'unknown')
      assert.equal(queriedNames(harness).length, 1)
    }
  })

  it('looks up at most eight of a hundred servers without addresses', async () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `ns${index}.elsewhere.invalid`)
    const top: Zones = { test: { names: { 'example.test': { NS: hosts } } } }
    const queried: string[] = []
    const addressesOf = async (host: string): Promise<string[]> => {
      queried.push(host)
      return host === 'ns.test' ? ['192.0.2.1'] : []
    }
    await using harness = await byWalk({ zones: [], top, names: system({ addressesOf }) })
    assert.deepEqual(await harness.resolver.lookup(apex), unknown('lame'))
    assert.equal(queried.length, 9)
  })

  for (const [code, why] of [
    ['ESERVFAIL', 'servfail'],
    ['ETIMEOUT', 'timeout'],
    ['EREFUSED', 'refused'],
    ['ENOTFOUND', 'failed'],
    ['ENODATA', 'failed'],
    ['ECONNREFUSED', 'failed'],
  ] as const)
    it(`is unknown if the system's resolver fails with ${code}`, async () => {
      const serversOf = async (): Promise<never> => {
        throw Object.assign(new Error(`queryNs ${code} test`), { code })
      }
      await using harness = await byWalk({ zones: [], names: system({ serversOf }) })
      assert.deepEqual(await harness.resolver.lookup(apex), unknown(why))
    })

  it("is unknown if the system's resolver does not answer in time", async () => {
    const { promise: isQueried, resolve: onQuery } = Promise.withResolvers<void>()
    const serversOf = (_: string, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(Object.assign(new Error('canceled'), { code: 'ECANCELLED' })))
        onQuery()
      })
    await using harness = await byWalk({ zones: [], names: system({ serversOf }) })
    const result = harness.resolver.lookup(apex)
    await isQueried
    harness.time.fireNext()
    assert.deepEqual(await result, unknown('timeout'))
  })

  it("queries the system's resolver again after it failed once in a check", async () => {
    let queried = 0
    const serversOf = async (): Promise<string[]> => {
      queried += 1
      if (queried === 1) throw Object.assign(new Error('queryNs ESERVFAIL test'), { code: 'ESERVFAIL' })
      return ['ns.test']
    }
    await using harness = await byWalk({ zones: [example()], names: system({ serversOf }) })
    const check = harness.resolver.begin()
    assert.deepEqual(await check.lookup(apex), unknown('servfail'))
    assert.deepEqual(await check.lookup(apex), apexText)
  })

  it('queries public servers on port 53', () => {
    assert.deepEqual(publicEndpoint('8.8.8.8'), { address: '8.8.8.8', port: 53 })
    assert.deepEqual(publicEndpoint('2606:4700::1111'), { address: '2606:4700::1111', port: 53 })
    assert.equal(publicEndpoint('192.168.0.1'), null)
  })
})
