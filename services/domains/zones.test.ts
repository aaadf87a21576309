import assert from 'node:assert/strict'
import type { Endpoint } from '@postrider/adapters/dns/exchange.ts'
import { type DnsResolver, dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import type { DomainRecord } from '@postrider/contracts/services.ts'
import {
  type DnsServer,
  type Fault,
  inTurn,
  type Rrsets,
  startDnsServer,
  type Zones,
} from '../../test/support/dnsServer.ts'
import { manualTime } from '../../test/support/manualTime.ts'
import { actor, slow, testDomains, workspace } from '../../test/support/testDomains.ts'

/*
 * Checks of domains whose zones have one authority each, on real DNS servers. A walk from `example` finds them.
 */

const bounceDomain = 'bounces.postrider.example'
const spf = `v=spf1 include:${bounceDomain} ~all`
type Names = Record<string, Rrsets>
type Shown = DomainRecord['records'][number]

/** The records of a domain, as the cases below change them. */
const partsOf = ({ name, records }: DomainRecord) => {
  const [ownership, rsa, ed25519] = records as [Shown, Shown, Shown]
  const bounces = `bounces.${name}`
  const right: Names = {
    [ownership.name]: { TXT: [ownership.value] },
    [rsa.name]: { TXT: [rsa.value] },
    [ed25519.name]: { TXT: [ed25519.value] },
    [bounces]: { MX: [[10, bounceDomain]], TXT: [spf] },
    [`_dmarc.${name}`]: { TXT: ['v=DMARC1; p=none'] },
    [name]: { TXT: ['v=spf1 -all'] },
  }
  const selector = rsa.name.slice(0, rsa.name.indexOf('.'))
  return { name, ownership, rsa, ed25519, bounces, right, selector, dmarc: `_dmarc.${name}` }
}

type Parts = ReturnType<typeof partsOf>
type Purpose = 'ownership' | 'dkim' | 'return_path_mx' | 'return_path_spf' | 'dmarc'
type Case = {
  zone: string
  names: (parts: Parts) => Record<string, Rrsets | undefined>
  fault?: Fault
  /** The parent does not delegate the zone. */
  isGone?: true
  record: Purpose
  /** The status of the domain and of the record. */
  status: [domain: string, record: string]
  problem: (parts: Parts) => string
}

const [unverified, verified] = ['pending', 'verified']
const quoted = (name: string, what = 'quotation marks') =>
  `The value at ${name} contains ${what}; remove them, so that only the value shown is left.`
const unchecked = (name: string, why: string, fix = '') =>
  `The DNS servers for ${name} ${why}, so the record could not be checked; it is checked again soon.${fix}`
const delegation = ' Compare the name servers that your registrar lists with those of your DNS provider.'

/** All records are as in the complete zone, except those that `names` replaces or removes. */
const cases: Case[] = [
  {
    zone: 'without the ownership record',
    names: ({ ownership }) => ({ [ownership.name]: undefined }),
    record: 'ownership',
    status: [unverified, 'missing'],
    problem: ({ name }) => `There is no TXT record at _postrider.${name}. Add the record shown.`,
  },
  {
    zone: 'that is not registered',
    isGone: true,
    names: () => ({}),
    record: 'ownership',
    status: [unverified, 'missing'],
    problem: ({ name }) => `The domain ${name} does not exist in DNS. Check its spelling, and that it is registered.`,
  },
  {
    zone: 'with the domain appended to the ownership record',
    names: ({ name, ownership }) => ({
      [ownership.name]: undefined,
      [`${ownership.name}.${name}`]: { TXT: [ownership.value] },
    }),
    record: 'ownership',
    status: [unverified, 'missing'],
    problem: ({ name }) =>
      `The record is at _postrider.${name}.${name} instead of _postrider.${name}. The domain was appended twice. If your DNS panel appends ${name} by itself, enter _postrider as the name.`,
  },
  {
    zone: 'with quotes in the ownership record',
    names: ({ ownership }) => ({ [ownership.name]: { TXT: [`"${ownership.value}"`] } }),
    record: 'ownership',
    status: [unverified, 'wrong'],
    problem: ({ ownership }) => quoted(ownership.name),
  },
  {
    zone: 'with spaces in the ownership record',
    names: ({ ownership }) => ({ [ownership.name]: { TXT: [ownership.value.replace('=', ' = ')] } }),
    record: 'ownership',
    status: [unverified, 'wrong'],
    problem: ({ ownership }) => quoted(ownership.name, 'spaces'),
  },
  {
    zone: 'with the token of another workspace',
    names: ({ ownership }) => ({ [ownership.name]: { TXT: ['postrider-verification=other'] } }),
    record: 'ownership',
    status: [unverified, 'wrong'],
    problem: ({ ownership }) =>
      `The value at ${ownership.name} is the token of another workspace, or of a domain that was deleted. Add a TXT record with the value shown.`,
  },
  {
    zone: 'with a CNAME next to the ownership record',
    names: ({ ownership }) => ({ [ownership.name]: { TXT: [ownership.value], CNAME: 'parked.provider.example' } }),
    record: 'ownership',
    status: [unverified, 'wrong'],
    problem: ({ ownership }) =>
      `There is a CNAME to parked.provider.example at ${ownership.name} next to the TXT record; a name with a CNAME must have no other record. Delete the CNAME.`,
  },
  {
    zone: 'with a CNAME to nowhere',
    names: ({ ownership }) => ({ [ownership.name]: { CNAME: 'parked.provider.example' } }),
    record: 'ownership',
    status: [unverified, 'missing'],
    problem: ({ ownership }) =>
      `There is a CNAME at ${ownership.name} to parked.provider.example, where no TXT record is. Delete the CNAME, and add the TXT record shown.`,
  },
  {
    zone: 'with a loop of CNAMEs',
    names: ({ ownership, name }) => ({
      [ownership.name]: { CNAME: `loop.${name}` },
      [`loop.${name}`]: { CNAME: ownership.name },
    }),
    record: 'ownership',
    status: [unverified, 'unknown'],
    problem: ({ ownership }) =>
      unchecked(
        ownership.name,
        'have a chain of CNAMEs that is a loop or too long',
        ' Delete the CNAME, and add the record shown.',
      ),
  },
  {
    zone: 'with a chain of ten CNAMEs',
    names: ({ ownership, name }) => ({
      [ownership.name]: { CNAME: `c0.${name}` },
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`c${index}.${name}`, { CNAME: `c${index + 1}.${name}` }]),
      ),
      [`c9.${name}`]: { TXT: [ownership.value] },
    }),
    record: 'ownership',
    status: [unverified, 'unknown'],
    problem: ({ ownership }) =>
      unchecked(
        ownership.name,
        'have a chain of CNAMEs that is a loop or too long',
        ' Delete the CNAME, and add the record shown.',
      ),
  },
  {
    zone: 'with a wildcard of another service',
    names: ({ ownership, name }) => ({ [ownership.name]: undefined, [`*.${name}`]: { TXT: ['v=spf1 -all'] } }),
    record: 'ownership',
    status: [unverified, 'missing'],
    problem: ({ ownership }) =>
      `There is no record at ${ownership.name} itself: the answer comes from a wildcard record. Add the TXT record shown; it takes precedence over the wildcard.`,
  },
  {
    zone: 'with the domain appended to the key',
    names: ({ rsa, name }) => ({ [rsa.name]: undefined, [`${rsa.name}.${name}`]: { TXT: [rsa.value] } }),
    record: 'dkim',
    status: [unverified, 'missing'],
    problem: ({ rsa, name, selector }) =>
      `The record is at ${rsa.name}.${name} instead of ${rsa.name}. The domain was appended twice. If your DNS panel appends ${name} by itself, enter ${selector}._domainkey as the name.`,
  },
  {
    zone: 'with quoted strings as one',
    names: ({ rsa }) => ({ [rsa.name]: { TXT: [`"${rsa.value.slice(0, 200)}" "${rsa.value.slice(200)}"`] } }),
    record: 'dkim',
    status: [unverified, 'wrong'],
    problem: ({ rsa }) => quoted(rsa.name),
  },
  {
    zone: 'with a key that is cut off',
    names: ({ rsa }) => ({ [rsa.name]: { TXT: [rsa.value.slice(0, 255)] } }),
    record: 'dkim',
    status: [unverified, 'wrong'],
    problem: ({ rsa }) =>
      `The key at ${rsa.name} is cut off: its last ${rsa.value.length - 255} characters are missing. Enter the whole value shown; if your DNS panel accepts only 255 characters, split the value into several strings of one record.`,
  },
  {
    zone: 'with the key of another selector',
    names: ({ rsa, ed25519 }) => ({ [rsa.name]: { TXT: [ed25519.value] } }),
    record: 'dkim',
    status: [unverified, 'wrong'],
    problem: ({ rsa, ed25519 }) =>
      `The key at ${rsa.name} belongs to ${ed25519.name}. Enter the value that is shown for ${rsa.name}.`,
  },
  {
    zone: 'with the key at the name of another selector',
    names: ({ rsa, ed25519 }) => ({ [rsa.name]: undefined, [ed25519.name]: { TXT: [rsa.value] } }),
    record: 'dkim',
    status: [unverified, 'missing'],
    problem: ({ rsa, ed25519 }) =>
      `The record is at ${ed25519.name} instead of ${rsa.name}. That name is for another key. Move it to ${rsa.name}.`,
  },
  {
    zone: 'with the key under a name without _domainkey',
    names: ({ rsa, name, selector }) => ({ [rsa.name]: undefined, [`${selector}.${name}`]: { TXT: [rsa.value] } }),
    record: 'dkim',
    status: [unverified, 'missing'],
    problem: ({ rsa, name, selector }) =>
      `The record is at ${selector}.${name} instead of ${rsa.name}. The name is wrong. Move it to ${rsa.name}.`,
  },
  {
    zone: 'with a revoked key',
    names: ({ rsa }) => ({ [rsa.name]: { TXT: ['v=DKIM1; k=rsa; p='] } }),
    record: 'dkim',
    status: [unverified, 'wrong'],
    problem: ({ rsa }) => `The key at ${rsa.name} is revoked: nothing stands after p=. Enter the whole value shown.`,
  },
  {
    zone: 'with two keys at a name',
    names: ({ rsa, ed25519 }) => ({ [rsa.name]: { TXT: [rsa.value, ed25519.value] } }),
    record: 'dkim',
    status: [unverified, 'wrong'],
    problem: ({ rsa }) =>
      `There are several keys at ${rsa.name}; receivers may use the wrong one. Keep only the TXT record with the value shown.`,
  },
  {
    zone: 'without the MX record',
    names: ({ bounces }) => ({ [bounces]: { TXT: [spf] } }),
    record: 'return_path_mx',
    status: [verified, 'missing'],
    problem: ({ bounces }) => `There is no MX record at ${bounces}. Add the record shown.`,
  },
  {
    zone: 'with the domain appended to the mail server',
    names: ({ bounces, name }) => ({ [bounces]: { MX: [[10, `${bounceDomain}.${name}`]], TXT: [spf] } }),
    record: 'return_path_mx',
    status: [verified, 'wrong'],
    problem: ({ bounces }) =>
      `Your DNS panel appended a domain to the mail server of ${bounces}. Enter ${bounceDomain}. with the dot at its end.`,
  },
  {
    zone: 'with two SPF records',
    names: ({ bounces }) => ({ [bounces]: { MX: [[10, bounceDomain]], TXT: [spf, 'v=spf1 -all'] } }),
    record: 'return_path_spf',
    status: [verified, 'wrong'],
    problem: ({ bounces }) =>
      `There are 2 SPF records at ${bounces}; receivers then reject all of them. Keep one: ${spf}`,
  },
  {
    zone: 'with an SPF record of 11 lookups',
    names: ({ bounces }) => ({
      [bounces]: {
        MX: [[10, bounceDomain]],
        TXT: [`v=spf1 ${'a mx '.repeat(5)}include:${bounceDomain} ~all`],
      },
    }),
    record: 'return_path_spf',
    status: [verified, 'wrong'],
    problem: ({ bounces }) =>
      `The SPF record at ${bounces} needs more than 10 DNS lookups, so receivers reject it. Replace it with: ${spf}`,
  },
  {
    zone: 'with an SPF record without the include',
    names: ({ bounces }) => ({ [bounces]: { MX: [[10, bounceDomain]], TXT: ['v=spf1 mx ~all'] } }),
    record: 'return_path_spf',
    status: [verified, 'wrong'],
    problem: ({ bounces }) => `The SPF record at ${bounces} lacks include:${bounceDomain}. Replace it with: ${spf}`,
  },
  {
    zone: 'with two policies',
    names: ({ dmarc }) => ({ [dmarc]: { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] } }),
    record: 'dmarc',
    status: [verified, 'wrong'],
    problem: ({ dmarc }) => `There are 2 DMARC records at ${dmarc}; receivers then ignore all of them. Keep one.`,
  },
  {
    zone: 'with a policy that rejects mail before it is signed',
    names: ({ dmarc, rsa }) => ({ [dmarc]: { TXT: ['v=DMARC1; p=reject'] }, [rsa.name]: undefined }),
    record: 'dmarc',
    status: [unverified, 'wrong'],
    problem: ({ dmarc, name }) =>
      `With the policy p=reject at ${dmarc}, receivers reject mail that is not signed. Set the DKIM record of ${name} before you send.`,
  },
  {
    zone: 'with a policy that rejects mail from subdomains',
    names: ({ dmarc }) => ({ [dmarc]: { TXT: ['v=DMARC1; p=reject; adkim=s'] } }),
    record: 'dmarc',
    status: [verified, 'wrong'],
    problem: ({ dmarc, name }) =>
      `With the strict alignment adkim=s at ${dmarc}, receivers reject mail from subdomains of ${name}. Change adkim=s to adkim=r, or switch subdomains off.`,
  },
  ...(
    [
      ['whose server fails', 'servfail', 'answered SERVFAIL', ''],
      ['whose server refuses', 'refused', 'refused to answer', ''],
      ['whose server does not have it', 'selfReferral', 'do not answer for this domain', delegation],
      ['whose server refers to the root', 'upReferral', 'do not answer for this domain', delegation],
      ['whose server sends damaged replies', 'malformed', 'sent an answer that cannot be read', ''],
    ] as const
  ).map(
    ([zone, fault, why, fix]): Case => ({
      zone,
      fault,
      names: () => ({}),
      record: 'ownership',
      status: [unverified, 'unknown'],
      problem: ({ ownership }) => unchecked(ownership.name, why, fix),
    }),
  ),
  {
    zone: 'whose server does not answer',
    fault: 'silent',
    names: () => ({}),
    record: 'ownership',
    status: [unverified, 'unknown'],
    problem: ({ ownership }) => unchecked(ownership.name, 'did not answer in time'),
  },
]

