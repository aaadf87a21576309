import type { DnsRecord, LookupResult, Question, UnknownWhy } from '@postrider/domain/domains/lookup.ts'
import { type After, afterReads } from '@postrider/kit/after.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import type { DnsLookup } from '@postrider/ports/domains.ts'
import { type AllowanceLimits, allowanceOf, type Spending, startSpending } from './allowance.ts'
import { type QueryRecord, queryConfigured } from './configured.ts'
import type { Endpoint, QueryEvent } from './exchange.ts'
import type { Meaning } from './meaning.ts'
import { type DnsMessageRecord, isQueryName, type RecordType } from './message.ts'
import { type SystemNames, systemNames } from './systemNames.ts'
import { queryAuthorities, type WalkOptions } from './walk.ts'

/*
 * Looks up the records of sending domains. The files of this folder:
 * - `resolver.ts`: one lookup: its limits, its chain of CNAMEs, its result;
 * - `configured.ts`: queries only the servers of POSTRIDER_DNS;
 * - `walk.ts`: without them, finds the authoritative servers of a name and queries these; `systemNames.ts`: where it
 *   starts; `withResolver.ts`: queries of the resolver of Node that can be canceled;
 * - `servers.ts`: several servers with failover;
 * - `meaning.ts`: what a reply means; `exchange.ts`: one query to one server over UDP and TCP; `message.ts`: the
 *   format;
 * - `allowance.ts`: the bounds of a check;
 * - `names.ts`: the watch of the names in the configuration, which uses the system's resolver alone.
 */

export type ResolverOptions = {
  /** The servers of POSTRIDER_DNS, in the order in which they are queried; none: the authoritative ones. */
  servers?: readonly Endpoint[]
  /** Called for each query, for metrics. */
  observe?: (event: QueryEvent) => void
  limits?: Partial<ResolverLimits>
  /** Monotonic time in milliseconds, and timers that follow it. */
  elapsed?: Monotonic
  after?: After
  /** Returns a number in [0, 1), which decides the order of the servers of a zone. */
  random?: () => number
  names?: SystemNames
  /** Where a server of this address is reached; null: never, because the address is not public. */
  endpointOf?: WalkOptions['endpointOf']
}

/** Limits of one query, one lookup and one check. */
export type ResolverLimits = {
  /** Maximum time of one query over UDP, and of one over TCP. */
  tryMs: number
  lookupMs: number
  check: AllowanceLimits
}

const defaultResolverLimits: ResolverLimits = {
  tryMs: 2_000,
  lookupMs: 10_000,
  check: { queries: 250, bytes: 256 * 1_024, ms: 30_000 },
}

/** Maximum length of a chain of CNAMEs that is followed. */
const maxAliases = 8

/** A `lookup` of the resolver itself counts as a separate check. */
export type DnsResolver = DnsLookup & {
  /**
   * Begins a check of one domain. Its lookups share the bounds of a check, and the delegations that one of them found.
   * Nothing is kept for the next check.
   */
  begin(): DnsLookup
}

export const dnsResolver = (options: ResolverOptions = {}): DnsResolver => {
  const { elapsed = () => performance.now() } = options
  const limits = { ...defaultResolverLimits, ...options.limits }
  const newQuery = queryOf(options)

  const begin = (): DnsLookup => {
    const query = newQuery()
    let spending: Spending | null = null
    return {
      lookup: (question, signal = new AbortController().signal) => {
        spending ??= startSpending(limits.check, elapsed)
        const allowance = allowanceOf(spending, { lookupMs: limits.lookupMs, elapsed, signal })
        return follow(question, (name, type) => query({ name, type }, allowance))
      },
    }
  }
  return { begin, lookup: (question, signal) => begin().lookup(question, signal) }
}

/** Returns a function that returns, for a new check, how it resolves one question. */
const queryOf = (options: ResolverOptions): (() => QueryRecord) => {
  const { tryMs } = { ...defaultResolverLimits, ...options.limits }
  const { servers = [], observe = () => {}, after = afterReads, random = Math.random, names, endpointOf } = options
  const sending = () => ({ tryMs, after, observe, silent: new Set<string>() })
  if (servers.length > 0) return () => queryConfigured(servers, sending())
  const found = names ?? systemNames()
  return () => queryAuthorities({ ...sending(), random, names: found, ...(endpointOf && { endpointOf }) })
}

const unknown = (why: UnknownWhy): LookupResult => ({ kind: 'unknown', why })

/** Looks up the name, and then the target of each CNAME (RFC 1034 §3.6.2). A CNAME at the end is not followed. */
const follow = async (
  { name: first, type }: Question,
  query: (name: string, type: RecordType) => Promise<Meaning>,
): Promise<LookupResult> => {
  const aliases: string[] = []
  if (!isQueryName(first)) return unknown('failed')
  for (let name = first.toLowerCase(); ; name = aliases.at(-1) ?? name) {
    const meaning = await query(name, type)
    if (meaning.kind === 'failed') return unknown(meaning.why)
    if (meaning.kind === 'referral') return unknown('lame')
    if (meaning.kind === 'missing') return { ...meaning, aliases }
    const records = meaning.records.flatMap(recordOf)
    const [alias] = meaning.aliases
    if (type === 'CNAME' || records.length > 0) {
      const isConflict = type !== 'CNAME' && (alias !== undefined || (await hasAlias(name, query)))
      return { kind: 'answer', records, aliases, conflict: isConflict }
    }
    if (alias === undefined || alias === first.toLowerCase() || aliases.includes(alias)) return unknown('loop')
    aliases.push(alias)
    if (aliases.length > maxAliases) return unknown('loop')
  }
}

/** Some servers answer only with the queried type, although the name has a CNAME too. */
const hasAlias = async (
  name: string,
  query: (name: string, type: RecordType) => Promise<Meaning>,
): Promise<boolean> => {
  const meaning = await query(name, 'CNAME')
  return meaning.kind === 'found'
}

const recordOf = (record: DnsMessageRecord): DnsRecord[] => {
  if (record.type === 'TXT') return [{ type: 'TXT', strings: record.strings }]
  if (record.type === 'MX') return [{ type: 'MX', priority: record.preference, host: record.exchange }]
  return record.type === 'CNAME' ? [{ type: 'CNAME', host: record.target }] : []
}
