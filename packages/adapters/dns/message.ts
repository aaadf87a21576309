import { isIP } from 'node:net'

/*
 * The messages of DNS (RFC 1035 §4) for the few record types that domain checks need. We do not use a library, because
 * any server may send the replies: the time to read one grows with its bytes, however its compression pointers lead, a
 * record has the length of its RDLENGTH, and records of other types and classes are skipped.
 */

const recordTypes = { A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28 } as const

export type RecordType = keyof typeof recordTypes

/** Names are lower case and without the last dot; the root is the empty name. */
export type DnsMessageRecord = { name: string } & (
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'NS' | 'CNAME'; target: string }
  | { type: 'MX'; preference: number; exchange: string }
  | { type: 'TXT'; strings: string[] }
  | { type: 'SOA' }
)

/** `code` is the RCODE with the bits of EDNS (RFC 6891 §6.1.3). */
export type DnsReply = {
  code: number
  isAuthoritative: boolean
  isTruncated: boolean
  offersRecursion: boolean
  answers: DnsMessageRecord[]
  authorities: DnsMessageRecord[]
  additionals: DnsMessageRecord[]
}

export const replyCodes = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5 } as const

/**
 * `malformed`: not a DNS message. `other`: a message that is no reply to this query, for example with another id, which
 * anyone can send.
 */
export type ReadDnsReply = { kind: 'reply'; reply: DnsReply } | { kind: 'malformed' } | { kind: 'other' }

export type Query = {
  id: number
  name: string
  type: RecordType
  /** Whether the server is to query others (RFC 1035 §4.1.1). */
  wantsRecursion: boolean
  /** Whether the reply over UDP may have more than 512 bytes (RFC 6891). */
  hasEdns: boolean
}

/** Fits one unfragmented packet on every usual path (DNS flag day 2020). */
const udpReplyBytes = 1_232
const headerBytes = 12
const optType = 41
const internetClass = 1
const maxLabels = 127
const maxNameBytes = 255
/** No usual answer has nearly as many. */
const maxRecords = 256

/**
 * Returns whether a name of a caller can be queried: labels of 1 to 63 printable ASCII characters, together at most 253
 * (RFC 1035 §2.3.4).
 */
export const isQueryName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[\x21-\x7e]{1,63}$/.test(label) && !label.includes('\\'))

const encodedLabel = (label: string): Buffer => {
  const bytes = Buffer.from(
    label.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(code)),
    'latin1',
  )
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

const encodedName = (name: string): Buffer =>
  Buffer.concat([...(name === '' ? [] : name.split('.')).map(encodedLabel), Buffer.from([0])])

