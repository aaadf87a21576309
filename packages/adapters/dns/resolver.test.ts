import assert from 'node:assert/strict'
import process from 'node:process'
import { setImmediate as nextIteration } from 'node:timers/promises'
import {
  endpointsOf,
  example,
  type Harness,
  key,
  modes,
  spoiled,
  withServers,
} from '../../../test/support/dnsHarness.ts'
import { answer, apex, apexText, missing, txt, unknown } from '../../../test/support/dnsResults.ts'
import { type Fault, inTurn, startDnsServer } from '../../../test/support/dnsServer.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { skip } from '../../../test/support/skip.ts'
import type { Endpoint } from './exchange.ts'
import { type DnsResolver, dnsResolver } from './resolver.ts'

/** Each form of records with its literal result, in both modes. */
const forms = [
  ['several TXT records', 'example.test', 'TXT', apexText],
  ['a name in capitals', 'EXAMPLE.Test', 'TXT', apexText],
  ['a long text in two strings', 's1._domainkey.example.test', 'TXT', answer(txt([key.slice(0, 255), key.slice(255)]))],
  ['strings as they are', 'parts.example.test', 'TXT', answer(txt(['v=spf1 ', '', '-all']))],
  ['a text in UTF-8', 'utf8.example.test', 'TXT', answer(txt(['gr\u00fcn']))],
  ['an MX record', 'example.test', 'MX', answer([{ type: 'MX', priority: 10, host: 'mx.example.test' }])],
  ['the null MX', 'nomail.example.test', 'MX', answer([{ type: 'MX', priority: 0, host: '' }])],
  ['a wildcard', 'any.wild.example.test', 'TXT', answer(txt(['wild']))],
  ['a name next to a wildcard', 'known.wild.example.test', 'TXT', answer(txt(['known']))],
  ['another type at a wildcard', 'any.wild.example.test', 'MX', missing('nodata')],
  ['a name that does not exist', 'gone.example.test', 'TXT', missing('nxdomain')],
  ['a name without the type', 's1._domainkey.example.test', 'MX', missing('nodata')],
  ['an empty non-terminal', 'b.example.test', 'TXT', missing('nodata')],
  ['a name below an empty non-terminal', 'a.b.example.test', 'TXT', answer(txt(['deep']))],
  ['a CNAME', 'alias.example.test', 'TXT', { ...apexText, aliases: ['example.test'] }],
  ['two CNAMEs', 'alias2.example.test', 'TXT', { ...apexText, aliases: ['alias.example.test', 'example.test'] }],
  [
    'a CNAME to another zone',
    'outside.example.test',
    'TXT',
    answer(txt(['of the provider']), ['records.provider.test']),
  ],
  ['a CNAME to no name', 'nowhere.example.test', 'TXT', missing('nxdomain', ['gone.example.test'])],
  ['a CNAME to a name without the type', 'outside.example.test', 'MX', missing('nodata', ['records.provider.test'])],
  ['a CNAME that is queried', 'alias2.example.test', 'CNAME', answer([{ type: 'CNAME', host: 'alias.example.test' }])],
  ['no CNAME', 'example.test', 'CNAME', missing('nodata')],
  ['a CNAME next to TXT', 'both.example.test', 'TXT', answer(txt(['both']), [], true)],
  ['a CNAME to itself', 'self.example.test', 'TXT', unknown('loop')],
  ['a loop of CNAMEs', 'loop1.example.test', 'TXT', unknown('loop')],
  [
    'eight CNAMEs',
    'c2.example.test',
    'TXT',
    answer(
      txt(['end']),
      [3, 4, 5, 6, 7, 8, 9, 10].map((n) => `c${n}.example.test`),
    ),
  ],
  ['nine CNAMEs', 'c1.example.test', 'TXT', unknown('loop')],
  ['a CNAME to a name of other bytes', 'todns.example.test', 'TXT', missing('nxdomain', ['\\195\\169.example.test'])],
  [
    'an answer too long for UDP',
    'long.example.test',
    'TXT',
    answer(txt(...Array.from({ length: 40 }, (_, index) => [`${index} ${'x'.repeat(200)}`]))),
  ],
  ['an empty name', '', 'TXT', unknown('failed')],
  ['a name with an empty label', 'a..test', 'TXT', unknown('failed')],
  ['a name with a long label', `${'a'.repeat(64)}.test`, 'TXT', unknown('failed')],
  ['a name of 254 bytes', `${'a.'.repeat(125)}test`, 'TXT', unknown('failed')],
] as const

