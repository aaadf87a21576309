import { gzipSync } from 'node:zlib'
import { fresh, rawMail, type Tenant } from '../../support/client.ts'
import { type Attack, malformed, postMail, type Refused } from './attack.ts'

const unauthenticated: Refused = { status: 401, code: 'unauthenticated' }
const unsupported: Refused = { status: 415, code: 'unsupported_media_type' }
const notFound: Refused = { status: 404, code: 'not_found' }
const wrong: Refused = { status: 422, code: 'validation_failed' }

const bearing = (no: number, name: string, authorization: (tenant: Tenant) => string): Attack => ({
  no,
  name,
  call: (tenant) => ({ path: '/api/v1/emails', headers: { authorization: authorization(tenant) } }),
  refused: unauthenticated,
})

const body = (no: number, name: string, bytes: string | Uint8Array, refused: Refused, headers = {}): Attack => ({
  no,
  name,
  call: () => postMail(bytes, headers),
  refused,
})

const halfCharacter: Refused = { ...wrong, problems: [{ code: 'lone_surrogate' }] }

const mailWith = (subject: string): string => `{"to":["${fresh()}"],"subject":${subject},"text":"t"}`
const asJson = (): string => JSON.stringify(rawMail())

const flip = (text: string): string => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`

/** 20 MB of zeros in 20 kB. */
const bomb = gzipSync(Buffer.alloc(20_000_000))

const encoded = (encoding: string, bytes: Uint8Array = bomb): Attack =>
  body(43, `Content-Encoding: ${encoding}`, bytes, unsupported, { 'content-encoding': encoding })

const typed = (type: string): Attack =>
  body(41, `Content-Type: ${type}`, asJson(), unsupported, { 'content-type': type })

const path = (no: number, at: string): Attack => ({ no, name: at, call: () => ({ path: at }), refused: notFound })

const idempotencyKey = (name: string, key: string): Attack => ({
  no: 49,
  name,
  call: () => ({ ...postMail(asJson()), headers: { 'idempotency-key': key } }),
  refused: malformed('invalid_idempotency_key'),
})

/** Cases 33–41, 43 and 48–50: requests as a whole. */
export const requestAttacks: Attack[] = [
  bearing(33, 'no key', () => ''),
  bearing(33, 'Bearer and nothing', () => 'Bearer '),
  bearing(33, 'another scheme', ({ api }) => `Basic ${Buffer.from(`${api.key}:`).toString('base64')}`),
  bearing(33, 'a key of 10 kB', () => `Bearer pr_live_${'a'.repeat(10_000)}`),
  bearing(33, 'a key with a typo', ({ api }) => `Bearer ${flip(api.key)}`),
  bearing(33, 'the right secret with another mode', ({ api }) => `Bearer ${api.key.replace('pr_live_', 'pr_test_')}`),
  bearing(33, 'a key in another case', ({ api }) => `Bearer ${api.key.toUpperCase()}`),
  bearing(33, 'two keys', ({ api }) => `Bearer ${api.key}, Bearer ${api.key}`),
  bearing(33, 'a key with a tail', ({ api }) => `Bearer ${api.key} x`),
  ...['api_key', 'key', 'access_token', 'token', 'authorization'].map(
    (name): Attack => ({
      no: 36,
      name: `a key in the query as ${name}`,
      call: ({ api }) => ({ path: `/api/v1/emails?${name}=${api.key}`, headers: { authorization: '' } }),
      refused: unauthenticated,
    }),
  ),
  {
    no: 37,
    name: 'a log-in with operators for values',
    call: () => ({ path: '/api/v1/auth/login', json: { email: { $ne: null }, password: { $gt: '' } } }),
    refused: { status: 422, code: 'validation_failed', problems: [{ path: 'email' }, { path: 'password' }] },
  },
  ...['status[$ne]=x', 'sort=$where', 'to[]=x', 'status=x&status=y'].map(
    (query): Attack => ({
      no: 37,
      name: `a list with ?${query}`,
      call: () => ({ path: `/api/v1/emails?${query}` }),
      refused: malformed(),
    }),
  ),
  body(
    38,
    'a key twice',
    '{"to":["a@x.example"],"to":["b@x.example"],"subject":"s","text":"t"}',
    malformed('duplicate_key'),
  ),
  body(
    38,
    'a key twice, once escaped',
    '{"to":["a@x.example"],"t\\u006f":["b@x.example"],"subject":"s","text":"t"}',
    malformed('duplicate_key'),
  ),
  body(
    38,
    'a key twice deep inside',
    mailWith('"s"').replace('"text"', '"tags":{"a":"1","a":"2"},"text"'),
    malformed('duplicate_key'),
  ),
  body(39, '200,000 arrays in each other', '['.repeat(200_000), { ...malformed('too_deep'), cpuMs: 100 }),
  body(39, '33 objects in each other', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, malformed('too_deep')),
  body(
    40,
    'bytes that are no UTF-8',
    Buffer.concat([
      Buffer.from('{"to":["a@x.example"],"subject":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('","text":"t"}'),
    ]),
    malformed(),
  ),
  body(
    40,
    'an overlong NUL',
    Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    malformed(),
  ),
  body(40, 'UTF-16 with a mark', Buffer.from(`\ufeff${asJson()}`, 'utf16le'), malformed()),
  body(40, 'half a character in the subject', mailWith('"a\\ud800b"'), halfCharacter),
  body(
    40,
    'half a character in a name',
    '{"to":["a@x.example"],"subject":"s","text":"t","tags":{"\\udc00":"x"}}',
    halfCharacter,
  ),
  body(40, 'a number without end', mailWith('1e999'), {
    status: 422,
    code: 'validation_failed',
    problems: [{ path: 'subject' }],
  }),
  body(40, 'NaN', mailWith('NaN'), malformed()),
  body(40, 'no body', '', malformed()),
  body(40, 'null', 'null', wrong),
  body(40, 'an array', '[]', wrong),
  body(40, 'a string', '"x"', wrong),
  body(40, 'half of an object', '{"to":', malformed()),
  body(40, 'a comment', '{/* */}', malformed()),
  body(40, 'something after the end', `${asJson()}x`, malformed()),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ].map(typed),
  ...['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'].map((encoding) => encoded(encoding)),
  ...[
    '/api/v1/emails/..%2f..%2fapi-keys',
    '/api/v1/emails/%00',
    '/api/v1/emails;x=1',
    '/API/V1/emails',
    '/api/v1/emails/',
    '/api//v1/emails',
    '//api/v1/emails',
    '/api/v1/%65mails/../templates%2f',
    '/api/v1/emails/%2e%2e/templates',
    '/api/v1/emails/%ff',
    '/api/v1/emails%2fem_x',
  ].map((at) => path(48, at)),
  idempotencyKey('an empty key', ''),
  idempotencyKey('a quoted empty key', '""'),
  idempotencyKey('a key of 256 characters', 'k'.repeat(256)),
  idempotencyKey('a key beyond ASCII', Buffer.from('schlüssel', 'latin1').toString('latin1')),
  idempotencyKey('a key with a tab', 'a\tb'),
  ...['limit=-1', 'limit=1e9', 'limit=0', 'limit=1.5', 'limit=', 'cursor=forged', `cursor=${'A'.repeat(5_000)}`].map(
    (query): Attack => ({
      no: 50,
      name: `a list with ?${query.slice(0, 40)}`,
      call: () => ({ path: `/api/v1/emails?${query}` }),
      refused: malformed(),
    }),
  ),
]
