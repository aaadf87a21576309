import assert from 'node:assert/strict'
import process from 'node:process'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { openIterationsRig } from '../../test/support/iterationsRig.ts'

const mebibyte = 2 ** 20
const fill = (pattern: string, bytes: number): string => pattern.repeat(Math.floor(bytes / Buffer.byteLength(pattern)))
const mail = (more: object) => ({ to: ['a@example.com'], subject: 's', text: 't', ...more })
const numbered = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, value]))
const bodyOf = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
/** Members as JSON, without the braces. To make the JSON of an object costs much more. */
const numberedJson = (count: number, json: string): string =>
  Array.from({ length: count }, (_, n) => `"name${n}":${json}`).join()
/** A message as JSON with this JSON in a field. */
const mailJson = (field: string, json: string): string =>
  JSON.stringify(mail({ [field]: '<json>' })).replace('"<json>"', () => json)

type Case = [name: string, body: () => unknown, status: number, path?: string]

const sends: Case[] = [
  ['190,000 unknown fields', () => JSON.stringify(mail({})).replace('}', () => `,${numberedJson(190_000, '1')}}`), 422],
  ['8,000 unknown fields in a short body', () => ({ ...mail({}), ...numbered(4_500, 1) }), 422],
  ...['tags', 'metadata', 'headers', 'template_vars', 'to'].map(
    (field): Case => [`99,000 members in ${field}`, () => mailJson(field, `{${numberedJson(99_000, '"a"')}}`), 422],
  ),
  ...['to', 'reply_to', 'tags', 'attachments', 'html'].map(
    (field): Case => [`190,000 entries in ${field}`, () => mail({ [field]: Array(190_000).fill('a@b.example') }), 422],
  ),
  ['14,000 pairs in tags', () => mail({ tags: Array(14_000).fill({ name: 'n', value: 'a' }) }), 422],
  ['objects of 10,000 members in attachments', () => mail({ attachments: Array(9).fill(numbered(10_000, 1)) }), 422],
  ['arrays of arrays', () => `{"to":[${Array(190_000).fill('[[[[[[[[]]]]]]]]').join()}]}`, 400],
  ['1,000 addresses in each list', () => mail(addressLists(1_000)), 422],
  ...['subject', 'html', 'category'].map(
    (field): Case => [`14 MiB of quotes in ${field}`, () => mailJson(field, `"${fill('\\"', 14 * mebibyte)}"`), 422],
  ),
  ['a name of 14 MiB', () => `{"to":["a@b.example"],"text":"a","${fill('\\"', 14 * mebibyte)}":1}`, 422],
  ['14 MiB of white space', () => `{"to":["a@b.example"],"text":"a"${fill(' ', 14 * mebibyte)}}`, 422],
  ['a number of 14 MiB', () => `{"to":["a@b.example"],"text":${fill('1', 14 * mebibyte)}}`, 400],
  ['14 MiB of lone surrogates', () => `{"to":["a@b.example"],"text":"${fill('\\ud800', 14 * mebibyte)}"}`, 422],
  ['14 MiB that are not base64', () => mail({ attachments: [attachment(fill('Q*JD', 14 * mebibyte))] }), 422],
  ['an attachment of 7 MiB', () => mail({ attachments: [attachment(fill('QUJD', 9 * mebibyte))] }), 202],
  ['an attachment of 10 MiB', () => mail({ attachments: [attachment(fill('QUJD', 14 * mebibyte))] }), 413],
  ...['é\n', '\n', '\r', 'a', '=', ' \n'].map(
    (text): Case => [`2 MiB of ${JSON.stringify(text)} as text`, () => mail({ text: fill(text, 2 * mebibyte) }), 202],
  ),
  ...['<blockquote>', '<ul><li>a', '\n'].flatMap((html): Case[] =>
    [128 * 1_024, 2 * mebibyte].map((bytes) => [
      `${bytes} bytes of ${JSON.stringify(html)} as HTML`,
      () => mail({ text: undefined, html: fill(html, bytes) }),
      202,
    ]),
  ),
]