/** The result of a TXT query at the apex for each fault of the only server: with POSTRIDER_DNS, and of an authority. */
const faults: readonly (readonly [string, Fault | (() => Fault | null), object, object])[] = [
  ['SERVFAIL', 'servfail', unknown('servfail'), unknown('servfail')],
  ['REFUSED', 'refused', unknown('refused'), unknown('refused')],
  ['FORMERR for EDNS', 'noEdns', apexText, apexText],
  ['an answer without authority', 'notAuthoritative', apexText, unknown('lame')],
  ['a referral to itself', 'selfReferral', unknown('lame'), unknown('lame')],
  ['a referral to the root', 'upReferral', unknown('lame'), unknown('lame')],
  ['no answer', 'silent', unknown('timeout'), unknown('timeout')],
  ['a truncated answer', 'truncated', apexText, apexText],
  ['a truncated answer and no TCP', 'truncatedWithoutTcp', unknown('failed'), unknown('failed')],
  ['a truncated answer over TCP', 'truncatedTwice', unknown('malformed'), unknown('malformed')],
  ['an answer over TCP that never ends', 'drip', unknown('timeout'), unknown('timeout')],
  ['a record that is cut off', 'malformed', unknown('malformed'), unknown('malformed')],
  ['a compression pointer to itself', 'pointerLoop', unknown('malformed'), unknown('malformed')],
  ['three bytes', 'short', unknown('malformed'), unknown('malformed')],
  ['an answer with another id', 'wrongId', unknown('timeout'), unknown('timeout')],
  ['an answer to another question', 'wrongQuestion', unknown('timeout'), unknown('timeout')],
  ['an answer with another id and then the right one', 'wrongIdFirst', apexText, apexText],
  ['names in capitals', 'upperCase', apexText, apexText],
  ['records of other names and classes', 'garbage', apexText, apexText],
  ['an answer after a while', { until: async () => {} }, apexText, apexText],
  ['no answer the first time', inTurn('silent', null, null), apexText, apexText],
]
for (const [mode, start, column] of modes)
  describe(`resolver ${mode}`, () => {
    describe('for each form of records', () => {
      let harness: Harness
      before(async () => {
        const { 'example.test': own = { names: {} }, ...others } = example()
        harness = await start({
          zones: [mode === 'with configured servers' ? { 'example.test': own, ...others } : { 'example.test': own }],
        })
      })
      after(() => harness[Symbol.asyncDispose]())

      for (const [form, name, type, expected] of forms)
        it(`returns the result of ${form}`, async () => {
          assert.deepEqual(await harness.resolver.lookup({ name, type }), expected)
        })
    })

    for (const [form, fault, ...results] of faults) {
      const expected = results[column - 2]
      const isIgnoredLast = fault !== 'wrongIdFirst'
      it(`returns the result of ${form}`, async () => {
        await using harness = await start({ zones: [spoiled(fault)], isIgnoredLast })
        assert.deepEqual(await harness.resolver.lookup(apex), expected)
      })

      it(`queries another server after ${form}`, async () => {
        await using harness = await start({ zones: [spoiled(fault), example()], isIgnoredLast })
        assert.deepEqual(await harness.resolver.lookup(apex), apexText)
      })
    }

    it('finds a CNAME next to TXT if the server answers with one type only', async () => {
      await using harness = await start({ zones: [spoiled('oneType')] })
      const both = { name: 'both.example.test', type: 'TXT' } as const
      assert.deepEqual(await harness.resolver.lookup(both), answer(txt(['both']), [], true))
    })

    it('returns NXDOMAIN of a server that has it for empty non-terminals, and the records below', async () => {
      await using harness = await start({ zones: [spoiled('nxdomainForEmpty')] })
      assert.deepEqual(await harness.resolver.lookup({ name: 'b.example.test', type: 'TXT' }), missing('nxdomain'))
      assert.deepEqual(await harness.resolver.lookup({ name: 'a.b.example.test', type: 'TXT' }), answer(txt(['deep'])))
    })

    it('returns what changed between two checks', async () => {
      const zones = example()
      await using harness = await start({ zones: [zones] })
      const names = zones['example.test']?.names ?? {}
      assert.deepEqual(await harness.resolver.lookup(apex), apexText)
      names['example.test'] = { TXT: ['changed'] }
      assert.deepEqual(await harness.resolver.lookup(apex), answer(txt(['changed'])))
      delete names['example.test']
      assert.deepEqual(await harness.resolver.lookup(apex), missing('nodata'))
    })

    it('returns each result of a server that fails at times', async () => {
      await using harness = await start({ zones: [spoiled(inTurn('servfail', null, null, 'refused'))] })
      const results = [
        await harness.resolver.lookup(apex),
        await harness.resolver.lookup(apex),
        await harness.resolver.lookup(apex),
      ]
      assert.deepEqual(results, [unknown('servfail'), apexText, unknown('refused')])
    })
  })

