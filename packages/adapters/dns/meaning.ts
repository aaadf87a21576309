import { isWithin } from '@postrider/mail/address.ts'
import type { Failure } from './exchange.ts'
import { type DnsMessageRecord, type DnsReply, type RecordType, replyCodes } from './message.ts'

/** The name servers of a zone as its parent lists them. `glue`: addresses by host name. */
export type Delegation = { zone: string; hosts: readonly string[]; glue: ReadonlyMap<string, readonly string[]> }

/** Meaning of a reply for a question: the records and the CNAMEs at the name itself. */
export type Meaning =
  | { kind: 'found'; records: DnsMessageRecord[]; aliases: string[] }
  | { kind: 'missing'; why: 'nxdomain' | 'nodata' }
  | { kind: 'referral'; delegation: Delegation }
  | { kind: 'failed'; why: Failure }

type Question = { name: string; type: RecordType }

/** Maximum number of name servers of a zone that are used; more of them only make a check expensive. */
const maxHosts = 8
const maxAddresses = 4

/** Returns whether `name` is `zone` or below it. The root is the empty name. */
export const isInZone = (name: string, zone: string): boolean => zone === '' || isWithin(name, zone)

const failureOf = (code: number): Failure | null => {
  if (code === replyCodes.noError || code === replyCodes.nxDomain) return null
  if (code === replyCodes.servFail) return 'servfail'
  return code === replyCodes.refused ? 'refused' : 'failed'
}

/** Returns the records and CNAMEs of a reply at the name; records at other names are not used. */
const foundIn = (reply: DnsReply, { name, type }: Question): Extract<Meaning, { kind: 'found' }> | null => {
  const own = reply.answers.filter((record) => record.name === name)
  const records = own.filter((record) => record.type === type)
  const aliases = own.flatMap((record) => (record.type === 'CNAME' ? [record.target] : []))
  return records.length + aliases.length > 0 ? { kind: 'found', records, aliases } : null
}

const hasSoa = (reply: DnsReply): boolean => reply.authorities.some(({ type }) => type === 'SOA')

/**
 * Returns what a server that the operator configured replied. It may be a resolver, or an authority of the name; an
 * empty reply that only names other servers is a referral, which is not followed here.
 */
export const meaningOfConfigured = (reply: DnsReply, question: Question): Meaning => {
  const why = failureOf(reply.code)
  if (why !== null) return { kind: 'failed', why }
  const found = foundIn(reply, question)
  if (found) return found
  if (reply.code === replyCodes.nxDomain) return { kind: 'missing', why: 'nxdomain' }
  const isReferral =
    !reply.isAuthoritative &&
    !reply.offersRecursion &&
    !hasSoa(reply) &&
    reply.authorities.some(({ type }) => type === 'NS')
  return isReferral ? { kind: 'failed', why: 'lame' } : { kind: 'missing', why: 'nodata' }
}

/**
 * Returns what a server of `zone` replied. Only authoritative data counts, and a referral only if it leads down towards
 * the name; all else is lame (RFC 1912 §2.8).
 */
export const meaningOfAuthority = (reply: DnsReply, question: Question, zone: string): Meaning => {
  const why = failureOf(reply.code)
  if (why !== null) return { kind: 'failed', why }
  const found = foundIn(reply, question)
  if (found) return reply.isAuthoritative ? found : { kind: 'failed', why: 'lame' }
  if (reply.code === replyCodes.nxDomain) {
    return reply.isAuthoritative ? { kind: 'missing', why: 'nxdomain' } : { kind: 'failed', why: 'lame' }
  }
  const delegation = hasSoa(reply) ? null : delegationIn(reply, question, zone)
  if (delegation) return { kind: 'referral', delegation }
  return reply.isAuthoritative ? { kind: 'missing', why: 'nodata' } : { kind: 'failed', why: 'lame' }
}

const delegationIn = (reply: DnsReply, { name }: Question, zone: string): Delegation | null => {
  const isBelow = (cut: string): boolean => cut !== zone && isInZone(cut, zone) && isInZone(name, cut)
  const cut = reply.authorities.find((record) => record.type === 'NS' && isBelow(record.name))?.name
  if (cut === undefined) return null
  const hosts = reply.authorities
    .flatMap((record) => (record.type === 'NS' && record.name === cut ? [record.target] : []))
    .slice(0, maxHosts)
  const glue = new Map<string, string[]>()
  for (const record of reply.additionals) {
    if (record.type !== 'A' && record.type !== 'AAAA') continue
    // A server is an authority only for addresses of names in its own zone.
    if (!hosts.includes(record.name) || !isInZone(record.name, zone)) continue
    const known = glue.get(record.name) ?? []
    if (known.length < maxAddresses) glue.set(record.name, [...known, record.address])
  }
  return { zone: cut, hosts, glue }
}
