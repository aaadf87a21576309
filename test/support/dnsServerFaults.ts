import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  encode,
  type Packet,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { ZoneAnswer } from './dnsServerZones.ts'

/** Fault in every answer of a zone. */
export type Fault =
  | 'servfail'
  | 'refused'
  /** FORMERR for a query with EDNS, as old servers reply. */
  | 'noEdns'
  /** Without the AA flag. */
  | 'notAuthoritative'
  /** A referral to the servers of the zone itself. */
  | 'selfReferral'
  /** A referral to the root servers. */
  | 'upReferral'
  | 'silent'
  /** Truncated over UDP, whole over TCP. */
  | 'truncated'
  /** Truncated over UDP; a connection over TCP is closed. */
  | 'truncatedWithoutTcp'
  /** Truncated over UDP, and over TCP too. */
  | 'truncatedTwice'
  /** Truncated over UDP; over TCP the last byte of the answer never comes. */
  | 'drip'
  /** The last record ends before its RDLENGTH. */
  | 'malformed'
  /** A compression pointer that leads to itself. */
  | 'pointerLoop'
  /** Three bytes. */
  | 'short'
  /** A reply to another query; no other follows. */
  | 'wrongId'
  | 'wrongQuestion'
  /** A reply to another query, and then the right reply. */
  | 'wrongIdFirst'
  /** Twenty replies to another query. */
  | 'wrongIdEndless'
  | 'upperCase'
  /** Records of other names, types and classes in every section. */
  | 'garbage'
  /** NXDOMAIN for each name without records of the type, even if other names are below it. */
  | 'nxdomainForEmpty'
  /** Where a name has a CNAME and other records: only the records of the queried type. */
  | 'oneType'
  /** NODATA without the SOA record and without the AA flag. */
  | 'bareNodata'
  /** The whole answer, but not before the promise is fulfilled. */
  | { until: () => Promise<void> }

/** Response of the server. `isSilent`: the client then waits until its time limit. */
export type Outgoing = {
  messages: Buffer[]
  isSilent?: boolean
  /** Over TCP: the last byte is not sent. */
  isCut?: boolean
  /** Over TCP: the connection is closed. */
  closes?: boolean
}

export type SpoilOptions = { query: DecodedPacket; answer: ZoneAnswer; via: 'udp' | 'tcp'; fault: Fault | null }

const [formErr, servFail, nameError, refused] = [1, 2, 3, 5]
const plainBytes = 512

const base = (query: DecodedPacket, answer: ZoneAnswer): Packet & { flags: number } => ({
  type: 'response',
  id: query.id,
  flags: answer.code | (answer.isAuthoritative ? AUTHORITATIVE_ANSWER : 0),
  questions: query.questions,
  answers: answer.answers,
  authorities: answer.authorities,
  additionals: answer.additionals,
})

const emptied = (packet: Packet & { flags: number }, flags: number): Packet => ({
  ...packet,
  flags,
  answers: [],
  authorities: [],
  additionals: [],
})

/** The longest reply that the client accepts over UDP (RFC 6891 §6.2.3). */
const maxBytes = (query: DecodedPacket): number => {
  const opt = query.additionals?.find((record) => record.type === 'OPT')
  return opt?.type === 'OPT' ? Math.max(plainBytes, opt.udpPayloadSize) : plainBytes
}

const upper = <T extends { name: string }>(records: readonly T[] | undefined): T[] =>
  (records ?? []).map((record) => ({ ...record, name: record.name.toUpperCase() }))

const garbage: Answer[] = [
  { name: 'other.invalid', type: 'TXT', data: 'garbage' },
  { name: 'other.invalid', type: 'CNAME', data: 'elsewhere.invalid' },
  { name: 'other.invalid', type: 'SRV', data: { port: 1, target: 'elsewhere.invalid' } },
]

/** A record at the name of the question, in a class other than IN. */
const otherClass = (query: DecodedPacket): Answer => ({
  name: query.questions?.[0]?.name ?? '',
  type: 'TXT',
  class: 'CH',
  data: 'garbage',
})

/** A reply whose answer is a pointer at byte `at` to itself. */
const withPointerLoop = (packet: Packet): Buffer => {
  const head = encode({ ...packet, answers: [], authorities: [], additionals: [] })
  head.writeUInt16BE(1, 6)
  const pointer = Buffer.alloc(12)
  pointer.writeUInt16BE(0xc0_00 | head.length)
  return Buffer.concat([head, pointer])
}