/** A resolver without time limits, which a busy machine would exceed. */
const still = (servers: readonly Endpoint[]): DnsResolver => {
  const { elapsed, after } = manualTime()
  return dnsResolver({ servers, elapsed, after })
}

describe('resolver with configured servers', () => {
  it('returns NODATA of a server that marks it in no way', async () => {
    await using harness = await withServers({ zones: [spoiled('bareNodata')] })
    assert.deepEqual(await harness.resolver.lookup({ name: 'b.example.test', type: 'TXT' }), missing('nodata'))
  })

  it('is refused for a name outside the zones of the server', async () => {
    await using harness = await withServers({ zones: [example()] })
    assert.deepEqual(await harness.resolver.lookup({ name: 'other.invalid', type: 'TXT' }), unknown('refused'))
  })

  it('sends queries to a server over IPv6', async function overIpv6() {
    const server = await startDnsServer({ zones: example(), host: '::1' }).catch(() => null)
    if (server === null) return skip(this, 'this machine has no IPv6 loopback address')
    await using _server = server
    const resolver = still(endpointsOf([server]))
    assert.deepEqual(await resolver.lookup(apex), apexText)
    assert.equal((await resolver.lookup({ name: 'long.example.test', type: 'TXT' })).kind, 'answer')
  })

  it('sends queries to servers whose host is a name', async () => {
    await using server = await startDnsServer({ zones: example() })
    const resolver = still([{ address: 'localhost', port: server.port }])
    assert.deepEqual(await resolver.lookup(apex), apexText)
  })

  it('is unknown if the port is none', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length
    // A socket leaves the list in the event loop iteration after its close, also those of the tests before.
    await nextIteration()
    const before = sockets()
    const resolver = still([{ address: '127.0.0.1', port: 65_536 }])
    assert.deepEqual(await resolver.lookup(apex), unknown('failed'))
    await nextIteration()
    assert.equal(sockets(), before)
  })

  it('is unknown if the system does not send to the server', async () => {
    // The system refuses datagrams to the broadcast address.
    const resolver = still([{ address: '255.255.255.255', port: 53 }])
    assert.deepEqual(await resolver.lookup(apex), unknown('failed'))
  })
})
