import assert from 'node:assert/strict'
import { type Answer, decode, encode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { encodeQuery, isQueryName, type Query, readDnsReply } from './message.ts'

const query: Query = { id: 7, name: 'a.test', type: 'TXT', wantsRecursion: true, hasEdns: true }

const packet = (part: Packet): Packet => ({
  type: 'response',
  id: 7,
  questions: [{ name: 'a.test', type: 'TXT' }],
  ...part,
})

const label = fc.stringMatching(/^[a-z0-9_-]{1,20}$/)
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'))
const textRecord = fc.record({
  name,
  type: fc.constant('TXT' as const),
  data: fc.array(
    fc.string({ maxLength: 60 }).map((text) => Buffer.from(text)),
    { minLength: 1, maxLength: 3 },
  ),
})
const mxRecord = fc.record({
  name,
  type: fc.constant('MX' as const),
  data: fc.record({ preference: fc.nat(65_535), exchange: name }),
})
const hostRecord = fc.record({ name, type: fc.constantFrom('NS' as const, 'CNAME' as const), data: name })
const v4Record = fc.record({ name, type: fc.constant('A' as const), data: fc.ipV4() })
const v6Record = fc.record({
  name,
  type: fc.constant('AAAA' as const),
  data: fc.ipV6().map((address) => new URL(`http://[${address}]`).hostname.slice(1, -1)),
})
const records = fc.array(fc.oneof(textRecord, mxRecord, hostRecord, v4Record, v6Record), { maxLength: 6 })

/** A record of dns-packet in the form of our reader. */
const asRead = (record: Answer): object => {
  switch (record.type) {
    case 'TXT':
      return { name: record.name, type: 'TXT', strings: [record.data].flat().map(String) }
    case 'MX':
      return { name: record.name, type: 'MX', preference: record.data.preference, exchange: record.data.exchange }
    case 'NS':
    case 'CNAME':
      return { name: record.name, type: record.type, target: record.data }
    case 'A':
    case 'AAAA':
      return { name: record.name, type: record.type, address: record.data }
    default:
      return {}
  }
}

describe('DNS messages', () => {
  it('the reader returns the records that dns-packet wrote', () => {
    fc.assert(
      fc.property(records, records, records, (answers, authorities, additionals) => {
        const message = encode(packet({ answers, authorities, additionals }))
        const read = readDnsReply(message, query)
        assert.ok(read.kind === 'reply')
        assert.deepEqual(read.reply.answers, answers.map(asRead))
        assert.deepEqual(read.reply.authorities, authorities.map(asRead))
        assert.deepEqual(read.reply.additionals, additionals.map(asRead))
      }),
      { numRuns: 200 },
    )
  })

  it('dns-packet reads the query that was written', () => {
    const { id, questions, additionals, flag_rd: isRecursive } = decode(encodeQuery(query))
    assert.deepEqual(
      [id, questions, additionals?.map((record) => record.type === 'OPT' && record.udpPayloadSize), isRecursive],
      [7, [{ name: 'a.test', type: 'TXT', class: 'IN' }], [1_232], true],
    )
    assert.deepEqual(decode(encodeQuery({ ...query, hasEdns: false })).additionals, [])
  })

  it('are read without an error where bytes change', () => {
    const message = encode(
      packet({
        answers: [
          { name: 'a.test', type: 'TXT', data: 'v=DKIM1' },
          { name: 'a.test', type: 'MX', data: { preference: 1, exchange: 'mx.test' } },
          { name: 'a.test', type: 'A', data: '192.0.2.1' },
        ],
      }),
    )
    const change = fc.tuple(fc.nat(message.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(message.length), (changes, end) => {
        const changed = Buffer.from(message)
        for (const [at, byte] of changes) changed[at] = byte
        assert.ok(['reply', 'malformed', 'other'].includes(readDnsReply(changed.subarray(0, end), query).kind))
      }),
      { numRuns: 2_000 },
    )
  })

  it('are malformed wherever they are cut', () => {
    const message = encode(packet({ answers: [{ name: 'a.test', type: 'TXT', data: 'v=DKIM1' }] }))
    for (let end = 0; end < message.length; end++) {
      assert.equal(readDnsReply(message.subarray(0, end), query).kind, 'malformed', `cut at ${end}`)
    }
    assert.equal(readDnsReply(message, query).kind, 'reply')
    assert.equal(readDnsReply(Buffer.concat([message, Buffer.from('rest')]), query).kind, 'reply')
  })

  const head = (counts: [number, number, number, number]): Buffer => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(7, 0)
    bytes.writeUInt16BE(0x84_00, 2)
    for (const [index, count] of counts.entries()) bytes.writeUInt16BE(count, 4 + 2 * index)
    return bytes
  }
  const question = Buffer.from([1, 97, 4, 116, 101, 115, 116, 0, 0, 16, 0, 1])
  const record = (owner: Buffer, type: number, data: Buffer, length = data.length): Buffer =>
    Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, length >> 8, length & 255]), data])
  const root = Buffer.from([0])
  const longName = Buffer.concat([
    ...Array.from({ length: 4 }, () => Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 97)])),
    root,
  ])

  for (const [form, counts, ...rest] of [
    ['more records than it has bytes', [1, 65_535, 65_535, 65_535], question],
    [
      'more than 256 records',
      [1, 257, 0, 0],
      question,
      ...Array.from({ length: 257 }, () => record(root, 16, Buffer.alloc(1))),
    ],
    ['two questions', [2, 0, 0, 0], question, question],
    ['no question', [0, 0, 0, 0]],
    ['a pointer to itself', [1, 1, 0, 0], question, record(Buffer.from([0xc0, 24]), 16, Buffer.alloc(1))],
    ['a pointer ahead', [1, 1, 0, 0], question, record(Buffer.from([0xc0, 30]), 16, Buffer.alloc(1))],
    ['a label of a reserved form', [1, 1, 0, 0], question, record(Buffer.from([0x80]), 16, Buffer.alloc(1))],
    ['a name of more than 255 bytes', [1, 1, 0, 0], question, record(longName, 16, Buffer.alloc(1))],
    [
      'a string that ends after its record',
      [1, 1, 0, 0],
      question,
      record(root, 16, Buffer.from([3, 97])),
      Buffer.alloc(9),
    ],
    ['a record that ends after the message', [1, 1, 0, 0], question, record(root, 16, Buffer.from([1, 97]), 3)],
    ['a name that ends after its record', [1, 1, 0, 0], question, record(root, 5, Buffer.from([1, 97]), 2), root],
    ['an IPv4 address of five bytes', [1, 1, 0, 0], question, record(root, 1, Buffer.alloc(5))],
    ['an IPv6 address of four bytes', [1, 1, 0, 0], question, record(root, 28, Buffer.alloc(4))],
  ] as [string, [number, number, number, number], ...Buffer[]][])
    it(`are malformed with ${form}`, () => {
      assert.deepEqual(readDnsReply(Buffer.concat([head(counts), ...rest]), query), { kind: 'malformed' })
    })

  it('are malformed with a chain of more pointers than a name has labels', () => {
    const chain = Buffer.alloc(2 + 2 * 300)
    const start = 24 + 11
    for (let at = 2; at < chain.length; at += 2) chain.writeUInt16BE(0xc0_00 | (start + at - 2), at)
    const last = Buffer.alloc(2)
    last.writeUInt16BE(0xc0_00 | (start + chain.length - 2))
    // Type 10 is not read, so the chain itself is no error.
    const rest = [question, record(root, 10, chain)]
    assert.equal(readDnsReply(Buffer.concat([head([1, 1, 0, 0]), ...rest]), query).kind, 'reply')
    const message = Buffer.concat([head([1, 2, 0, 0]), ...rest, record(last, 16, Buffer.alloc(1))])
    assert.deepEqual(readDnsReply(message, query), { kind: 'malformed' })
  })

  for (const [form, part] of [
    ['another id', { id: 8 }],
    ['another name', { questions: [{ name: 'b.test', type: 'TXT' }] }],
    ['another type', { questions: [{ name: 'a.test', type: 'MX' }] }],
    ['another class', { questions: [{ name: 'a.test', type: 'TXT', class: 'CH' }] }],
    ['a query', { type: 'query' }],
  ] as [string, Packet][])
    it(`are no reply with ${form}`, () => {
      assert.deepEqual(readDnsReply(encode(packet(part)), query), { kind: 'other' })
    })

  it('may refuse a query without its question', () => {
    const read = readDnsReply(encode(packet({ flags: 5, questions: [] })), query)
    assert.equal(read.kind === 'reply' && read.reply.code, 5)
  })

  it('have the upper bits of their code in the OPT record', () => {
    const opt: Answer = {
      name: '.',
      type: 'OPT',
      udpPayloadSize: 512,
      extendedRcode: 1,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    }
    const read = readDnsReply(encode(packet({ additionals: [opt] })), query)
    assert.equal(read.kind === 'reply' && read.reply.code, 16)
  })

  it('keep names apart whose bytes differ', () => {
    const names = ['a\u00e9.test', 'a\\.test', 'a b.test']
    const answers = names.map((one) => ({ name: one, type: 'TXT', data: 'x' }) as const)
    const dotted = record(Buffer.concat([Buffer.from([6]), Buffer.from('a.test'), root]), 16, Buffer.alloc(1))
    const read = readDnsReply(encode(packet({ answers })), query)
    assert.deepEqual(read.kind === 'reply' && read.reply.answers.map((one) => one.name), [
      'a\\195\\169.test',
      'a\\092.test',
      'a\\032b.test',
    ])
    const other = readDnsReply(Buffer.concat([head([1, 1, 0, 0]), question, dotted]), query)
    assert.deepEqual(other.kind === 'reply' && other.reply.answers.map((one) => one.name), ['a\\046test'])
  })

  for (const [text, isRight] of [
    ['example.com', true],
    ['s1._domainkey.xn--bcher-kva.example', true],
    [`${'a'.repeat(63)}.test`, true],
    [`${'a'.repeat(64)}.test`, false],
    [`${'a.'.repeat(126)}a`, true],
    [`${'a.'.repeat(126)}aa`, false],
    ['', false],
    ['.', false],
    ['example.com.', false],
    ['a..b', false],
    ['a b.test', false],
    ['a\\046b.test', false],
    ['b\u00fccher.example', false],
    ['a\0.test', false],
  ] as const)
    it(`${isRight ? 'accepts' : 'refuses'} a query for ${JSON.stringify(text.slice(0, 40))} of ${text.length} characters`, () => {
      assert.equal(isQueryName(text), isRight)
    })
})
