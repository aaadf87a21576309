import type { Answer, RecordType } from 'dns-packet'
import type { Fault } from './dnsServerFaults.ts'

/** The records at one name. */
export type Rrsets = {
  /** A text is split after each 255 bytes; a list is the character-strings themselves. */
  TXT?: readonly (string | readonly string[])[]
  /** Priority and host; the host of the null MX is `.`. */
  MX?: readonly (readonly [number, string])[]
  CNAME?: string
  NS?: readonly string[]
  A?: readonly string[]
  AAAA?: readonly string[]
}

export type Zone = {
  /**
   * By full name in lower case without a final dot; `*.example.com` is a wildcard (RFC 4592). NS at a name below the
   * zone delegates it; the addresses of its servers are those of the same zone. SOA needs no entry.
   */
  names: Record<string, Rrsets>
  /** Fault of every answer from this zone. A function is called for each query, as for a server that fails at times. */
  fault?: Fault | null | (() => Fault | null)
}

export type Zones = Record<string, Zone>

/**
 * The sections of an answer. `code` is an RCODE; `zone` is the name of the zone that answers, null: none has the name.
 */
export type ZoneAnswer = {
  zone: string | null
  code: number
  isAuthoritative: boolean
  answers: Answer[]
  authorities: Answer[]
  additionals: Answer[]
}

const ttl = 300
const [nameError, refused] = [3, 5]

const isWithin = (name: string, zone: string): boolean => zone === '' || name === zone || name.endsWith(`.${zone}`)

/** The name itself, then its parents, up to and without the root. */
const selfAndParents = (name: string): string[] =>
  name.split('.').map((_, index, labels) => labels.slice(index).join('.'))

const zoneOf = (zones: Zones, name: string): string | null =>
  [...selfAndParents(name), ''].find((candidate) => candidate in zones) ?? null

/** A name exists even if only names below it have records: it is an empty non-terminal (RFC 8020). */
const exists = (zone: Zone, name: string): boolean => Object.keys(zone.names).some((known) => isWithin(known, name))

const recordsAt = (zone: Zone, name: string): Rrsets | null => {
  const own = zone.names[name]
  if (own) return own
  if (exists(zone, name)) return {}
  const encloser = selfAndParents(name).find((parent) => exists(zone, parent))
  return zone.names[`*.${encloser}`] ?? null
}

const stringsOf = (text: string | readonly string[]): Buffer[] => {
  if (typeof text !== 'string') return text.map((part) => Buffer.from(part))
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / 255))
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * 255, (index + 1) * 255))
}

const answersOf = (name: string, rrsets: Rrsets, type: RecordType): Answer[] => {
  const common = { name, ttl }
  switch (type) {
    case 'TXT':
      return (rrsets.TXT ?? []).map((text) => ({ ...common, type, data: stringsOf(text) }))
    case 'MX':
      return (rrsets.MX ?? []).map(([preference, exchange]) => ({ ...common, type, data: { preference, exchange } }))
    case 'CNAME':
      return rrsets.CNAME === undefined ? [] : [{ ...common, type, data: rrsets.CNAME }]
    case 'NS':
    case 'A':
    case 'AAAA':
      return (rrsets[type] ?? []).map((data) => ({ ...common, type, data }))
    default:
      return []
  }
}

export const soaOf = (zone: string): Answer => ({
  name: zone,
  type: 'SOA',
  ttl,
  data: { mname: 'ns.invalid', rname: 'hostmaster.invalid', serial: 1, refresh: 60, retry: 60, expire: 60, minimum: 1 },
})

const addressesIn = (zone: Zone, hosts: readonly string[]): Answer[] =>
  hosts.flatMap((host) => {
    const rrsets = zone.names[host] ?? {}
    return [...answersOf(host, rrsets, 'A'), ...answersOf(host, rrsets, 'AAAA')]
  })

/** The name between the zone and `name` that the zone delegates to other servers. */
const cutAbove = (zoneName: string, zone: Zone, name: string): string | undefined =>
  selfAndParents(name).findLast(
    (parent) => parent !== zoneName && isWithin(parent, zoneName) && zone.names[parent]?.NS !== undefined,
  )

/** Finds the answer as an authority does (RFC 1034 §4.3.2). A CNAME is followed within the zones of the server. */
export const answerFrom = (zones: Zones, name: string, type: RecordType): ZoneAnswer => {
  const zoneName = zoneOf(zones, name)
  const zone = zoneName === null ? undefined : zones[zoneName]
  const empty = { zone: zoneName, isAuthoritative: true, answers: [], authorities: [], additionals: [] }
  if (zoneName === null || zone === undefined) return { ...empty, code: refused, isAuthoritative: false }
  const cut = cutAbove(zoneName, zone, name)
  if (cut !== undefined) {
    const hosts = zone.names[cut]?.NS ?? []
    const authorities = answersOf(cut, { NS: hosts }, 'NS')
    return { ...empty, code: 0, isAuthoritative: false, authorities, additionals: addressesIn(zone, hosts) }
  }
  const rrsets = recordsAt(zone, name)
  if (rrsets === null) return { ...empty, code: nameError, authorities: [soaOf(zoneName)] }
  const answers = [...answersOf(name, rrsets, 'CNAME'), ...(type === 'CNAME' ? [] : answersOf(name, rrsets, type))]
  if (answers.length === 0) return { ...empty, code: 0, authorities: [soaOf(zoneName)] }
  const isAlias = type !== 'CNAME' && answers.length === 1 && rrsets.CNAME !== undefined
  const target = isAlias ? chased(zones, rrsets.CNAME ?? '', type, new Set([name])) : []
  return { ...empty, code: 0, answers: [...answers, ...target] }
}

const chased = (zones: Zones, name: string, type: RecordType, seen: Set<string>): Answer[] => {
  const target = name.toLowerCase()
  const zoneName = zoneOf(zones, target)
  const zone = zoneName === null ? undefined : zones[zoneName]
  if (seen.has(target) || zoneName === null || !zone || cutAbove(zoneName, zone, target) !== undefined) return []
  seen.add(target)
  const rrsets = recordsAt(zone, target) ?? {}
  const alias = rrsets.CNAME === undefined ? [] : chased(zones, rrsets.CNAME, type, seen)
  return [...answersOf(target, rrsets, 'CNAME'), ...answersOf(target, rrsets, type), ...alias]
}