type Good = { zone: string; fault?: Fault | (() => Fault | null); names: (parts: Parts) => Names }

/** Zones in which nothing is wrong. */
const good: Good[] = [
  { zone: 'with every record', names: () => ({}) },
  {
    zone: 'with other texts, and strings that are split elsewhere',
    names: ({ ownership, rsa }) => ({
      [ownership.name]: { TXT: ['other', ['postrider-verification=', ownership.value.slice(23)]] },
      [rsa.name]: { TXT: [[rsa.value.slice(0, 100), '', rsa.value.slice(100, 300), rsa.value.slice(300)]] },
    }),
  },
  {
    zone: 'with CNAMEs to the zone of a provider',
    names: ({ ownership, rsa, name }) => ({
      [ownership.name]: { CNAME: `hop.${name}` },
      [`hop.${name}`]: { CNAME: `ownership.${name}.provider.example` },
      [rsa.name]: { CNAME: `key.${name}.provider.example` },
    }),
  },
  {
    zone: 'with the ownership record as a wildcard',
    names: ({ ownership, name }) => ({ [`*.${name}`]: { TXT: [ownership.value] } }),
  },
  { zone: 'whose replies are in upper case', fault: 'upperCase', names: () => ({}) },
  { zone: 'whose replies fit into TCP only', fault: 'truncated', names: () => ({}) },
  { zone: 'whose server is old', fault: 'noEdns', names: () => ({}) },
  { zone: 'whose server is slow', fault: { until: () => new Promise(setImmediate) }, names: () => ({}) },
]

