import { isPublicAddress } from '@postrider/domain/publicAddress.ts'
import type { After } from '@postrider/kit/after.ts'
import type { CheckAllowance } from './allowance.ts'
import type { QueryRecord } from './configured.ts'
import type { Endpoint, Failure } from './exchange.ts'
import { type Delegation, isInZone, type Meaning, meaningOfAuthority } from './meaning.ts'
import { queryServers, type Sending } from './servers.ts'
import type { SystemNames } from './systemNames.ts'

export type WalkOptions = Sending & {
  names: SystemNames
  random: () => number
  endpointOf?: (address: string) => Endpoint | null
}

/**
 * Returns the endpoint of a DNS server; null: its address is not public. A zone may name any address as its server,
 * also one of the operator's network, so only public addresses are queried.
 */
export const publicEndpoint = (address: string): Endpoint | null =>
  isPublicAddress(address) ? { address, port: 53 } : null

/** Maximum number of zones between a top-level domain and a name. */
const maxReferrals = 16

/** Maximum number of addresses of one host that are used. */
const maxAddresses = 4

/** Time limit of a question to the system's resolver. */
const maxSystemMs = 6_000

/** The codes of `node:dns` that are not a fault of the configuration. */
const failures: Readonly<Record<string, Failure>> = {
  ESERVFAIL: 'servfail',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  EREFUSED: 'refused',
}

/**
 * Queries the authoritative servers of a name. The system's resolver is queried only for the servers of the top-level
 * domain, which change rarely, and for addresses of name servers without glue. From there the walk queries the servers
 * themselves and follows their referrals down (RFC 1034 §5.3.3), so recent changes of records and delegations are
 * found. One call is for one check, whose lookups share the delegations found.
 */
export const queryAuthorities = (options: WalkOptions): QueryRecord => {
  const { names, ...sending } = options
  const delegations = new Map<string, Promise<Delegation | Failure>>()
  const endpoints = endpointsOf(options)

  const topLevelOf = (name: string, allowance: CheckAllowance): Promise<Delegation | Failure> => {
    const zone = name.split('.').at(-1) ?? ''
    const known = delegations.get(zone)
    if (known) return known
    const found = topLevelDelegation(zone, options, allowance)
    delegations.set(zone, found)
    // The next lookup of the check tries again.
    void found.then((delegation) => typeof delegation === 'string' && delegations.delete(zone))
    return found
  }
  /** Returns the delegation that is known and closest to the name. */
  const closest = async (name: string, allowance: CheckAllowance): Promise<Delegation | Failure> => {
    const zones = [...delegations.keys()].filter((zone) => isInZone(name, zone))
    const [longest] = zones.toSorted((a, b) => b.length - a.length)
    const known = longest === undefined ? undefined : delegations.get(longest)
    return known ?? topLevelOf(name, allowance)
  }

  return async (question, allowance) => {
    let delegation = await closest(question.name, allowance)
    for (let depth = 0; depth < maxReferrals; depth++) {
      if (typeof delegation === 'string') return { kind: 'failed', why: delegation }
      const { zone } = delegation
      const meaning: Meaning = await queryServers(endpoints(delegation, allowance), {
        question: { ...question, wantsRecursion: false },
        meaningOf: (reply) => meaningOfAuthority(reply, question, zone),
        sending,
        allowance,
      })
      if (meaning.kind !== 'referral') return meaning
      delegation = meaning.delegation
      delegations.set(delegation.zone, Promise.resolve(delegation))
    }
    return { kind: 'failed', why: 'lame' }
  }
}

/**
 * A top-level domain that the system's resolver does not find is a fault of this resolver, as in a network without the
 * internet: names are checked against the public suffix list before they are stored.
 */
const topLevelDelegation = async (
  zone: string,
  { names, after }: WalkOptions,
  allowance: CheckAllowance,
): Promise<Delegation | Failure> => {
  const refusal = allowance.takeQuery()
  if (refusal !== null) return refusal
  try {
    const hosts = await inTime((signal) => names.serversOf(zone, signal), after, allowance)
    return { zone, hosts: hosts.map((host) => host.toLowerCase()), glue: new Map() }
  } catch (thrown) {
    if (allowance.signal.aborted) return 'failed'
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    return failures[code] ?? 'failed'
  }
}

/** Aborts `query` when the time of the lookup is over. */
const inTime = async <T>(
  query: (signal: AbortSignal) => Promise<T>,
  after: After,
  allowance: CheckAllowance,
): Promise<T> => {
  const late = new AbortController()
  using _timer = after(allowance.limitMs(maxSystemMs), () => late.abort())
  return await query(AbortSignal.any([allowance.signal, late.signal]))
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)

/**
 * Returns a function that lists the servers of a delegation in random order: those with glue first, then the others,
 * whose addresses are looked up one host at a time, when they are needed.
 */
const endpointsOf = ({ names, random, after, endpointOf = publicEndpoint }: WalkOptions) => {
  const addresses = new Map<string, Promise<string[]>>()
  const lookUp = (host: string, allowance: CheckAllowance): Promise<string[]> => {
    const known = addresses.get(host)
    if (known) return known
    if (allowance.takeQuery() !== null) return Promise.resolve([])
    const found = inTime((signal) => names.addressesOf(host, signal), after, allowance).then(
      (all) => all.slice(0, maxAddresses),
      () => [],
    )
    addresses.set(host, found)
    return found
  }
  return async function* ({ hosts, glue }: Delegation, allowance: CheckAllowance): AsyncGenerator<Endpoint> {
    const inOrder = shuffled(hosts, random)
    for (const host of inOrder) for (const address of glue.get(host) ?? []) yield* asEndpoint(address)
    for (const host of inOrder) {
      if (glue.has(host)) continue
      for (const address of await lookUp(host, allowance)) yield* asEndpoint(address)
    }
  }

  function asEndpoint(address: string): Endpoint[] {
    const endpoint = endpointOf(address)
    return endpoint ? [endpoint] : []
  }
}