/** @param query its name is one of `isQueryName`, or was read from a reply */
export const encodeQuery = ({ id, name, type, wantsRecursion, hasEdns }: Query): Buffer => {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(wantsRecursion ? 0x01_00 : 0, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(hasEdns ? 1 : 0, 10)
  const question = Buffer.alloc(4)
  question.writeUInt16BE(recordTypes[type], 0)
  question.writeUInt16BE(internetClass, 2)
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(optType, 1)
  opt.writeUInt16BE(udpReplyBytes, 3)
  return Buffer.concat([header, encodedName(name), question, ...(hasEdns ? [opt] : [])])
}

/** A part of a message that breaks the format. It does not leave this file. */
const broken = Symbol('broken message')

/** `bytes`: its length without compression and without the root; `hops`: the pointers in it. */
type Name = { text: string; bytes: number; hops: number }

const rootName: Name = { text: '', bytes: 0, hops: 0 }

type Reader = {
  /** Position of the next byte. */
  at: number
  readonly packet: Buffer
  /** The names read so far, by their position. */
  readonly names: Map<number, Name>
}

const need = (reader: Reader, bytes: number): number => {
  const start = reader.at
  if (start + bytes > reader.packet.length) throw broken
  reader.at = start + bytes
  return start
}

const uint8 = (reader: Reader): number => reader.packet.readUInt8(need(reader, 1))
const uint16 = (reader: Reader): number => reader.packet.readUInt16BE(need(reader, 2))

/**
 * Escapes all bytes that a label of the usual form lacks (RFC 1035 §5.1), so that two names differ if their bytes do.
 */
const labelText = (label: Buffer): string =>
  label
    .toString('latin1')
    .replaceAll(/[^\x21-\x7e]|[.\\]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`)
    .toLowerCase()

/** Reads a name with its compression pointers (RFC 1035 §4.1.4), each of which leads back. */
const readName = (reader: Reader): string => {
  const { name, end } = nameAt(reader, reader.at, 0)
  reader.at = end
  return name.text
}

/** The names that pointers lead to are read once per message, so that a message costs no more than its bytes. */
const nameAt = (reader: Reader, start: number, depth: number): { name: Name; end: number } => {
  if (depth > maxLabels) throw broken
  const labels: string[] = []
  const here: Reader = { ...reader, at: start }
  for (let bytes = 0; ; ) {
    const length = uint8(here)
    const isPointer = length >= 0xc0
    if (length === 0 || isPointer) {
      const target = isPointer ? ((length & 0x3f) << 8) | uint8(here) : null
      if (target !== null && target >= start) throw broken
      const remainder =
        target === null ? rootName : (reader.names.get(target) ?? nameAt(reader, target, depth + 1).name)
      const texts = remainder.text === '' ? labels : [...labels, remainder.text]
      const name = { text: texts.join('.'), bytes: bytes + remainder.bytes, hops: remainder.hops + (isPointer ? 1 : 0) }
      if (name.bytes >= maxNameBytes || name.hops > maxLabels) throw broken
      reader.names.set(start, name)
      return { name, end: here.at }
    }
    bytes += length + 1
    if (length > 63 || bytes >= maxNameBytes) throw broken
    const at = need(here, length)
    labels.push(labelText(here.packet.subarray(at, at + length)))
  }
}

const typeNames = new Map<number, RecordType>(
  Object.entries(recordTypes).map(([name, number]) => [number, name as RecordType]),
)

/** Reads the character-strings of a TXT record (RFC 1035 §3.3.14); octets that are not UTF-8 become U+FFFD. */
const readStrings = (reader: Reader, end: number): string[] => {
  const strings: string[] = []
  while (reader.at < end) {
    const length = uint8(reader)
    const start = need(reader, length)
    strings.push(reader.packet.toString('utf8', start, start + length))
  }
  return strings
}

const addressText = (bytes: Buffer): string => {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) throw broken
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

const readAddress = (reader: Reader, end: number, family: 4 | 6): string => {
  const address = addressText(reader.packet.subarray(reader.at, end))
  if (isIP(address) !== family) throw broken
  reader.at = end
  return address
}

const readData = (reader: Reader, type: RecordType, end: number): RecordData => {
  switch (type) {
    case 'A':
      return { type, address: readAddress(reader, end, 4) }
    case 'AAAA':
      return { type, address: readAddress(reader, end, 6) }
    case 'NS':
    case 'CNAME':
      return { type, target: readName(reader) }
    case 'MX':
      return { type, preference: uint16(reader), exchange: readName(reader) }
    case 'TXT':
      return { type, strings: readStrings(reader, end) }
    case 'SOA':
      // Only its presence counts.
      reader.at = end
      return { type }
  }
}

type RecordData = DnsMessageRecord extends infer One
  ? One extends DnsMessageRecord
    ? Omit<One, 'name'>
    : never
  : never

/** `extendedCode`: the upper bits of the RCODE, from the OPT record. */
type Section = { records: DnsMessageRecord[]; extendedCode: number }

const readSection = (reader: Reader, count: number): Section => {
  const section: Section = { records: [], extendedCode: 0 }
  for (let index = 0; index < count; index++) {
    const name = readName(reader)
    const typeNumber = uint16(reader)
    const recordClass = uint16(reader)
    const extendedCode = uint8(reader)
    need(reader, 3)
    const length = uint16(reader)
    const end = need(reader, length) + length
    const type = typeNames.get(typeNumber)
    if (typeNumber === optType) section.extendedCode = extendedCode
    if (type === undefined || recordClass !== internetClass) continue
    reader.at = end - length
    section.records.push({ name, ...readData(reader, type, end) } as DnsMessageRecord)
    if (reader.at !== end) throw broken
  }
  return section
}

const readMessage = (packet: Buffer, query: Query): ReadDnsReply => {
  if (packet.length < headerBytes) return { kind: 'malformed' }
  const flags = packet.readUInt16BE(2)
  const isReply = (flags & 0x80_00) !== 0 && (flags & 0x78_00) === 0
  if (packet.readUInt16BE(0) !== query.id || !isReply) return { kind: 'other' }
  const reader: Reader = { packet, at: 4, names: new Map() }
  const counts = [uint16(reader), uint16(reader), uint16(reader), uint16(reader)] as const
  const code = flags & 0xf
  const [questions, answers, authorities, additionals] = counts
  // A server that cannot read a query may leave the question out (RFC 1035 §4.1.1).
  const isRefusal = code !== replyCodes.noError && code !== replyCodes.nxDomain
  if (answers + authorities + additionals > maxRecords) return { kind: 'malformed' }
  if (questions > 1 || (questions === 0 && !isRefusal)) return { kind: 'malformed' }
  if (questions === 1) {
    const isSame =
      readName(reader) === query.name.toLowerCase() &&
      uint16(reader) === recordTypes[query.type] &&
      uint16(reader) === internetClass
    if (!isSame) return { kind: 'other' }
  }
  const reply = {
    isAuthoritative: (flags & 0x04_00) !== 0,
    isTruncated: (flags & 0x02_00) !== 0,
    offersRecursion: (flags & 0x00_80) !== 0,
  }
  // The rest of a truncated reply may end anywhere, and is not used (RFC 2181 §9).
  if (reply.isTruncated)
    return { kind: 'reply', reply: { ...reply, code, answers: [], authorities: [], additionals: [] } }
  const [one, two, three] = [answers, authorities, additionals].map((count) => readSection(reader, count)) as [
    Section,
    Section,
    Section,
  ]
  return {
    kind: 'reply',
    reply: {
      ...reply,
      code: code | (three.extendedCode << 4),
      answers: one.records,
      authorities: two.records,
      additionals: three.records,
    },
  }
}

/** Reads what a server sent. Bytes after the message are ignored. */
export const readDnsReply = (packet: Buffer, query: Query): ReadDnsReply => {
  try {
    return readMessage(packet, query)
  } catch (thrown) {
    if (thrown === broken) return { kind: 'malformed' }
    throw thrown
  }
}