/**
 * A clock for a resolver. It moves to the time limit of the queries in flight when servers have left all of them
 * without an answer.
 */
const silenceClock = () => {
  const time = manualTime()
  let silent = 0
  const endQueries = (): void => {
    if (silent < time.pending()) return
    const ended = silent
    silent = 0
    for (let count = 0; count < ended; count++) time.fireNext()
  }
  const onSilence = (): void => {
    silent += 1
    endQueries()
  }
  return { onSilence, limits: slow, elapsed: time.elapsed, after: time.after, observe: endQueries }
}

/** Starts a server for each zone, and one for `example`, which delegates to them. */
const internet = async () => {
  const stack = new AsyncDisposableStack()
  const endpoints = new Map<string, Endpoint>()
  const { onSilence, ...clock } = silenceClock()
  const top: Zones = { example: { names: { example: { NS: ['ns.example'] } } } }
  const start = async (zones: Zones): Promise<{ server: DnsServer; address: string }> => {
    const server = stack.use(await startDnsServer({ zones }))
    server.onSilence = onSilence
    const address = `192.0.2.${endpoints.size + 1}`
    endpoints.set(address, { address: server.host, port: server.port })
    return { server, address }
  }
  const first = await start(top)
  const delegated = top['example']?.names ?? {}
  /** Returns the zone, which the test edits. */
  const authority = async (name: string) => {
    const { server, address } = await start({ [name]: { names: {} } })
    delegated[name] = { NS: [`ns1.${name}`] }
    delegated[`ns1.${name}`] = { A: [address] }
    return server.zones[name] ?? assert.fail()
  }
  const resolver = (): DnsResolver =>
    dnsResolver({
      ...clock,
      names: {
        serversOf: async () => ['ns.example'],
        addressesOf: async (host) => (host === 'ns.example' ? [first.address] : []),
      },
      endpointOf: (address) => endpoints.get(address) ?? null,
    })
  /** Removes a delegation. @returns a function that restores it */
  const unregister = (name: string) => {
    const before = { ...delegated }
    for (const one of [name, `ns1.${name}`]) delete delegated[one]
    return () => void Object.assign(delegated, before)
  }
  return { authority, resolver, unregister, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A person's check is never answered before it ends. */
const pause = () => new Promise<never>(() => {})

const defined = (names: Record<string, Rrsets | undefined>): Names =>
  Object.fromEntries(Object.entries(names).flatMap(([name, rrsets]) => (rrsets ? [[name, rrsets]] : [])))

describe('checks of zones on servers of their own', () => {
  const stack = new AsyncDisposableStack()
  let net: Awaited<ReturnType<typeof internet>>
  let rig: Awaited<ReturnType<typeof testDomains>>
  let domains: (typeof rig)['domains']
  let added = 0

  before(async () => {
    net = stack.use(await internet())
    rig = stack.use(await testDomains({ bounceDomain, pause, dns: net.resolver() }))
    domains = rig.domains
    const provider = await net.authority('postrider.example')
    provider.names[bounceDomain] = { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] }
  })
  after(() => stack.disposeAsync())

  const add = async (to = domains) => {
    added += 1
    const name = `z${added}.example`
    const zone = await net.authority(name)
    const created = await to.Create({ workspace, name, actor })
    return { zone, parts: partsOf(created), request: { workspace, id: created.id, actor } }
  }

  for (const { zone: title, names, fault, isGone, record, status, problem } of cases)
    it(`name the mistake of a zone ${title}, and verify it when it is corrected`, async () => {
      const { zone, parts, request } = await add()
      const undo = isGone ? net.unregister(parts.name) : () => {}
      zone.names = defined({ ...parts.right, ...names(parts) })
      zone.fault = fault ?? null
      const checked = await domains.Verify(request)
      const found = checked.records.find(({ purpose }) => purpose === record)
      assert.deepEqual([checked.status, found?.status], status)
      assert.equal(found?.problem, problem(parts))

      undo()
      zone.names = parts.right
      zone.fault = null
      const corrected = await domains.Verify(request)
      assert.equal(corrected.status, 'verified')
      assert.deepEqual(
        corrected.records.map((one) => [one.status, one.problem]),
        corrected.records.map(() => ['found', undefined]),
      )
    })

  for (const { zone: title, names, fault } of good)
    it(`find nothing wrong in a zone ${title}`, async () => {
      const { zone, parts, request } = await add()
      const provider = await net.authority('provider.example')
      provider.names = {
        [`ownership.${parts.name}.provider.example`]: { TXT: [parts.ownership.value] },
        [`key.${parts.name}.provider.example`]: { TXT: [parts.rsa.value] },
      }
      zone.names = { ...parts.right, ...names(parts) }
      zone.fault = fault ?? null
      const checked = await domains.Verify(request)
      assert.equal(checked.status, 'verified')
      assert.deepEqual(
        checked.records.map((one) => [one.status, one.problem]),
        checked.records.map(() => ['found', undefined]),
      )
    })

  it('are at least 30, of which 25 are broken', () => {
    assert.ok(cases.length >= 25 && cases.length + good.length >= 30)
  })

  it('never change a verified domain while its server fails, refuses, is lame and answers by turns', async () => {
    await using daily = await testDomains({ bounceDomain, dns: net.resolver() })
    const { zone, parts, request } = await add(daily.domains)
    zone.names = parts.right
    await daily.domains.Verify(request)
    const outcomes = ['servfail', 'refused', null, 'selfReferral', 'malformed', null, 'servfail'] as const
    zone.fault = inTurn(...outcomes)
    for (let day = 0; day < 20; day++) {
      await daily.jump(1.2 * 86_400_000)
      assert.equal((await daily.stored(request.id)).status, 'verified')
    }
    const statuses = daily.entries.filter(({ action }) => action === 'domain.status')
    assert.equal(statuses.length, 1)
  })
})
