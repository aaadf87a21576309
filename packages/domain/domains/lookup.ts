/** Record types that a check queries. */
export type LookupType = 'TXT' | 'MX' | 'CNAME'

/** `name` is fully qualified, in lower-case A-labels, without a final dot. It may have underscores. */
export type Question = { name: string; type: LookupType }

/** One resource record. Host names are in lower case, without a final dot; the null MX (RFC 7505) has the host ''. */
export type DnsRecord =
  /** The character-strings in order (RFC 1035 §3.3.14), decoded as UTF-8; other octets become U+FFFD. */
  { type: 'TXT'; strings: string[] } | { type: 'MX'; priority: number; host: string } | { type: 'CNAME'; host: string }

/**
 * Result of a DNS lookup.
 * - `answer`: `records` are the records of the queried type, at least one, in any order: at the end of the chain of
 *   CNAMEs if there is one. The question `CNAME` is not followed: its records are the CNAMEs at the name.
 * - `missing`: the name does not exist (NXDOMAIN) or has no record of the type (NODATA, RFC 2308 §2).
 * - `unknown`: DNS did not answer the question. The state of the record is not known.
 *
 * `aliases` are the targets of the CNAMEs that were followed from the name, in order; empty: none. `conflict`: the name
 * has a CNAME and records of the queried type at the same time (RFC 1034 §3.6.2 forbids that); the records are those at
 * the name.
 */
export type LookupResult =
  | { kind: 'answer'; records: DnsRecord[]; aliases: string[]; conflict: boolean }
  | { kind: 'missing'; why: 'nxdomain' | 'nodata'; aliases: string[] }
  | { kind: 'unknown'; why: UnknownWhy }

/**
 * `lame`: no server that is delegated answers for the zone. `loop`: the CNAMEs form a loop or are more than the bound.
 * `malformed`: the response cannot be read. `failed`: any other fault, such as an unreachable network.
 */
export type UnknownWhy = 'servfail' | 'timeout' | 'refused' | 'lame' | 'loop' | 'malformed' | 'failed'

/** Returns the key of a question in `Answers`. */
export const questionKey = ({ name, type }: Question): string => `${type} ${name}`

/** Results by `questionKey`. */
export type Answers = ReadonlyMap<string, LookupResult>