const others: Case[] = [
  ['60,000 unknown fields at sign-up', () => numbered(60_000, 1), 0, '/api/v1/auth/signup'],
  ['an address of 600,000 characters at login', () => ({ email: 'é@'.repeat(300_000) }), 0, '/api/v1/auth/login'],
  ['unclosed tags in a template', () => template(fill('{{{a}', 500 * 1_024)), 422, '/api/v1/templates'],
  [
    'problems after long runs of line breaks',
    () => template(`${fill('\n', 240 * 1_024)}${'{{a b}}'.repeat(21)}`),
    422,
    '/api/v1/templates',
  ],
  ['long paths in a template', () => template(fill(`{{${'a.'.repeat(45)}a}}`, 500 * 1_024)), 422, '/api/v1/templates'],
]

/** Templates near their limits, with the values of a send that reads them first. */
const largeTemplates: [name: string, part: string, vars: object][] = [
  ['5,000 tags', 'Hello {{a.b}}\n'.repeat(4_990), { a: { b: 1 } }],
  ['10,000 names', `{{${'a.'.repeat(15)}a}}\n`.repeat(600), {}],
  ['1,250 blocks with branches', '{{#if a}} \n{{else if b}}\n {{else}}x{{/if}}\n'.repeat(1_240), { a: 0, b: 1 }],
  ['240 KiB of line breaks', `{{a}}${fill('\n', 240 * 1_024)}{{a}}`, { a: 1 }],
  [
    'loops in a loop',
    `{{#each a}}${'{{#each this}}{{this}}{{/each}}'.repeat(100)}{{/each}}`,
    { a: Array(300).fill([1, 2, 3, 4, 5]) },
  ],
  ['values that are escaped', '{{a}}'.repeat(400), { a: '&'.repeat(5_000) }],
]

const attachment = (content: string) => ({ filename: 'a.bin', content })
const template = (text: string) => ({ name: 'n', subject: 's', html_body: text, text_body: text })
const addressLists = (count: number) =>
  Object.fromEntries(
    ['to', 'cc', 'bcc', 'reply_to'].map((list) => [
      list,
      Array.from({ length: count }, (_, number) => `a@ä${number}.${list.replace('_', '-')}.example`),
    ]),
  )

/** A record near its limits. */
const largestMail = {
  to: Array.from({ length: 50 }, (_, number) => `"${'é'.repeat(250)}" <${'a'.repeat(60)}${number}@receiver.example>`),
  subject: 'é'.repeat(998),
  text: 't',
  headers: Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`X-H${number}`, 'é'.repeat(900)])),
  metadata: { a: 'é'.repeat(5_000) },
  tags: numbered(10, 'v'.repeat(256)),
}

/** A message of a batch near its limits: 107 KB. */
const largestOfBatch = (number: number) => ({
  ...largestMail,
  to: Array.from({ length: 50 }, (_, to) => {
    const domain = `r${to}.${'d'.repeat(60)}.${'e'.repeat(60)}.example`
    return `"${'é'.repeat(250)}" <${'a'.repeat(60)}${to}@${domain}>`
  }),
  subject: `${'é'.repeat(990)}${number}`,
  metadata: Object.fromEntries(Array.from({ length: 20 }, (_, of) => [`${'k'.repeat(200)}${of}`, 'é'.repeat(150)])),
  tags: Object.fromEntries(Array.from({ length: 10 }, (_, of) => [`${'n'.repeat(250)}${of}`, 'v'.repeat(256)])),
})

