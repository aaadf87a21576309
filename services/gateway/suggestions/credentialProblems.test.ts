import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { aKey, config, refusing, testGateway } from '../testGateway.ts'

const hex = '0123456789abcdef'
const key = aKey()
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const path = '/api/v1/emails'

type Row = [name: string, headers: OutgoingHttpHeaders, code: string, message: RegExp]

const foreign = (service: string, token: string): Row => [
  `a key of ${service}`,
  { authorization: `Bearer ${token}` },
  'foreign_key',
  new RegExp(`form of a key of ${service}; send an API key of this service, which begins with pr_live_ or pr_test_`),
]

const rows: Row[] = [
  ['Basic with a key as the user', { authorization: basic(`${key}:`) }, 'wrong_scheme', /^Basic authentication is not/],
  ['Basic with a key as the password', { authorization: basic(`api:${key}`) }, 'wrong_scheme', /^Basic auth/],
  ['Basic in another case', { authorization: basic('a:b').toUpperCase() }, 'wrong_scheme', /^Basic auth/],
  ['Basic alone', { authorization: 'Basic' }, 'wrong_scheme', /^Basic auth/],
  ['Digest', { authorization: 'Digest username="a"' }, 'wrong_scheme', /^Digest/],
  [
    'a signature of AWS',
    { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA/x' },
    'wrong_scheme',
    /^Signatures of Amazon/,
  ],
  ['the scheme Token', { authorization: `Token ${key}` }, 'wrong_scheme', /scheme .* must be Bearer/],
  ['the scheme ApiKey', { authorization: `ApiKey ${key}` }, 'wrong_scheme', /scheme .* must be Bearer/],
  ['a made-up scheme', { authorization: `Postrider ${key}` }, 'wrong_scheme', /scheme .* must be Bearer/],
  ['no scheme', { authorization: key }, 'missing_bearer', /must have the word Bearer and a space/],
  ['no space after Bearer', { authorization: `Bearer${key}` }, 'missing_bearer', /word Bearer and a space/],
  ['Bearer with a colon', { authorization: `Bearer: ${key}` }, 'missing_bearer', /word Bearer and a space/],
  ['Bearer with =', { authorization: `Bearer=${key}` }, 'missing_bearer', /word Bearer and a space/],
  ['Bearer twice', { authorization: `Bearer Bearer ${key}` }, 'wrong_scheme', /Bearer is written twice/],
  ['an unset variable of JavaScript', { authorization: 'Bearer undefined' }, 'placeholder', /placeholder or an unset/],
  ['a variable in single quotes', { authorization: 'Bearer $POSTRIDER_KEY' }, 'placeholder', /placeholder or an unset/],
  ['a variable in braces', { authorization: `Bearer $\{POSTRIDER_KEY}` }, 'placeholder', /placeholder or an unset/],
  ['a template’s variable', { authorization: 'Bearer {{api_key}}' }, 'placeholder', /placeholder or an unset/],
  ['YOUR_API_KEY', { authorization: 'Bearer YOUR_API_KEY' }, 'placeholder', /placeholder or an unset/],
  ['<key>', { authorization: 'Bearer <your key>' }, 'placeholder', /placeholder or an unset/],
  [
    'a shortened key',
    { authorization: Buffer.from('Bearer pr_live_…').toString('latin1') },
    'shortened_key',
    /shortened/,
  ],
  ['a key with dots', { authorization: 'Bearer pr_live_8aX2...' }, 'shortened_key', /shortened/],
  ['a key in quotes', { authorization: `Bearer "${key}"` }, 'quoted_key', /in quotes or brackets/],
  ['a key in brackets', { authorization: `Bearer <${key}>` }, 'quoted_key', /in quotes or brackets/],
  ['a key and more', { authorization: `Bearer ${key} x` }, 'malformed_key', /space in or after the API key/],
  ['X-API-Key', { 'X-API-Key': key }, 'wrong_header', /^The header X-API-Key is not read; send Authorization: Bearer/],
  ['x-api-key', { 'x-api-key': 'SG.x' }, 'wrong_header', /^The header X-API-Key is not read/],
  ['api-key', { 'api-key': key }, 'wrong_header', /^The header api-key is not read/],
  ['X-Auth-Token', { 'X-Auth-Token': key }, 'wrong_header', /^The header X-Auth-Token is not read/],
  ['the header of Postmark', { 'X-Postmark-Server-Token': key }, 'wrong_header', /X-Postmark-Server-Token is not read/],
  foreign('SendGrid', `SG.${'a'.repeat(22)}.${'b'.repeat(43)}`),
  foreign('Resend', 're_123456789_abcdefghijklmnop'),
  foreign('Mailgun', `key-${hex}${hex}`),
  foreign('Mailgun', `${hex}${hex}-01234567-89abcdef`),
  foreign('Postmark', '01234567-89ab-cdef-0123-456789abcdef'),
  foreign('Amazon Web Services', 'AKIAIOSFODNN7EXAMPLE'),
  foreign('Brevo', `xkeysib-${hex}${hex}-abcdefgh`),
  foreign('Mandrill', 'md-abcdefghijklmnopqrstuv'),
  foreign('Mailchimp', `${hex}${hex}-us21`),
  foreign('MailerSend', `mlsn.${hex}${hex}`),
  foreign('SMTP2GO', `api-${hex.toUpperCase()}${hex.toUpperCase()}`),
  foreign('Stripe', `sk_live_${hex}`),
  [
    'a key of SendGrid without Bearer',
    { authorization: `SG.${'a'.repeat(22)}.${'b'.repeat(43)}` },
    'foreign_key',
    /key of SendGrid/,
  ],
  ['a JSON Web Token', { authorization: 'Bearer eyJhbGciOi.eyJzdWIi.x' }, 'foreign_key', /JSON Web Token/],
]

describe('problem of a request from an unknown caller', () => {
  for (const [name, headers, code, message] of rows) {
    it(`is given for ${name}`, async () => {
      await using gateway = await testGateway()
      const { status, body, headers: sent, text } = await gateway.call({ path, headers })
      assert.deepEqual([status, body.code, body.errors?.[0]?.code], [401, 'unauthenticated', code])
      assert.match(body.detail ?? '', message)
      assert.equal(sent['www-authenticate'], 'Bearer')
      const credential = Object.values(headers).join('').split(' ').at(-1) ?? ''
      if (credential.length > 12) assert.ok(!text.includes(credential), text)
      assert.deepEqual(
        gateway.lines.filter((line) => JSON.stringify(line).includes(key)),
        [],
      )
    })
  }

  for (const name of ['api_key', 'access_token', 'key', 'API_KEY']) {
    it(`is given for the query parameter ${name}`, async () => {
      await using gateway = await testGateway()
      const { status, body, text } = await gateway.call({ path: `${path}?${name}=${key}` })
      assert.equal(status, 401)
      assert.match(body.detail ?? '', /^Credentials are not read from the URL/)
      assert.ok(!text.includes(key), text)
    })
  }

  it('is the same text for no key, an unknown key, a wrong checksum and an unknown form', async () => {
    await using gateway = await testGateway({
      accounts: { AuthenticateKey: refusing('unauthenticated', notAuthenticated) },
    })
    const given = [
      undefined,
      '',
      'Bearer ',
      `Bearer ${key}`,
      `Bearer ${key.slice(0, -1)}x`,
      'Bearer pr_live_short',
      'Bearer nonsense',
    ]
    for (const authorization of given) {
      const { status, body } = await gateway.call({ path, headers: { authorization } })
      const { request_id: _, ...rest } = body
      assert.deepEqual([status, rest.detail, rest.errors], [401, notAuthenticated, []])
    }
  })

  it('is not given for a working session that has another header too', async () => {
    await using gateway = await testGateway()
    const { status } = await gateway.call({ path, headers: { 'x-api-key': key, authorization: `Bearer ${key}` } })
    assert.notEqual(status, 401)
  })
})

describe('refusal of an operation of the operator', () => {
  const operatorPath = '/api/v1/operator/workspaces'
  const table: [name: string, headers: OutgoingHttpHeaders, message: RegExp][] = [
    ['no token', {}, /Bearer …\)\.$/],
    ['a wrong token', { authorization: 'Bearer wrong' }, /Bearer …\)\.$/],
    ['an API key', { authorization: `Bearer ${key}` }, /An API key does not open it\.$/],
    [
      'the token without Bearer',
      { authorization: config.operatorToken ?? '' },
      /must begin with Bearer and a space\.$/,
    ],
    ['the token as Basic', { authorization: basic('operator:token') }, /must begin with Bearer and a space\.$/],
    [
      'the token in X-API-Key',
      { 'x-api-key': config.operatorToken ?? '' },
      /Other headers and the URL are not read\.$/,
    ],
  ]
  for (const [name, headers, message] of table) {
    it(`states the problem of ${name}`, async () => {
      await using gateway = await testGateway()
      const { status, body, text } = await gateway.call({ path: operatorPath, headers })
      assert.equal(status, 401)
      assert.match(body.detail ?? '', message)
      assert.ok(!text.includes(config.operatorToken ?? '-'), text)
    })
  }
})
