import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { acceptingIntake, refusing, type TestGateway, testGateway } from '../testGateway.ts'

const mail = (over: Record<string, unknown> = {}) => ({ to: ['b@y.example'], subject: 's', text: 't', ...over })
const template = (over: Record<string, unknown> = {}) => ({
  to: ['b@y.example'],
  template_id: 'tpl_1',
  template_vars: {},
  ...over,
})
const file = (over: Record<string, unknown> = {}) => ({
  attachments: [{ filename: 'a.txt', content: 'eHg=', ...over }],
})
const many = (count: number) => Array.from({ length: count }, (_, i) => `u${i}@y.example`)

/** Bodies of a send, and all problems that the response must name, as `path code`. */
const refused: [name: string, body: unknown, problems: string[]][] = [
  // INVARIANTS §2, 1–24
  [
    '40: lone surrogates in addition to other problems',
    mail({ to: 'b@y', subject: '\ud800', html: 'a\udc00', tags: { 'a b': 'c' }, '\ud800': 1 }),
    [
      'subject lone_surrogate',
      'html lone_surrogate',
      ' lone_surrogate',
      '["\\ud800"] unknown_field',
      'to wrong_type',
      'tags["a b"] invalid_tag',
    ],
  ],
  ['1: a line break in the subject', mail({ subject: 'hi\r\nBcc: e@z' }), ['subject control_character']],
  // The length was compared in UTF-16 units, and a longer text was not read.
  [
    '1: a line break in a subject of 606 characters that have 1,206 units',
    mail({ subject: `${'\u{1f9f9}'.repeat(600)}\r\nBcc:` }),
    ['subject control_character'],
  ],
  ['2: a bare string with a line break', mail({ to: 'b@y\r\nBcc: e@z' }), ['to wrong_type']],
  ['2: a line break in an address', mail({ to: ['b@y\r\nBcc: e@z'] }), ['to[0] invalid_address']],
  ['3: two addresses in one entry', mail({ to: ['b@y, e@z'] }), ['to[0] invalid_address']],
  ['4: a quoted local part', mail({ to: ['"x@gmail.com x"@internal'] }), ['to[0] quoted_local_part']],
  ['5: a comment in the domain', mail({ to: ['user@good.com(x)evil.com'] }), ['to[0] invalid_address']],
  ['6: a group', mail({ to: ['friends: a@x, b@y;'] }), ['to[0] invalid_address']],
  ['6: a route', mail({ to: ['<@a,@b:c@d>'] }), ['to[0] invalid_address']],
  ['7: two addresses in from_', mail({ from_: '<a@mine>:<v@victim>' }), ['from_ invalid_address']],
  ['8: a right-to-left override in a name', mail({ to: ['Sup\u202eport <a@b.example>'] }), ['to[0] control_character']],
  ['8: a NUL in a name', mail({ to: ['Sup\0port <a@b.example>'] }), ['to[0] control_character']],
  ['9: an encoded word in an address', mail({ to: ['=?utf-8?q?a=40b?=@mine.example'] }), ['to[0] invalid_address']],
  ['10: an encoded word as a name', mail({ to: ['=?utf-8?q?a?= <a@b.example>'] }), ['to[0] encoded_word']],
  ['15: a space in a local part beyond ASCII', mail({ cc: ['用 户@例.jp'] }), ['cc[0] invalid_address']],
  ['a domain that IDNA 2008 disallows', mail({ reply_to: 'a@☃.com' }), ['reply_to[0] invalid_address']],
  [
    'a header that controls a provider',
    mail({ headers: { 'X-SMTPAPI': '{}' } }),
    ['headers.X-SMTPAPI header_not_allowed'],
  ],
  ['17: a header of ours', mail({ headers: { Bcc: 'e@z' } }), ['headers.Bcc header_not_allowed']],
  ['17: a header with a colon', mail({ headers: { 'X:Y': 'v' } }), ['headers["X:Y"] header_not_allowed']],
  ['17: a header without a name', mail({ headers: { '': 'v' } }), ['headers[""] header_not_allowed']],
  [
    '17: a thousand headers',
    mail({ headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`X-${i}`, 'v'])) }),
    ['headers too_many_headers'],
  ],
  ['18: a header of 100 kB', mail({ headers: { 'X-Long': 'v'.repeat(100_000) } }), ['headers.X-Long header_too_long']],
  ['18: a header with a line break', mail({ headers: { 'X-A': 'v\r\nBcc: e@z' } }), ['headers.X-A control_character']],
  [
    '19: a line break in a file name',
    mail(file({ filename: 'a"\r\nX: 1.txt' })),
    ['attachments[0].filename control_character'],
  ],
  ['19: a NUL in a file name', mail(file({ filename: 'x.pdf\0.exe' })), ['attachments[0].filename control_character']],
  [
    '20: a line break in a type',
    mail(file({ content_type: 'text/plain\r\nX: y' })),
    ['attachments[0].content_type control_character'],
  ],
  [
    '20: a line break in a content id',
    mail(file({ content_id: 'a>\r\nX:' })),
    ['attachments[0].content_id control_character'],
  ],
  ['21: html that names a file', mail({ html: { path: '/etc/passwd' } }), ['html wrong_type']],
  ['21: an attachment by path', mail(file({ path: 'http://169.254.169.254' })), ['attachments[0].path unknown_field']],
  ['21: raw', mail({ raw: 'x' }), ['raw unknown_field']],
  ['22: invalid base64', mail(file({ content: 'eH?=' })), ['attachments[0].content invalid_base64']],
  ['22: base64 of another alphabet', mail(file({ content: 'eH-_' })), ['attachments[0].content invalid_base64']],
  ['22: base64 in lines', mail(file({ content: 'eHh4\neHh4eHg=' })), ['attachments[0].content invalid_base64']],
  ['22: a data URI', mail(file({ content: 'data:text/plain;base64,eHg=' })), ['attachments[0].content invalid_base64']],
  [
    '22: a thousand parts',
    mail({ attachments: Array.from({ length: 1_000 }, () => ({ filename: 'a', content: '' })) }),
    ['attachments too_many_attachments'],
  ],
  ['23: a hundred thousand recipients', mail({ to: many(100_000) }), ['to too_many_recipients']],
  [
    '23: 51 recipients in three lists',
    mail({ to: many(49), cc: 'c@y.example', bcc: ['d@y.example'] }),
    ['to too_many_recipients'],
  ],
  ['24: a megabyte of brackets', mail({ to: ['('.repeat(1_000_000)] }), ['to[0] invalid_address']],
  ['an executable', mail(file({ filename: 'setup.EXE. ' })), ['attachments[0].filename executable_attachment']],
  [
    'an executable by its type',
    mail(file({ content_type: 'application/x-msdownload' })),
    ['attachments[0].content_type executable_attachment'],
  ],
  [
    'an executable by its content',
    mail(file({ content: Buffer.from('\x7fELF').toString('base64') })),
    ['attachments[0].content executable_attachment'],
  ],
  [
    'a parameter in a file name',
    mail(file({ filename: 'a.pdf"; filename="b.txt' })),
    ['attachments[0].filename invalid_filename'],
  ],
  [
    'a name parameter in a type',
    mail(file({ content_type: 'application/pdf; name=a.pdf' })),
    ['attachments[0].content_type invalid_content_type'],
  ],

  // The specification's mode rules
  ['an empty object', {}, ['to missing', 'subject missing', 'html missing']],
  ['a missing subject', mail({ subject: undefined }), ['subject missing']],
  ['neither html nor text', mail({ text: undefined }), ['html missing']],
  ['a template and a subject', template({ subject: 's' }), ['subject not_with_template']],
  [
    'a template, html and text',
    template({ html: 'h', text: 't' }),
    ['html not_with_template', 'text not_with_template'],
  ],
  ['a template without values', template({ template_vars: undefined }), ['template_vars missing']],
  ['values without a template', mail({ template_vars: {} }), ['template_id missing']],

  // Fields
  ['an empty subject', mail({ subject: '' }), ['subject empty']],
  ['a long subject', mail({ subject: 'x'.repeat(999) }), ['subject too_long']],
  ['an empty html', mail({ html: '' }), ['html empty']],
  ['html over 2 MiB', mail({ html: 'ü'.repeat(2 ** 20 + 1) }), ['html too_long']],
  ['no recipients', mail({ to: [] }), ['to empty']],
  ['recipients that are not strings', mail({ to: [1, null, 'x@y.example'] }), ['to[0] wrong_type', 'to[1] wrong_type']],
  ['an unknown field', mail({ from: 'a@b.example' }), ['from unknown_field']],
  ['a tag that is not a string', mail({ tags: { a: 1 } }), ['tags.a wrong_type']],
  ['a tag with a space', mail({ tags: { 'a b': 'c' } }), ['tags["a b"] invalid_tag']],
  ['eleven tags', mail({ tags: Object.fromEntries(many(11).map((_, i) => [`t${i}`, 'x'])) }), ['tags too_many_tags']],
  [
    'a duplicate tag',
    mail({
      tags: [
        { name: 'a', value: 'b' },
        { name: 'a', value: 'c' },
      ],
    }),
    ['tags[1] duplicate_tag'],
  ],
  ['metadata over 10 KiB', mail({ metadata: { a: 'x'.repeat(10_241) } }), ['metadata metadata_too_large']],
  ['a duplicate header', mail({ headers: { 'X-A': '1', 'x-a': '2' } }), ['headers.x-a duplicate_header']],
  ['an invalid time', mail({ scheduled_at: 'tomorrow' }), ['scheduled_at invalid_time']],
  ['a time without offset', mail({ scheduled_at: '2026-11-22T12:00:00' }), ['scheduled_at invalid_time']],
  ['the 30th of February', mail({ scheduled_at: '2027-02-30T12:00:00Z' }), ['scheduled_at invalid_time']],
  ['an invalid expiry', mail({ expires_in: 'soon' }), ['expires_in invalid_duration']],
  ['an expiry of 0', mail({ expires_in: 0 }), ['expires_in invalid_duration']],
  ['an expiry of half a second', mail({ expires_in: 0.5 }), ['expires_in wrong_type']],
  ['another on_unknown', mail({ on_unknown: 'maybe' }), ['on_unknown invalid_value']],
  ['values over 64 KiB', template({ template_vars: { a: 'x'.repeat(65_536) } }), ['template_vars vars_too_large']],
  [
    'values six deep',
    template({ template_vars: { a: { b: { c: { d: { e: {} } } } } } }),
    ['template_vars vars_too_deep'],
  ],
  ['values that are not an object', template({ template_vars: [] }), ['template_vars wrong_type']],
  ['an array', [], [' wrong_type']],
  ['null', null, [' wrong_type']],
  [
    'many problems together',
    { to: ['nonsense', 'ok@y.example'], from: 'a@b.example', reply_to: 'x', scheduled_at: '2020-01-01T00:00:00Z' },
    ['to[0] invalid_address', 'reply_to[0] invalid_address', 'from unknown_field', 'subject missing', 'html missing'],
  ],
]

