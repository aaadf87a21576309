import assert from 'node:assert/strict'
import type { QueryEvent } from '@postrider/adapters/dns/exchange.ts'
import { type DnsResolver, dnsResolver, type ResolverOptions } from '@postrider/adapters/dns/resolver.ts'
import { publicEndpoint } from '@postrider/adapters/dns/walk.ts'
import { type DnsServer, startDnsServer, type Zone, type Zones } from './dnsServer.ts'
import { type ManualTime, manualTime } from './manualTime.ts'

/*
 * Resolvers over servers on loopback, with a clock and timers that a test moves. The time limit of a query passes as
 * soon as its server has decided not to answer.
 */

export const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`

/** The zone of most cases. */
export const example = (): Zones => ({
  'example.test': {
    names: {
      'example.test': { NS: ['ns1.example.test'], TXT: ['v=spf1 -all', 'token=1'], MX: [[10, 'MX.example.test']] },
      'ns1.example.test': { A: ['192.0.2.2'] },
      's1._domainkey.example.test': { TXT: [key] },
      'parts.example.test': { TXT: [['v=spf1 ', '', '-all']] },
      'nomail.example.test': { MX: [[0, '.']] },
      'a.b.example.test': { TXT: ['deep'] },
      '*.wild.example.test': { TXT: ['wild'] },
      'known.wild.example.test': { TXT: ['known'] },
      'alias.example.test': { CNAME: 'Example.test' },
      'alias2.example.test': { CNAME: 'alias.example.test' },
      'nowhere.example.test': { CNAME: 'gone.example.test' },
      'loop1.example.test': { CNAME: 'loop2.example.test' },
      'loop2.example.test': { CNAME: 'loop1.example.test' },
      'self.example.test': { CNAME: 'self.example.test' },
      'both.example.test': { CNAME: 'example.test', TXT: ['both'] },
      'outside.example.test': { CNAME: 'records.provider.test' },
      'todns.example.test': { CNAME: '\u00e9.example.test' },
      'utf8.example.test': { TXT: ['gr\u00fcn'] },
      'long.example.test': { TXT: Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(200)}`) },
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, index) => [`c${index}.example.test`, { CNAME: `c${index + 1}.example.test` }]),
      ),
      'c10.example.test': { TXT: ['end'] },
    },
  },
  'provider.test': {
    names: {
      'provider.test': { NS: ['ns1.provider.test'] },
      'ns1.provider.test': { A: ['192.0.2.3'] },
      'records.provider.test': { TXT: ['of the provider'] },
    },
  },
})
export const spoiled = (fault: Zone['fault']): Zones => {
  const zones = example()
  for (const zone of Object.values(zones)) zone.fault = fault ?? null
  return zones
}
export type Harness = AsyncDisposable & {
  resolver: DnsResolver
  time: ManualTime
  events: QueryEvent[]
  /** The servers of example.test, in the order in which they are queried. */
  servers: DnsServer[]
}

export type HarnessOptions = {
  /** The zones of each server of example.test. */
  zones: readonly Zones[]
  limits?: ResolverOptions['limits']
  /** Whether the time limit of a query passes when a reply to another query arrives. */
  isIgnoredLast?: boolean
}

const started = async (zones: readonly Zones[]): Promise<{ stack: AsyncDisposableStack; servers: DnsServer[] }> => {
  const stack = new AsyncDisposableStack()
  const servers: DnsServer[] = []
  for (const one of zones) servers.push(stack.use(await startDnsServer({ zones: one })))
  return { stack, servers }
}

const watching = (servers: readonly DnsServer[], { limits = {}, isIgnoredLast = true }: HarnessOptions) => {
  const time = manualTime()
  const events: QueryEvent[] = []
  for (const server of servers) server.onSilence = time.fireNext
  const observe = (event: QueryEvent): void => {
    events.push(event)
    if (event.outcome === 'ignored' && isIgnoredLast) time.fireNext()
  }
  return {
    time,
    events,
    options: { limits, observe, elapsed: time.elapsed, after: time.after } satisfies ResolverOptions,
  }
}

export const endpointsOf = (servers: readonly DnsServer[]) => servers.map(({ host, port }) => ({ address: host, port }))

/** The servers are those of POSTRIDER_DNS. */
export const withServers = async (options: HarnessOptions): Promise<Harness> => {
  const { stack, servers } = await started(options.zones)
  const { time, events, options: common } = watching(servers, options)
  const resolver = dnsResolver({ ...common, servers: endpointsOf(servers) })
  return { resolver, time, events, servers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/**
 * Addresses of name servers in the zones: 192.0.2.1 is the one of `test`, .3 of provider.test, .11 and more of
 * example.test.
 */
export const topLevel = (hosts: number): Zones => ({
  test: {
    names: {
      test: { NS: ['ns.test'] },
      'example.test': { NS: Array.from({ length: hosts }, (_, index) => `ns${index + 1}.example.test`) },
      ...Object.fromEntries(
        Array.from({ length: hosts }, (_, index) => [`ns${index + 1}.example.test`, { A: [`192.0.2.${index + 11}`] }]),
      ),
      'provider.test': { NS: ['ns.elsewhere.invalid'] },
    },
  },
})

const systemAddresses: Readonly<Record<string, string[]>> = {
  'ns.test': ['192.0.2.1'],
  'ns.elsewhere.invalid': ['192.0.2.3'],
}

/** The servers are found by a walk from `test`. */
export const byWalk = async (
  options: HarnessOptions & Pick<ResolverOptions, 'names'> & { top?: Zones },
): Promise<Harness & { top: DnsServer }> => {
  const { 'provider.test': provider = { names: {} } } = example()
  const topZones = options.top ?? topLevel(options.zones.length)
  const { stack, servers } = await started([topZones, { 'provider.test': provider }, ...options.zones])
  const { time, events, options: common } = watching(servers, options)
  const [top, other, ...own] = endpointsOf(servers)
  const endpoints = new Map([
    ['192.0.2.1', top],
    ['192.0.2.3', other],
    ...own.map((endpoint, index) => [`192.0.2.${index + 11}`, endpoint] as const),
  ])
  const resolver = dnsResolver({
    ...common,
    random: () => 0,
    names: options.names ?? {
      serversOf: async () => ['NS.test'],
      addressesOf: async (host) => systemAddresses[host] ?? [],
    },
    endpointOf: (address) => endpoints.get(address) ?? publicEndpoint(address),
  })
  const [first] = servers
  assert.ok(first)
  return {
    resolver,
    time,
    events,
    top: first,
    servers: servers.slice(2),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
export const modes = [
  ['with configured servers', withServers, 2],
  ['with authoritative servers', byWalk, 3],
] as const
