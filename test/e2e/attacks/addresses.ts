import assert from 'node:assert/strict'
import { headerNames } from '../../support/receivedMessage.ts'
import { type Attack, invalid } from './attack.ts'

const bidi = '\u202e'

const refusedTo = (no: number, entry: string, code?: string): Attack => ({
  no,
  name: `to[0] ${JSON.stringify(entry.length > 60 ? `${entry.slice(0, 40)}… (${entry.length})` : entry)}`,
  mail: { to: [entry] },
  refused: invalid('to[0]', code),
})

const repeated = (char: string): Attack => ({
  ...refusedTo(24, char.repeat(1_000_000)),
  refused: { ...invalid('to[0]', 'invalid_address'), cpuMs: 50 },
})

/** Cases 1–12, 15, 23 and 24: whatever tries to become a second header field or another recipient. */
export const addressAttacks: Attack[] = [
  ...['\r\n', '\n', '\r', '\0', '\u2028', '\u0085'].map(
    (char): Attack => ({
      no: 1,
      name: `subject with ${JSON.stringify(char)}`,
      mail: { subject: `hi${char}Bcc: e@z.example` },
      refused: invalid('subject', 'control_character'),
    }),
  ),
  refusedTo(2, 'b@y.example\r\nBcc: e@z.example'),
  {
    no: 2,
    name: 'to as one string with a line break',
    mail: { to: 'b@y.example\r\nBcc: e@z.example' },
    refused: invalid('to'),
  },
  { no: 2, name: 'cc with a line break', mail: { cc: ['b@y.example\nBcc: e@z.example'] }, refused: invalid('cc[0]') },
  { no: 2, name: 'bcc with a line break', mail: { bcc: ['b@y.example\nX: 1'] }, refused: invalid('bcc[0]') },
  {
    no: 2,
    name: 'reply_to with a line break',
    mail: { reply_to: ['b@y.example\r\nX: 1'] },
    refused: invalid('reply_to[0]'),
  },
  refusedTo(3, 'b@y.example, e@z.example', 'invalid_address'),
  refusedTo(3, 'b@y.example; e@z.example', 'invalid_address'),
  refusedTo(3, 'b@y.example e@z.example', 'invalid_address'),
  refusedTo(4, '"x@gmail.com x"@internal.example', 'quoted_local_part'),
  refusedTo(4, '"a b"@internal.example', 'quoted_local_part'),
  refusedTo(5, 'user@good.example(x)evil.example', 'invalid_address'),
  refusedTo(5, 'user@good.example (c)', 'invalid_address'),
  refusedTo(5, '(c)user@good.example', 'invalid_address'),
  refusedTo(6, 'friends: a@x.example, b@y.example;', 'invalid_address'),
  refusedTo(6, 'friends:;', 'invalid_address'),
  refusedTo(6, '<@a.example,@b.example:c@d.example>', 'invalid_address'),
  refusedTo(6, '@a.example:c@d.example', 'invalid_address'),
  {
    no: 7,
    name: 'from_ <a@mine>:<v@victim>',
    mail: { from_: '<a@mine.example>:<v@victim.example>' },
    refused: invalid('from_'),
  },
  {
    no: 7,
    name: 'from_ a@mine, v@victim',
    mail: { from_: 'a@mine.example, v@victim.example' },
    refused: invalid('from_'),
  },
  {
    no: 7,
    name: 'from_ <a@mine><v@victim>',
    mail: { from_: '<a@mine.example><v@victim.example>' },
    refused: invalid('from_'),
  },
  {
    no: 8,
    name: 'a display name that looks like another address',
    mail: { to: ['"Support <ceo@victim.example>" <a.8@mine.example>'] },
    taken: ({ mail, to }) => {
      assert.deepEqual(to, ['a.8@mine.example'])
      assert.deepEqual(mail.to, [{ name: 'Support <ceo@victim.example>', address: 'a.8@mine.example' }])
    },
  },
  ...['\0', '\r', '\n', bidi, '\u2066', '\u200f'].map((char) => refusedTo(8, `Sup${char}port <a@mine.example>`)),
  {
    no: 8,
    name: 'a sender_name that looks like an address',
    call: () => ({ method: 'PATCH', path: '/api/v1/workspace', json: { sender_name: 'Support <ceo@victim.example>' } }),
    refused: invalid('sender_name'),
  },
  ...['\r\nX: 1', '\0', bidi].map(
    (char): Attack => ({
      no: 8,
      name: `a sender_name with ${JSON.stringify(char)}`,
      call: () => ({ method: 'PATCH', path: '/api/v1/workspace', json: { sender_name: `Sup${char}port` } }),
      refused: invalid('sender_name'),
    }),
  ),
  refusedTo(9, '=?utf-8?q?a=40b?=@mine.example'),
  refusedTo(9, '=?utf-8?q?a=40b.example=3e?=x@mine.example'),
  {
    no: 10,
    name: 'a name that is an encoded word is sent as the text it is',
    mail: { to: ['=?utf-8?q?x=0d=0aBcc:e=40z?= <a.10@mine.example>'] },
    taken: ({ mail, to }) => {
      assert.deepEqual(to, ['a.10@mine.example'])
      assert.deepEqual(mail.to, [{ name: '=?utf-8?q?x=0d=0aBcc:e=40z?=', address: 'a.10@mine.example' }])
      assert.ok(!headerNames(mail).includes('bcc'))
    },
  },
  {
    no: 10,
    name: 'a subject that is an encoded word is sent as the text it is',
    mail: { subject: '=?utf-8?q?x=0d=0aBcc:_e=40z?=' },
    taken: ({ mail }) => assert.equal(mail.subject, '=?utf-8?q?x=0d=0aBcc:_e=40z?='),
  },
  {
    no: 11,
    name: "a from_ of somebody else's domain",
    mail: { from_: 'CEO <ceo@victim.example>' },
    taken: ({ raw, from }, record) => {
      assert.ok(!raw.includes('victim.example') && !from.includes('victim'))
      assert.ok(!record.from_.includes('victim.example'))
    },
  },
  ...(
    [
      ['u.12@MINE.Example', 'u.12@mine.example'],
      ['u.12@ｇmail.example', 'u.12@gmail.example'],
      ['u.12@gmail。example', 'u.12@gmail.example'],
      ['u.12@ﬁsh.example', 'u.12@fish.example'],
      ['u.12@bücher.example', 'u.12@xn--bcher-kva.example'],
      ['u.12@XN--BCHER-KVA.example', 'u.12@xn--bcher-kva.example'],
    ] as const
  ).map(
    ([given, compared]): Attack => ({
      no: 12,
      name: `${given} is ${compared} in the record, the envelope and the header`,
      mail: { to: [given] },
      taken: ({ mail, to }, record) => {
        assert.deepEqual(record.to, [compared])
        assert.deepEqual(to, [compared])
        assert.deepEqual(mail.to, [{ name: '', address: compared }])
      },
    }),
  ),
  ...[
    'a@',
    '@b.example',
    'a@b@c.example',
    'a@-b.example',
    'a@b..example',
    'a@.example',
    'a@[127.0.0.1]',
    'a b@c.example',
    'a@b c',
    '',
  ].map((entry) => refusedTo(12, entry)),
  refusedTo(15, '用户@例.jp', 'eai_unsupported'),
  {
    no: 23,
    name: '51 recipients',
    mail: { to: Array.from({ length: 51 }, (_, i) => `u${i}@many.example`) },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    no: 23,
    name: '100,000 recipients',
    mail: { to: Array.from({ length: 100_000 }, (_, i) => `u${i}@many.example`) },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    no: 23,
    name: '26 in to and 25 in cc',
    mail: {
      to: Array.from({ length: 26 }, (_, i) => `u${i}@many.example`),
      cc: Array.from({ length: 25 }, (_, i) => `c${i}@many.example`),
    },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    no: 23,
    name: 'one recipient fifty times',
    mail: { to: Array.from({ length: 50 }, () => 'fifty.23@mine.example') },
    taken: ({ to }, record) => {
      assert.deepEqual(to, ['fifty.23@mine.example'])
      assert.equal(record.recipients.length, 1)
    },
  },
  ...['(', '<', '"', '@', 'a@', '=?', '.', '\\', 'Ⅷ'].map(repeated),
  refusedTo(24, `${'a'.repeat(65)}@mine.example`, 'invalid_address'),
  refusedTo(24, `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(60)}.example`, 'invalid_address'),
]
