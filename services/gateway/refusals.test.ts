import assert from 'node:assert/strict'
import { acceptingIntake, type TestCall, type TestGateway, testGateway } from './testGateway.ts'

const mail = { to: ['a@y.example'], subject: 's', text: 't' }
const emails = '/api/v1/emails'
const templates = '/api/v1/templates'

/** First requests of a person without our documentation, and what the responses must state. */
type Row = readonly [name: string, path: string, json: unknown, field: string, code: string, message: RegExp]
const bodies: Row[] = [
  [
    'to as a text',
    emails,
    { ...mail, to: 'a@y.example' },
    'to',
    'wrong_type',
    /an array, not a string; write \["user@exa/,
  ],
  [
    'to as a list in a text',
    emails,
    { ...mail, to: 'a@y.example, b@y.example' },
    'to',
    'wrong_type',
    /not a string; write one address per entry: \["a@example\.com", "b@example\.com"\]/,
  ],
  [
    'to as an object',
    emails,
    { ...mail, to: { email: 'a@y.example' } },
    'to',
    'wrong_type',
    /not an object; write "Name <user@example\.com>"/,
  ],
  [
    'an entry as an object',
    emails,
    { ...mail, to: [{ email: 'a@y.example' }] },
    'to[0]',
    'wrong_type',
    /not an object; write "Name <user@example\.com>"/,
  ],
  [
    'from_ as an object',
    emails,
    { ...mail, from_: { email: 'a@y.example', name: 'A' } },
    'from_',
    'wrong_type',
    /write "Name <user@example\.com>"/,
  ],
  ['from_ as an array', emails, { ...mail, from_: ['a@y.example'] }, 'from_', 'wrong_type', /write one address/],
  ...['a@y.example, b@y.example', 'a@y.example,b@y.example', 'a@y.example; b@y.example', 'a@y.example b@y.example'].map(
    (entry): Row => [
      `the entry ${entry}`,
      emails,
      { ...mail, to: [entry] },
      'to[0]',
      'invalid_address',
      /one address per entry/,
    ],
  ),
  [
    'an entry of several names',
    emails,
    { ...mail, to: ['A <a@y.example>, B <b@y.example>'] },
    'to[0]',
    'invalid_address',
    /one address per entry/,
  ],
  [
    'an entry with a comma',
    emails,
    { ...mail, to: ['a@y.example,'] },
    'to[0]',
    'invalid_address',
    /one address per entry/,
  ],
  [
    'cc as a list in a text',
    emails,
    { ...mail, cc: 'a@y.example,b@y.example' },
    'cc[0]',
    'invalid_address',
    /one address per/,
  ],
  ['mailto:', emails, { ...mail, to: ['mailto:a@y.example'] }, 'to[0]', 'invalid_address', /Remove “mailto:”/],
  ['Html', emails, { ...mail, Html: '<p>x' }, 'Html', 'unknown_field', /did you mean html\?$/],
  [
    'from_email',
    emails,
    { ...mail, from_email: 'a@y.example' },
    'from_email',
    'unknown_field',
    /did you mean from_\?$/,
  ],
  [
    'metadata with a number',
    emails,
    { ...mail, metadata: { order: 7 } },
    'metadata.order',
    'wrong_type',
    /in double quotes/,
  ],
  // Regression: the text was “This field is required.”
  [
    'metadata with null',
    emails,
    { ...mail, metadata: { order: null } },
    'metadata.order',
    'wrong_type',
    /^Values are strings; leave the name out instead of null\.$/,
  ],
  [
    'a number as the subject',
    emails,
    { ...mail, subject: 7 },
    'subject',
    'wrong_type',
    /not a number; write it in double/,
  ],
  [
    'headers as an array',
    emails,
    { ...mail, headers: [{ name: 'X-A', value: 'b' }] },
    'headers',
    'wrong_type',
    /write \{"name": "value"\}/,
  ],
  ['tags as a text', emails, { ...mail, tags: 'news' }, 'tags', 'wrong_type', /write \{"name": "value"\}/],
  ['tags as texts', emails, { ...mail, tags: ['news'] }, 'tags[0]', 'wrong_type', /"name": string, "value": string/],
  [
    'template_vars as a text',
    emails,
    { to: ['a@y.example'], template_id: 'tpl_1', template_vars: '{}' },
    'template_vars',
    'wrong_type',
    /object/,
  ],
  [
    'a Unix time',
    emails,
    { ...mail, scheduled_at: 1_900_000_000 },
    'scheduled_at',
    'wrong_type',
    /such as "2030-01-31T12:00:00Z"/,
  ],
  [
    'an attachment alone',
    emails,
    { ...mail, attachments: { filename: 'a.txt', content: 'eA==' } },
    'attachments',
    'wrong_type',
    /write it in brackets/,
  ],
  [
    'an attachment of SendGrid',
    emails,
    { ...mail, attachments: [{ filename: 'a.txt', content: 'eA==', type: 'text/plain' }] },
    'attachments[0].type',
    'unknown_field',
    /did you mean content_type\?/,
  ],
  [
    'a template with html',
    templates,
    { name: 'a', subject: 'b', html: 'c' },
    'html',
    'unknown_field',
    /did you mean html_body\?/,
  ],
  ['an array of emails', emails, [mail], '', 'wrong_type', /not an array; send one object per request/],
  [
    'a body that is encoded twice',
    emails,
    JSON.stringify(mail),
    '',
    'wrong_type',
    /not a JSON string .* encode it once/,
  ],
]

const types: [name: string, type: string | undefined, message: RegExp][] = [
  ['no content type', undefined, /has no Content-Type; send a JSON object with Content-Type: application\/json/],
  ['a form', 'application/x-www-form-urlencoded', /Form data is not read, and curl -d sends it by default/],
  [
    'a multipart form',
    'multipart/form-data; boundary=x',
    /Multipart forms are not read.*files as base64 in attachments/,
  ],
  ['text', 'text/plain', /This Content-Type is not supported; send a JSON object/],
  ['another charset', 'application/json; charset=iso-8859-1', /JSON is always UTF-8/],
  ['another parameter', 'application/json; odata=verbose', /without other parameters/],
]

describe('refusal of a first attempt', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway({ intake: { ...acceptingIntake([]) } })
  })
  after(() => gateway[Symbol.asyncDispose]())

  const refusal = async (call: TestCall, status: number) => {
    const response = await gateway.api(call)
    assert.equal(response.status, status, response.text)
    return response.body
  }

  for (const [name, path, json, field, code, message] of bodies) {
    it(`states what to do about ${name}`, async () => {
      const { errors = [] } = await refusal({ path, json }, 422)
      const found = errors.find((one) => one.path === field)
      assert.deepEqual([found?.path, found?.code], [field, code], JSON.stringify(errors))
      assert.match(found?.message ?? '', message)
    })

    it(`states the same problem of ${name} in a long body`, async () => {
      if (typeof json !== 'object' || Array.isArray(json) || path !== emails) return
      const { errors = [] } = await refusal({ path, json: { ...json, html: 'x'.repeat(100_000) } }, 422)
      assert.match(errors.find((one) => one.path === field)?.message ?? '', message)
    })
  }

  for (const [name, type, message] of types) {
    it(`states what to do about ${name}`, async () => {
      const headers = type === undefined ? {} : { 'content-type': type }
      for (const path of [emails, templates]) {
        const { code, detail } = await refusal({ path, body: 'to=a', headers }, 415)
        assert.equal(code, 'unsupported_media_type')
        assert.match(detail ?? '', message)
      }
    })
  }

  it('names every field of a request for SendGrid', async () => {
    const json = {
      personalizations: [{ to: [{ email: 'a@y.example' }] }],
      from: { email: 'b@y.example' },
      subject: 's',
      content: [{ type: 'text/plain', value: 't' }],
    }
    const { errors = [] } = await refusal({ path: emails, json }, 422)
    assert.deepEqual(errors.map(({ path, code }) => `${path} ${code}`).sort(), [
      'content unknown_field',
      'from unknown_field',
      'html missing',
      'personalizations unknown_field',
      'to missing',
    ])
  })

  it('suggests the cursor for a page number', async () => {
    const { errors = [] } = await refusal({ path: `${emails}?page=2&per_page=50` }, 400)
    assert.match(errors[0]?.message ?? '', /did you mean cursor\? Pages have no numbers/)
    assert.match(errors[1]?.message ?? '', /did you mean limit\?/)
  })
})
