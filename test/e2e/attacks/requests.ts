import { gzipSync } from 'node:zlib'
import { fresh, rawMail, type Tenant } from '../../support/client.ts'
import { type Attack, malformed, postMail, type Refused } from './attack.ts'

const unauthenticated: Refused = { status: 401, code: 'unauthenticated' }
const unsupported: Refused = { status: 415, code: 'unsupported_media_type' }
const notFound: Refused = { status: 404, code: 'not_found' }
const invalidFields: Refused = { status: 422, code: 'validation_failed' }

const withAuthorization = (number: number, name: string, authorization: (tenant: Tenant) => string): Attack => ({
  number,
  name,
  call: (tenant) => ({ path: '/api/v1/emails', headers: { authorization: authorization(tenant) } }),
  refused: unauthenticated,
})

const body = (number: number, name: string, bytes: string | Uint8Array, refused: Refused, headers = {}): Attack => ({
  number,
  name,
  call: () => postMail(bytes, headers),
  refused,
})

const loneSurrogate: Refused = { ...invalidFields, problems: [{ code: 'lone_surrogate' }] }

const mailWith = (subject: string): string => `{"to":["${fresh()}"],"subject":${subject},"text":"t"}`
const asJson = (): string => JSON.stringify(rawMail())

/** Changes the last character. */
const changeLast = (text: string): string => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`

/** 20 MB of zeros, compressed to 20 kB. */
const bomb = gzipSync(Buffer.alloc(20_000_000))

const withEncoding = (encoding: string, bytes: Uint8Array = bomb): Attack =>
  body(43, `Content-Encoding: ${encoding}`, bytes, unsupported, { 'content-encoding': encoding })

const withType = (type: string): Attack =>
  body(41, `Content-Type: ${type}`, asJson(), unsupported, { 'content-type': type })

const unknownPath = (path: string): Attack => ({
  number: 48,
  name: `the path ${path}`,
  call: () => ({ path }),
  refused: notFound,
})

const idempotencyKey = (name: string, key: string): Attack => ({
  number: 49,
  name,
  call: () => ({ ...postMail(asJson()), headers: { 'idempotency-key': key } }),
  refused: malformed('invalid_idempotency_key'),
})

/** Attacks 33–41, 43 and 48–50: authentication, queries, bodies, paths and idempotency keys. */
export const requestAttacks: Attack[] = [
  withAuthorization(33, 'a request without a key', () => ''),
  withAuthorization(33, 'Bearer without a key', () => 'Bearer '),
  withAuthorization(33, 'the Basic scheme', ({ api }) => `Basic ${Buffer.from(`${api.key}:`).toString('base64')}`),
  withAuthorization(33, 'a key of 10 kB', () => `Bearer pr_live_${'a'.repeat(10_000)}`),
  withAuthorization(33, 'a key with one wrong character', ({ api }) => `Bearer ${changeLast(api.key)}`),
  withAuthorization(
    33,
    'a valid key with the prefix of another mode',
    ({ api }) => `Bearer ${api.key.replace('pr_live_', 'pr_test_')}`,
  ),
  withAuthorization(33, 'a key in upper case', ({ api }) => `Bearer ${api.key.toUpperCase()}`),
  withAuthorization(33, 'two keys in one header', ({ api }) => `Bearer ${api.key}, Bearer ${api.key}`),
  withAuthorization(33, 'a key followed by text', ({ api }) => `Bearer ${api.key} x`),
  ...['api_key', 'key', 'access_token', 'token', 'authorization'].map(
    (name): Attack => ({
      number: 36,
      name: `a key in the query as ${name}`,
      call: ({ api }) => ({ path: `/api/v1/emails?${name}=${api.key}`, headers: { authorization: '' } }),
      refused: unauthenticated,
    }),
  ),
  {
    number: 37,
    name: 'a login with MongoDB operators as values',
    call: () => ({ path: '/api/v1/auth/login', json: { email: { $ne: null }, password: { $gt: '' } } }),
    refused: { status: 422, code: 'validation_failed', problems: [{ path: 'email' }, { path: 'password' }] },
  },
  ...['status[$ne]=x', 'sort=$where', 'to[]=x', 'status=x&status=y'].map(
    (query): Attack => ({
      number: 37,
      name: `a list with ?${query}`,
      call: () => ({ path: `/api/v1/emails?${query}` }),
      refused: malformed(),
    }),
  ),
  body(
    38,
    'a body with a duplicate member',
    '{"to":["a@x.example"],"to":["b@x.example"],"subject":"s","text":"t"}',
    malformed('duplicate_key'),
  ),
  body(
    38,
    'a body with a duplicate member, one of them escaped',
    '{"to":["a@x.example"],"t\\u006f":["b@x.example"],"subject":"s","text":"t"}',
    malformed('duplicate_key'),
  ),
  body(
    38,
    'a body with a duplicate member in an inner object',
    mailWith('"s"').replace('"text"', '"tags":{"a":"1","a":"2"},"text"'),
    malformed('duplicate_key'),
  ),
  body(39, '200,000 nested arrays', '['.repeat(200_000), { ...malformed('too_deep'), cpuMs: 100 }),
  body(39, '33 nested objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, malformed('too_deep')),
  body(
    40,
    'invalid UTF-8',
    Buffer.concat([
      Buffer.from('{"to":["a@x.example"],"subject":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('","text":"t"}'),
    ]),
    malformed(),
  ),
  body(
    40,
    'an overlong encoding of NUL',
    Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    malformed(),
  ),
  body(40, 'UTF-16 with a byte order mark', Buffer.from(`\ufeff${asJson()}`, 'utf16le'), malformed()),
  body(40, 'a lone surrogate in the subject', mailWith('"a\\ud800b"'), loneSurrogate),
  body(
    40,
    'a lone surrogate in a tag name',
    '{"to":["a@x.example"],"subject":"s","text":"t","tags":{"\\udc00":"x"}}',
    loneSurrogate,
  ),
  body(40, 'a number beyond the range of a double', mailWith('1e999'), {
    status: 422,
    code: 'validation_failed',
    problems: [{ path: 'subject' }],
  }),
  body(40, 'the value NaN', mailWith('NaN'), malformed()),
  body(40, 'an empty body', '', malformed()),
  body(40, 'a body that is null', 'null', invalidFields),
  body(40, 'a body that is an array', '[]', invalidFields),
  body(40, 'a body that is a string', '"x"', invalidFields),
  body(40, 'an incomplete object', '{"to":', malformed()),
  body(40, 'a comment in the body', '{/* */}', malformed()),
  body(40, 'text after the end of the body', `${asJson()}x`, malformed()),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ].map(withType),
  ...['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'].map((encoding) => withEncoding(encoding)),
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
  ].map(unknownPath),
  idempotencyKey('an empty idempotency key', ''),
  idempotencyKey('a quoted empty idempotency key', '""'),
  idempotencyKey('an idempotency key of 256 characters', 'k'.repeat(256)),
  idempotencyKey('an idempotency key that is not ASCII', Buffer.from('schlüssel', 'latin1').toString('latin1')),
  idempotencyKey('an idempotency key with a tab', 'a\tb'),
  ...['limit=-1', 'limit=1e9', 'limit=0', 'limit=1.5', 'limit=', 'cursor=forged', `cursor=${'A'.repeat(5_000)}`].map(
    (query): Attack => ({
      number: 50,
      name: `a list with ?${query.slice(0, 40)}`,
      call: () => ({ path: `/api/v1/emails?${query}` }),
      refused: malformed(),
    }),
  ),
]
