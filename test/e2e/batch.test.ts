import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord, ListRecord, ProblemRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Batch = { object: string; data: EmailRecord[] }
type Result = { index: number; status: number; email?: EmailRecord; error?: ProblemRecord }
type Permissive = { object: string; data: Result[] }

const path = '/api/v1/emails/batch'
const permissive = { 'batch-validation': 'permissive' }

describe('batches', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const post = <Body = Batch>(
    messages: unknown,
    headers = {},
    caller: Caller = tenant.api,
  ): Promise<HttpResponse<Body>> => caller.call<Body>({ path, json: { messages }, headers })
  const used = async (owner = tenant): Promise<number> =>
    (await owner.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body.monthly.used
  const mails = (count: number, over: Record<string, unknown> = {}) =>
    Array.from({ length: count }, () => rawMail(over))
  const addressOf = (mail: Record<string, unknown>): string => (mail['to'] as string[])[0] ?? ''
  const noneSent = async (owner: Tenant): Promise<void> => {
    assert.deepEqual((await owner.list()).data, [])
    assert.equal(await used(owner), 0)
  }

  it('accepts 100 messages in one request, in their order, and delivers each once', async () => {
    const owner = await system().client.tenant()
    const messages = mails(100)
    const { status, body, text } = await post(messages, {}, owner.api)
    assert.equal(status, 202, text.slice(0, 500))
    assert.equal(body.object, 'list')
    assert.deepEqual(
      body.data.map(({ to }) => to),
      messages.map(({ to }) => to),
    )
    for (const mail of messages) await system().receiver.waitFor(addressOf(mail))
    for (const { id } of body.data) await owner.until(id, (email) => email.status === 'delivered')
    for (const mail of messages) assert.equal(system().receiver.to(addressOf(mail)).length, 1)
    assert.equal(await used(owner), 100)
    const events = await owner.api.call<ListRecord<{ type: string }>>({
      path: '/api/v1/events?type=email.accepted&limit=100',
    })
    assert.equal(events.body.data.length, 100)
  })

  it('accepts every field of a single message: templates, files, schedules, test recipients', async () => {
    const template = await tenant.template({ name: fresh('t'), subject: 'Hi {{name}}', text_body: 'Hi {{name}}' })
    const attachments = [{ filename: 'a.txt', content: Buffer.from('a file').toString('base64') }]
    const [plain, later] = [
      rawMail({ attachments, tags: { a: 'b' }, cc: [fresh()] }),
      rawMail({ scheduled_at: 'PT1H' }),
    ]
    const rendered = { to: [fresh()], template_id: template.id, template_vars: { name: 'Ann' } }
    const suppressed = rawMail({ to: ['suppressed@simulator.postrider.dev'] })
    const before = await used()
    const { status, body, text } = await post([plain, later, rendered, suppressed])
    assert.equal(status, 202, text)
    assert.deepEqual(
      body.data.map((email) => email.status),
      ['queued', 'scheduled', 'queued', 'suppressed'],
    )
    assert.equal(body.data[2]?.subject, 'Hi Ann')
    assert.equal(await used(), before + 4)
    const received = await system().receiver.waitFor(addressOf(plain))
    assert.match(String(received.raw), /a\.txt/)
    const canceled = await tenant.api.call<EmailRecord>({
      path: `/api/v1/emails/${body.data[1]?.id}/cancel`,
      method: 'POST',
    })
    assert.equal(canceled.body.status, 'canceled', canceled.text)
    assert.equal(await used(), before + 3)
    const again = await tenant.api.call({ path: `/api/v1/emails/${body.data[1]?.id}/cancel`, method: 'POST' })
    assert.equal(again.status, 200)
    assert.equal(await used(), before + 3)
  })

  it('accepts nothing if one message is refused, and names every problem with its path', async () => {
    const owner = await system().client.tenant()
    const unknown = { to: [fresh()], template_id: 'tpl_01h2xcejqtf2nbrexx3vqjhp41', template_vars: {} }
    const messages = [
      rawMail(),
      { to: ['not-an-address', fresh()], subject: 'S' },
      unknown,
      rawMail({ subjet: 'S' }),
      'text',
      rawMail({ scheduled_at: '2001-01-01T00:00:00Z' }),
    ]
    const response = await post(messages, {}, owner.api)
    const { errors } = assertProblem(response, 422, 'validation_failed')
    assert.deepEqual(
      errors?.map((problem) => `${problem.path} ${problem.code}`),
      [
        'messages[1].to[0] invalid_address',
        'messages[1].html missing',
        'messages[2].template_id unknown_template',
        'messages[3].subjet unknown_field',
        'messages[4] wrong_type',
        'messages[5].scheduled_at in_the_past',
      ],
    )
    await noneSent(owner)
  })

  it('names at most 100 problems', async () => {
    const wrong = Array.from({ length: 60 }, () => ({ to: ['x'], cc: ['y'], text: 'T' }))
    const { errors } = assertProblem(await post(wrong), 422, 'validation_failed')
    assert.equal(errors?.length, 100)
  })

  it('returns a result for each message on request, and sends those that are not refused', async () => {
    const [first, second] = [rawMail(), rawMail()]
    const before = await used()
    const { status, body, text } = await post<Permissive>([first, { to: ['x'], text: 'T' }, second, 7], permissive)
    assert.equal(status, 202, text)
    assert.deepEqual(
      body.data.map((result) => [result.index, result.status, result.email?.to[0] ?? result.error?.code]),
      [
        [0, 202, addressOf(first)],
        [1, 422, 'validation_failed'],
        [2, 202, addressOf(second)],
        [3, 422, 'validation_failed'],
      ],
    )
    assert.deepEqual(
      body.data[1]?.error?.errors?.map((problem) => problem.path),
      ['to[0]', 'subject'],
    )
    for (const mail of [first, second]) await system().receiver.waitFor(addressOf(mail))
    assert.equal(await used(), before + 2)
  })

  it('returns a result for each message of a permissive batch even if every message is refused', async () => {
    const { status, body } = await post<Permissive>([{}, {}], permissive)
    assert.deepEqual([status, body.data.map((result) => result.status)], [202, [422, 422]])
  })

  const shapes: [name: string, body: string, status: number, code: string, path: string][] = [
    ['an empty body', '', 400, 'malformed_request', ''],
    ['a message that is no JSON', '{"messages":[{"to":}]}', 400, 'malformed_request', ''],
    ['a repeated name in a message', '{"messages":[{"to":["a@b.example"],"to":[]}]}', 400, 'malformed_request', ''],
    ['two lists', '{"messages":[{}],"messages":[{}]}', 400, 'malformed_request', ''],
    ['a body that ends early', '{"messages":[{"to":["a@b.example"]}', 400, 'malformed_request', ''],
    ['a reserved name', '{"messages":[{"__proto__":{}}]}', 400, 'malformed_request', ''],
    ['no messages', '{"messages":[]}', 422, 'validation_failed', 'messages'],
    ['no list', '{}', 422, 'validation_failed', 'messages'],
    ['null', '{"messages":null}', 422, 'validation_failed', 'messages'],
    ['an object in place of the list', '{"messages":{"0":{}}}', 422, 'validation_failed', 'messages'],
    ['an array', '[]', 422, 'validation_failed', ''],
    ['another field', '{"messages":[{}],"mode":"all"}', 422, 'validation_failed', 'mode'],
    ['101 messages', `{"messages":[${Array(101).fill('{}').join()}]}`, 422, 'validation_failed', 'messages'],
    ['a list in the list', '{"messages":[[{}]]}', 422, 'validation_failed', 'messages[0]'],
  ]
  for (const headers of [{}, permissive])
    for (const [name, body, status, code, at] of shapes) {
      if (name === 'a list in the list' && headers === permissive) continue
      it(`refuses ${name}${headers === permissive ? ' also in a permissive batch' : ''}`, async () => {
        const response = await tenant.api.call({ path, body, headers })
        assert.equal(assertProblem(response, status, code).errors?.[0]?.path, at)
      })
    }

  it('refuses another Batch-Validation and an Idempotency-Key that cannot be read', async () => {
    assertProblem(await post([rawMail()], { 'batch-validation': 'yes' }), 400, 'malformed_request')
    assertProblem(await post([rawMail()], { 'idempotency-key': '' }), 400, 'malformed_request')
  })

  it('replays the first response to a repeated request and sends nothing twice', async () => {
    const [mail, key] = [rawMail(), { 'idempotency-key': fresh('key') }]
    const before = await used()
    const first = await post([mail, rawMail()].slice(0, 1), key)
    const second = await post([mail], key)
    assert.deepEqual([first.status, second.status, second.text], [202, 202, first.text])
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assertProblem(await post([mail, mail], key), 422, 'idempotency_mismatch')
    const single = await tenant.send(mail, key)
    assert.equal(single.status, 202, 'the key of another operation is another key')
    assert.equal(await used(), before + 2)
  })

  it('accepts one batch for concurrent requests with one key', async () => {
    const [mail, key] = [rawMail(), { 'idempotency-key': fresh('key') }]
    const before = await used()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post([mail, rawMail({ to: [fresh()] })].slice(0, 1), key)),
    )
    const ids = new Set(responses.filter((one) => one.status === 202).map((one) => one.body.data[0]?.id))
    assert.equal(ids.size, 1)
    for (const response of responses.filter((one) => one.status !== 202))
      assertProblem(response, 409, 'idempotency_in_flight')
    assert.equal(await used(), before + 1)
  })

  it('does not store a strict refusal, so the key can be used again', async () => {
    const key = { 'idempotency-key': fresh('key') }
    const messages = [rawMail(), { to: [fresh()] }]
    assertProblem(await post(messages, key), 422, 'validation_failed')
    assert.equal((await post<Permissive>(messages, { ...key, ...permissive })).status, 202)
  })

  it('accepts nothing if the sends do not fit in the quota, in both modes', async () => {
    const owner = await system().client.tenant({ monthly: 5 })
    for (const headers of [{}, permissive]) {
      const response = await post(mails(6), headers, owner.api)
      assertProblem(response, 402, 'quota_exceeded')
      assert.equal(response.headers['quota-remaining'], '5')
      await noneSent(owner)
    }
    const fits = await post(mails(5), {}, owner.api)
    assert.deepEqual([fits.status, fits.headers['quota-remaining']], [202, '0'])
    assert.equal(await used(owner), 5)
    const test = await owner.makeKey({ mode: 'test' })
    assert.equal((await post(mails(3), {}, test)).status, 202)
    assert.equal(await used(owner), 5)
  })

  it('passes the rate limit when one message would, and then counts each message', async () => {
    const owner = await system().client.tenant({ rate: 1, burst: 2 })
    const first = await post(mails(30), {}, owner.api)
    assert.equal(first.status, 202, first.text)
    assert.match(String(first.headers['ratelimit']), /;r=0;/)
    for (const next of [await post(mails(1), {}, owner.api), await owner.send(rawMail())]) {
      assertProblem(next, 429, 'rate_limited')
      assert.ok(Number(next.headers['retry-after']) > 1)
    }
  })

  it('refuses what a limited key may not send', async () => {
    const [inside, outside] = [fresh('user', 'inside.example'), fresh('user', 'outside.example')]
    const limited = await tenant.makeKey({ recipients: ['inside.example'] })
    const messages = [rawMail({ to: [inside] }), rawMail({ to: [outside] })]
    const { errors } = assertProblem(await post(messages, {}, limited), 422, 'validation_failed')
    assert.equal(errors?.[0]?.path, 'messages[1].to[0]')
    const key = { 'idempotency-key': fresh('key'), ...permissive }
    assert.equal((await post(messages, key)).status, 202)
    assertProblem(await post(messages, key, limited), 422, 'idempotency_mismatch')
    const { body } = await post<Permissive>(messages, permissive, limited)
    assert.deepEqual(
      body.data.map((result) => result.status),
      [202, 422],
    )
  })

  it('refuses a batch of a suspended workspace', async () => {
    const owner = await system().client.tenant()
    const operator = system().client.withOperatorToken()
    const json = { suspended: true }
    await operator.call({ method: 'PATCH', path: `/api/v1/operator/workspaces/${owner.workspace.id}`, json })
    await until('the batch is refused', async () => {
      const response = await post([rawMail()], permissive, owner.api)
      return response.status === 403 ? response : undefined
    })
  })

  it('accepts a batch of 20 MiB, whose messages arrive in parts, and replays its response', async () => {
    const owner = await system().client.tenant()
    const content = Buffer.alloc(500_000, 'file').toString('base64')
    // They are not delivered: the SMTP server of the tests would parse 20 MiB.
    const messages = mails(30, { attachments: [{ filename: 'a.txt', content }], scheduled_at: 'PT24H' })
    const key = { 'idempotency-key': fresh('key') }
    const first = await until('the batch is accepted', async () => {
      const response = await post(messages, key, owner.api)
      return response.status === 503 || response.status === 409 ? undefined : response
    })
    assert.equal(first.status, 202, first.text.slice(0, 500))
    assert.deepEqual(
      first.body.data.map(({ to }) => to),
      messages.map(({ to }) => to),
    )
    const raw = await owner.api.call({ path: `/api/v1/emails/${first.body.data[29]?.id}/raw` })
    assert.ok(raw.text.length > 600_000)
    assert.equal(await used(owner), 30)
    const wrong = [...messages.slice(0, 5), { to: [fresh()] }, ...messages.slice(5, 10)]
    assertProblem(await post(wrong, {}, owner.api), 422, 'validation_failed')
    assert.equal((await owner.list('?limit=100')).data.length, 30)
    const second = await post(messages, key, owner.api)
    assert.deepEqual([second.status, second.text === first.text], [202, true])
    assert.equal(await used(owner), 30)
  })
})