/** A reply whose last record has fewer bytes than it claims. */
const cutRecord = (packet: Packet): Buffer => {
  const record: Answer = { name: 'a', type: 'TXT', data: 'v=DKIM1; p=AAAA' }
  const whole = encode({ ...packet, answers: [], authorities: [], additionals: [record] })
  return whole.subarray(0, -4)
}

const named = (fault: Exclude<Fault, { until: unknown }> | null, options: SpoilOptions): Outgoing => {
  const { query, answer, via } = options
  const packet = base(query, answer)
  const send = (...packets: Packet[]): Outgoing => ({ messages: packets.map((one) => encode(one)) })
  const truncated = (): Outgoing => send(emptied(packet, packet.flags | TRUNCATED_RESPONSE))
  const referral = (name: string, host: string): Outgoing =>
    send({ ...emptied(packet, 0), authorities: [{ name, type: 'NS', data: host }] })
  const isEmpty = answer.answers.length === 0
  const otherId: Packet = { ...packet, id: (query.id ?? 0) ^ 1 }
  switch (fault) {
    case null:
      return send(packet)
    case 'servfail':
      return send(emptied(packet, servFail))
    case 'refused':
      return send(emptied(packet, refused))
    case 'noEdns':
      return query.additionals?.length ? send({ ...emptied(packet, formErr), questions: [] }) : send(packet)
    case 'notAuthoritative':
      return send({ ...packet, flags: packet.flags & ~AUTHORITATIVE_ANSWER })
    case 'selfReferral':
      return referral(answer.zone ?? '', 'ns.invalid')
    case 'upReferral':
      return referral('.', 'a.root-servers.net')
    case 'silent':
      return { messages: [], isSilent: true }
    case 'truncated':
      return via === 'udp' ? truncated() : send(packet)
    case 'truncatedTwice':
      return truncated()
    case 'truncatedWithoutTcp':
      return via === 'udp' ? truncated() : { messages: [], closes: true }
    case 'drip':
      return via === 'udp' ? truncated() : { ...send(packet), isCut: true, isSilent: true }
    case 'malformed':
      return { messages: [cutRecord(packet)] }
    case 'pointerLoop':
      return { messages: [withPointerLoop(packet)] }
    case 'short':
      return { messages: [Buffer.from([1, 2, 3])] }
    case 'wrongId':
      return send(otherId)
    case 'wrongIdFirst':
      return send(otherId, packet)
    case 'wrongIdEndless':
      return send(...Array.from({ length: 20 }, () => otherId))
    case 'wrongQuestion':
      return send({ ...packet, questions: [{ name: 'other.invalid', type: 'TXT' }] })
    case 'upperCase':
      return send({ ...packet, questions: upper(packet.questions), answers: upper(packet.answers) })
    case 'garbage':
      return send({
        ...packet,
        answers: [...garbage, ...answer.answers, otherClass(query)],
        authorities: [...answer.authorities, ...garbage],
        additionals: [...answer.additionals, ...garbage],
      })
    case 'nxdomainForEmpty':
      return send(isEmpty ? { ...packet, flags: nameError | AUTHORITATIVE_ANSWER } : packet)
    case 'oneType': {
      const queried = answer.answers.filter(({ type }) => type === query.questions?.[0]?.type)
      return send(queried.length > 0 ? { ...packet, answers: queried } : packet)
    }
    case 'bareNodata':
      return isEmpty ? send(emptied(packet, answer.code)) : send(packet)
  }
}

/** Returns what the server sends for a query, with the fault of the zone. */
export const spoil = async (options: SpoilOptions): Promise<Outgoing> => {
  const { fault, query, via } = options
  if (typeof fault === 'object' && fault !== null) {
    await fault.until()
    return spoil({ ...options, fault: null })
  }
  const outgoing = named(fault, options)
  const isLong = via === 'udp' && outgoing.messages.some((message) => message.length > maxBytes(query))
  return isLong ? named('truncated', options) : outgoing
}

/** Returns a fault that changes with each query, in turn: a server that fails at times. */
export const inTurn = (...faults: readonly (Fault | null)[]): (() => Fault | null) => {
  let queries = 0
  return () => faults[queries++ % faults.length] ?? null
}
