import assert from 'node:assert/strict'
import { type Attack, invalid } from './attack.ts'

const bidi = '\u202e'

const refusedTo = (number: number, entry: string, code?: string): Attack => ({
  number,
  name: `to[0] ${JSON.stringify(entry.length > 60 ? `${entry.slice(0, 40)}… (${entry.length})` : entry)}`,
  mail: { to: [entry] },
  refused: invalid('to[0]', code),
})

const repeated = (char: string): Attack => ({
  ...refusedTo(24, char.repeat(1_000_000)),
  refused: { ...invalid('to[0]', 'invalid_address'), cpuMs: 50 },
})

/** Attacks 1–12, 15, 23 and 24: input that tries to add a header field or a recipient. */
export const addressAttacks: Attack[] = [
  ...['\r\n', '\n', '\r', '\0', '\u2028', '\u0085'].map(
    (char): Attack => ({
      number: 1,
      name: `subject with ${JSON.stringify(char)}`,
      mail: { subject: `hi${char}Bcc: e@z.example` },
      refused: invalid('subject', 'control_character'),
    }),
  ),
  refusedTo(2, 'b@y.example\r\nBcc: e@z.example'),
  {
    number: 2,
    name: 'to as a string with a line break',
    mail: { to: 'b@y.example\r\nBcc: e@z.example' },
    refused: invalid('to'),
  },
  {
    number: 2,
    name: 'cc with a line break',
    mail: { cc: ['b@y.example\nBcc: e@z.example'] },
    refused: invalid('cc[0]'),
  },
  { number: 2, name: 'bcc with a line break', mail: { bcc: ['b@y.example\nX: 1'] }, refused: invalid('bcc[0]') },
  {
    number: 2,
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
    number: 7,
    name: 'from_ <a@mine>:<v@victim>',
    mail: { from_: '<a@mine.example>:<v@victim.example>' },
    refused: invalid('from_'),
  },
  {
    number: 7,
    name: 'from_ a@mine, v@victim',
    mail: { from_: 'a@mine.example, v@victim.example' },
    refused: invalid('from_'),
  },
  {
    number: 7,
    name: 'from_ <a@mine><v@victim>',
    mail: { from_: '<a@mine.example><v@victim.example>' },
    refused: invalid('from_'),
  },
  {
    number: 8,
    name: 'sends a display name that looks like an address as a name',
    mail: { to: ['"Support <ceo@victim.example>" <a.8@mine.example>'] },
    accepted: ({ mail, to }) => {
      assert.deepEqual(to, ['a.8@mine.example'])
      assert.deepEqual(mail.to, [{ name: 'Support <ceo@victim.example>', address: 'a.8@mine.example' }])
    },
  },
  ...['\0', '\r', '\n', bidi, '\u2066', '\u200f'].map((char) => refusedTo(8, `Sup${char}port <a@mine.example>`)),
  {
    number: 8,
    name: 'a sender_name that looks like an address',
    call: () => ({ method: 'PATCH', path: '/api/v1/workspace', json: { sender_name: 'Support <ceo@victim.example>' } }),
    refused: invalid('sender_name'),
  },
  ...['\r\nX: 1', '\0', bidi].map(
    (char): Attack => ({
      number: 8,
      name: `a sender_name with ${JSON.stringify(char)}`,
      call: () => ({ method: 'PATCH', path: '/api/v1/workspace', json: { sender_name: `Sup${char}port` } }),
      refused: invalid('sender_name'),
    }),
  ),
  refusedTo(9, '=?utf-8?q?a=40b?=@mine.example'),
  refusedTo(9, '=?utf-8?q?a=40b.example=3e?=x@mine.example'),
  refusedTo(10, '=?utf-8?q?x=0d=0aBcc:e=40z?= <a.10@mine.example>', 'encoded_word'),
  {
    number: 10,
    name: 'sends a subject that looks like an encoded word as plain text',
    mail: { subject: '=?utf-8?q?x=0d=0aBcc:_e=40z?=' },
    accepted: ({ mail }) => assert.equal(mail.subject, '=?utf-8?q?x=0d=0aBcc:_e=40z?='),
  },
  {
    number: 11,
    name: 'replaces a from_ with a domain that is not verified by the shared sender',
    mail: { from_: 'CEO <ceo@victim.example>' },
    accepted: ({ raw, from }, record) => {
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
    ([input, normalized]): Attack => ({
      number: 12,
      name: `converts ${input} to ${normalized} in the record, the envelope and the header`,
      mail: { to: [input] },
      accepted: ({ mail, to }, record) => {
        assert.deepEqual(record.to, [normalized])
        assert.deepEqual(to, [normalized])
        assert.deepEqual(mail.to, [{ name: '', address: normalized }])
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
  refusedTo(15, '用 户@例.jp'),
  {
    number: 23,
    name: '51 recipients',
    mail: { to: Array.from({ length: 51 }, (_, i) => `u${i}@many.example`) },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    number: 23,
    name: '100,000 recipients',
    mail: { to: Array.from({ length: 100_000 }, (_, i) => `u${i}@many.example`) },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    number: 23,
    name: '26 in to and 25 in cc',
    mail: {
      to: Array.from({ length: 26 }, (_, i) => `u${i}@many.example`),
      cc: Array.from({ length: 25 }, (_, i) => `c${i}@many.example`),
    },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_recipients' }] },
  },
  {
    number: 23,
    name: 'sends one message to a recipient that is listed fifty times',
    mail: { to: Array.from({ length: 50 }, () => 'fifty.23@mine.example') },
    accepted: ({ to }, record) => {
      assert.deepEqual(to, ['fifty.23@mine.example'])
      assert.equal(record.recipients.length, 1)
    },
  },
  ...['(', '<', '"', '@', 'a@', '=?', '.', '\\', 'Ⅷ'].map(repeated),
  refusedTo(24, `${'a'.repeat(65)}@mine.example`, 'invalid_address'),
  refusedTo(24, `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(60)}.example`, 'invalid_address'),
]