describe('POST /api/v1/emails', () => {
  let gateway: TestGateway
  const accepted: SubmitRequest[] = []
  before(async () => {
    gateway = await testGateway({ intake: acceptingIntake(accepted) ?? {} })
  })
  after(() => gateway[Symbol.asyncDispose]())
  beforeEach(() => accepted.splice(0))

  const send = (json: unknown, headers: Record<string, string> = {}) =>
    gateway.api({ path: '/api/v1/emails', json, headers })
  const acceptedMail = async (json: unknown) => {
    const response = await send(json)
    assert.equal(response.status, 202, response.text)
    return accepted[0]?.mail ?? assert.fail()
  }

  for (const [name, body, problems] of refused) {
    it(`rejects ${name}`, async () => {
      const { status, body: response, text } = await send(body)
      assert.equal(status, 422, text.slice(0, 500))
      const found = (response.errors ?? []).map(({ path, code }) => `${path} ${code}`)
      assert.deepEqual(found.sort(), [...problems].sort())
      assert.equal(response.code, 'validation_failed')
      assert.equal(accepted.length, 0)
    })
  }

  it('accepts empty lists of cc, bcc and reply_to', async () => {
    const passedOn = await acceptedMail(mail({ cc: [], bcc: [], reply_to: [] }))
    assert.deepEqual([passedOn.cc, passedOn.bcc, passedOn.replyTo], [[], [], []])
  })

  it('adds the problems that intake finds, and passes only well-formed parts to intake', async () => {
    const requests: unknown[] = []
    const finding = { path: 'domain_id', code: 'unknown_domain', message: 'This is not a verified domain.' }
    await using other = await testGateway({
      intake: {
        Check: async ({ caller: _, ...parts }) => {
          requests.push(parts)
          return { problems: [finding] }
        },
      },
    })
    const json = {
      to: ['nonsense'],
      from_: 'Ann <ann@Mine.example>',
      domain_id: 'dom_x',
      template_id: 7,
      template_vars: {},
      scheduled_at: 'P31D',
    }
    const { status, body } = await other.api({ path: '/api/v1/emails', json })
    assert.equal(status, 422)
    const found = (body.errors ?? []).map(({ path, code }) => `${path} ${code}`)
    assert.deepEqual(found, ['to[0] invalid_address', 'template_id wrong_type', 'domain_id unknown_domain'])
    const sendAt = { inMs: 31 * 86_400_000 }
    const from = { name: 'Ann', address: 'ann@mine.example' }
    const lists = { to: [], cc: [], bcc: [] }
    const parts = { template: null, from, domainId: 'dom_x', sendAt, category: 'transactional', ...lists }
    assert.deepEqual(requests, [parts])
    await other.api({ path: '/api/v1/emails', json: { ...json, from_: 'a@b@c' } })
    assert.deepEqual(requests[1], { ...parts, from: null })
  })

  it('passes a send time in the past to intake, which decides whether the request is a retry', async () => {
    const passedOn = await acceptedMail(mail({ scheduled_at: '2026-11-21T11:58:59Z' }))
    assert.deepEqual(passedOn.sendAt, { at: Date.parse('2026-11-21T11:58:59Z') })
  })

  it('returns 202 with the unchanged record and its Location', async () => {
    const response = await send(mail())
    assert.deepEqual([response.status, response.text], [202, '{"object":"email","id":"em_1"}'])
    assert.equal(response.headers['location'], '/api/v1/emails/em_1')
    assert.match(response.headers['content-type'] ?? '', /^application\/json/)
  })

  it('passes on parsed values, never the text', async () => {
    const sent = await acceptedMail(
      mail({
        to: ['Jane "J" Doe <Jane@BÜCHER.example>'.replaceAll('"', ''), 'b@y.example'],
        reply_to: 'r@y.example',
        from_: 'Me <me@mine.example>',
        tags: [{ name: 'team', value: 'blue' }],
        ...file({ content_id: 'logo' }),
        scheduled_at: 'PT1H',
        expires_in: 600,
        subject: 'ok',
        cc: null,
        metadata: null,
      }),
    )
    assert.deepEqual(sent.to[0], { name: 'Jane J Doe', address: 'Jane@xn--bcher-kva.example' })
    assert.deepEqual([sent.cc, sent.replyTo], [[], [{ name: '', address: 'r@y.example' }]])
    assert.deepEqual(sent.from, { name: 'Me', address: 'me@mine.example' })
    assert.deepEqual([sent.tags, sent.metadata], [{ team: 'blue' }, {}])
    assert.equal(Buffer.from(sent.attachments[0]?.content ?? []).toString(), 'xx')
    // Intake counts a duration from acceptance: the clock of this process may be wrong.
    assert.deepEqual(sent.sendAt, { inMs: 3_600_000 })
    assert.deepEqual([sent.expiresInMs, sent.category, sent.onUnknown], [600_000, 'transactional', null])
  })

  it('passes on a template with its values', async () => {
    const sent = await acceptedMail(template({ template_vars: { a: [1, null], b: { c: true } } }))
    assert.deepEqual(sent.template, { id: 'tpl_1', vars: { a: [1, null], b: { c: true } } })
    assert.equal(sent.subject, null)
  })

  it('counts repeated addresses once', async () => {
    const sent = await acceptedMail(
      mail({ to: Array.from({ length: 60 }, (_, i) => (i % 2 ? 'A@Y.example' : 'N <a@y.example>')) }),
    )
    assert.equal(sent.to.length, 60)
  })

  it('drops the folders of a file name', async () => {
    assert.equal((await acceptedMail(mail(file({ filename: '../../etc/passwd' })))).attachments[0]?.filename, 'passwd')
  })

  it('suggests the nearest known field', async () => {
    const { body } = await send(mail({ from: 'a@b.example' }))
    assert.match(body.detail ?? '', /^from: .*did you mean from_\?$/)
    const other = await send(mail({ replyTo: 'a@b.example' }))
    assert.match(other.body.detail ?? '', /did you mean reply_to\?/)
  })

  it('rejects names of the prototype', async () => {
    const body = '{"to":["b@y.example"],"template_id":"t","template_vars":{"__proto__":{"admin":1}}}'
    const { status, body: response } = await gateway.api({
      path: '/api/v1/emails',
      body,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(status, 400)
    assert.equal(response.errors?.[0]?.code, 'reserved_key')
    assert.equal(({} as Record<string, unknown>)['admin'], undefined)
  })

  it('rejects a number that reads as infinity', async () => {
    const body = '{"to":["b@y.example"],"template_id":"t","template_vars":{"a":1e999}}'
    const response = await gateway.api({
      path: '/api/v1/emails',
      body,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(response.body.errors?.[0]?.code, 'invalid_number')
  })

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string) => send(mail(), { 'idempotency-key': key })

    for (const [name, key] of [
      ['empty', ''],
      ['of 256 characters', 'k'.repeat(256)],
      ['beyond ASCII', 'schlüssel'],
      ['with a tab', 'a\tb'],
      ['of an empty quoted string', '""'],
      ['that begins with a quote', '"abc'],
      ['with parameters', '"abc";q=1'],
    ] as const) {
      it(`rejects a key ${name}`, async () => {
        const { status, body } = await keyed(key)
        assert.equal(status, 400)
        assert.equal(body.code, 'malformed_request')
        const [problem] = body.errors ?? []
        assert.deepEqual([problem?.path, problem?.code], ['Idempotency-Key', 'invalid_idempotency_key'])
      })
    }

    // The key was ignored, so a retry sent the mail twice.
    for (const name of ['X-Idempotency-Key', 'Idempotency_Key', 'IdempotencyKey', 'Idempotent-Key']) {
      it(`rejects a key in the header ${name}`, async () => {
        const { status, body } = await send(mail(), { [name]: 'a' })
        assert.deepEqual([status, body.code], [400, 'malformed_request'])
        const [problem] = body.errors ?? []
        assert.deepEqual([problem?.path, problem?.code], [name, 'wrong_header'])
        assert.match(body.detail ?? '', /send the key in the header Idempotency-Key\.$/)
        assert.equal(accepted.length, 0)
      })
    }

    it('ignores a key in another header if it has its own', async () => {
      const { status } = await send(mail(), { 'idempotency-key': 'a', 'x-idempotency-key': 'b' })
      assert.equal(status, 202)
      assert.deepEqual(
        accepted.map(({ idempotency }) => idempotency?.key),
        ['a'],
      )
    })

    it('rejects a request with two Idempotency-Key headers', async () => {
      const headers = { 'idempotency-key': ['a', 'b'] }
      const response = await gateway.api({ path: '/api/v1/emails', json: mail(), headers })
      assert.equal(response.body.errors?.[0]?.code, 'invalid_idempotency_key')
    })

    it('reads a quoted string as its content', async () => {
      await keyed('"a \\"b\\", c"')
      await keyed('a, b')
      assert.deepEqual(
        accepted.map(({ idempotency }) => idempotency?.key),
        ['a "b", c', 'a, b'],
      )
    })

    it('passes on the operation and a fingerprint that ignores order and white space', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
      await gateway.api({ path: '/api/v1/emails', body: '{"to":["b@y.example"],"subject":"s","text":"t"}', headers })
      await gateway.api({
        path: '/api/v1/emails',
        body: '{ "text":"t","subject":"\\u0073","to":["b@y.example"] }',
        headers,
      })
      const [one, two] = accepted
      assert.equal(one?.operation, 'POST /api/v1/emails')
      assert.equal(one?.idempotency?.fingerprint.length, 32)
      assert.deepEqual(one?.idempotency?.fingerprint, two?.idempotency?.fingerprint)
    })
  })

  it('reports a replay and the state of the quota', async () => {
    await using own = await testGateway({
      intake: {
        Submit: async () => ({
          id: 'em_1',
          status: 202,
          bodyJson: '{}',
          replayed: true,
          quota: { limit: 100, remaining: 3, resetsAt: Date.UTC(2026, 10, 22), resetsInMs: 43_199_001 },
        }),
      },
    })
    const { headers } = await own.api({ path: '/api/v1/emails', json: mail() })
    assert.equal(headers['idempotent-replayed'], 'true')
    assert.deepEqual(
      [headers['quota-limit'], headers['quota-remaining'], headers['quota-reset']],
      ['100', '3', '43200'],
    )
  })

  it('waits for the store after a refusal, and not again after a response of intake', async () => {
    const order: string[] = []
    const durable = { synced: async () => void order.push('synced') }
    await using accepting = await testGateway({ intake: acceptingIntake([]) ?? {}, durable })
    assert.equal((await accepting.api({ path: '/api/v1/emails', json: mail() })).status, 202)
    assert.deepEqual(order, [])
    const Submit = refusing('quota_exceeded', 'The quota is used up.')
    await using full = await testGateway({ intake: { Submit }, durable })
    assert.equal((await full.api({ path: '/api/v1/emails', json: mail() })).status, 402)
    assert.deepEqual(order, ['synced'])
  })

  it('explains in a 503 what a retry would do', async () => {
    await using own = await testGateway({ intake: { Submit: refusing('unavailable', 'The store is unavailable.') } })
    const bare = await own.api({ path: '/api/v1/emails', json: mail() })
    assert.deepEqual([bare.status, bare.body.code, bare.headers['retry-after']], [503, 'unavailable', '1'])
    assert.match(bare.body.detail ?? '', /may have been accepted/)
    const keyed = await own.api({ path: '/api/v1/emails', json: mail(), headers: { 'idempotency-key': 'k' } })
    assert.match(keyed.body.detail ?? '', /same Idempotency-Key/)
  })

  // "The email was not accepted" was followed by "The message may have been accepted".
  it('states in a 503 of a full queue that nothing was accepted', async () => {
    const Submit = async (): Promise<never> => {
      throw new Fault('unavailable', 'The queue is full; retry later.', { expected: true, accepted: 'no' })
    }
    await using own = await testGateway({ intake: { Submit } })
    const bare = await own.api({ path: '/api/v1/emails', json: mail() })
    assert.equal(bare.body.detail, 'The queue is full; retry later. Nothing was accepted, so sending it again is safe.')
    const keyed = await own.api({ path: '/api/v1/emails', json: mail(), headers: { 'idempotency-key': 'k' } })
    assert.match(keyed.body.detail ?? '', /retry later\. Retry with the same Idempotency-Key/)
  })
})