// Regression: requests within the limits blocked the process for up to 10 s.
describe('event loop', () => {
  const opened = { system: null as Awaited<ReturnType<typeof openIterationsRig>> | null }
  before(async () => {
    opened.system = await openIterationsRig()
    await opened.system.post('/api/v1/emails', bodyOf(mail({ text: undefined, html: '<p>a</p>' })))
  })
  after(() => opened.system?.[Symbol.asyncDispose]())

  for (const [name, make, status, path = '/api/v1/emails'] of [...sends, ...others]) {
    it(`is never blocked by ${name}`, async () => {
      const { post, drain } = opened.system ?? assert.fail('not open')
      const json = bodyOf(make())
      await assertIterationsBelow(50, async () => {
        const response = await post(path, Buffer.from(json))
        if (status !== 0) assert.equal(response.status, status, response.text.slice(0, 300))
        const { errors = [] } = JSON.parse(response.text) as { errors?: unknown[] }
        assert.ok(errors.length <= 100, `${errors.length} problems`)
        await drain()
      })
    })
  }

  for (const [name, part, vars] of largeTemplates) {
    it(`is never blocked by a template of ${name}, when it is stored, first checked and first rendered`, async () => {
      const { post, drain } = opened.system ?? assert.fail('not open')
      let number = 0
      await assertIterationsBelow(50, async () => {
        const json = { ...template(part), name: `${name} ${number++}` }
        const stored = await post('/api/v1/templates', bodyOf(json))
        assert.equal(stored.status, 201, stored.text.slice(0, 300))
        const { id } = JSON.parse(stored.text) as { id: string }
        const sent = { to: ['a@example.com'], template_id: id, template_vars: vars }
        const refused = await post('/api/v1/emails', bodyOf({ ...sent, unknown: 1 }))
        assert.equal(refused.status, 422, refused.text.slice(0, 300))
        const response = await post('/api/v1/emails', bodyOf(sent))
        assert.ok([202, 422].includes(response.status), response.text.slice(0, 300))
        await drain()
      })
    })
  }

  it('is never blocked by a list of templates with the longest subjects', async () => {
    const { post, get } = opened.system ?? assert.fail('not open')
    for (let number = 0; number < 21; number++) {
      const subject = `${number}${'é'.repeat(200_000)}`
      const response = await post('/api/v1/templates', bodyOf({ name: `long ${number}`, subject, text_body: 'a' }))
      assert.equal(response.status, 201, response.text.slice(0, 300))
    }
    await assertIterationsBelow(50, async () => assert.equal((await get('/api/v1/templates?limit=100')).status, 200))
  })

  // Each event of each recipient is a delivery to each endpoint. Thousands were stored in one step.
  it('is never blocked by webhooks of a workspace with many endpoints and recipients', async () => {
    const { post, drain, session } = opened.system ?? assert.fail('not open')
    const scopes = ['emails:send', 'webhooks:write']
    const made = await post('/api/v1/api-keys', bodyOf({ name: 'a', mode: 'test', scopes }), await session())
    const byKey = { authorization: `Bearer ${JSON.parse(made.text).key}` }
    for (let number = 0; number < 100; number++) {
      const response = await post('/api/v1/webhooks', bodyOf({ url: `https://a.example/${number}` }), byKey)
      assert.equal(response.status, 201, response.text.slice(0, 300))
    }
    const to = Array.from({ length: 50 }, (_, number) => `u${number}@example.com`)
    await assertIterationsBelow(50, async () => {
      const response = await post('/api/v1/emails', bodyOf(mail({ to })), byKey)
      assert.equal(response.status, 202, response.text.slice(0, 300))
      await drain()
    })
  })

  // The acceptance stored all staged messages in one step, and the sweep removed those of an abandoned batch in one
  // step.
  for (const name of ['without a key', 'with a key'])
    it(`is never blocked by a batch of messages near their limits ${name}`, async () => {
      const { call, byKey, drain } = opened.system ?? assert.fail('not open')
      const body = bodyOf({ messages: Array.from({ length: 100 }, (_, number) => largestOfBatch(number)) })
      let number = 0
      await assertIterationsBelow(50, async () => {
        const headers = { ...byKey, ...(name === 'with a key' && { 'idempotency-key': `largest-${number++}` }) }
        const response = await call('POST', '/api/v1/emails/batch', { headers, body: Buffer.from(body) })
        assert.equal(response.status, 202, response.text.slice(0, 300))
        assert.equal(JSON.parse(response.text).data.length, 100)
        await drain()
      })
    })

  // A page of them blocked the process for 100 ms, and wrote a warning about listeners to the log.
  it('is never blocked by lists and statistics of the largest records', async () => {
    const { post, get, drain } = opened.system ?? assert.fail('not open')
    for (let sent = 0; sent < 40; sent++) assert.equal((await post('/api/v1/emails', bodyOf(largestMail))).status, 202)
    await drain()
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    for (const path of ['emails?limit=40', 'events?limit=100', 'stats/emails', 'stats/emails?by=tag'])
      await assertIterationsBelow(50, async () => {
        const response = await get(`/api/v1/${path}`)
        assert.equal(response.status, 200, response.text.slice(0, 300))
      })
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  })
})
