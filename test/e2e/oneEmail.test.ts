import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()
const suppressed = 'suppressed@simulator.postrider.dev'

type Validation = {
  object: string
  would_send: boolean
  problems: { code: string; path?: string; message: string }[]
}
type Next = { at: string | null; reason: string; detail: string }
type Rule = { id: string | null; source: string | null; changed: string | null } | null
type Explanation = {
  object: string
  id: string
  status: string
  route: { name: string | null; reason: string } | null
  next_attempt: Next
  recipients: { address: string; class: string | null; rule: Rule; next_attempt: Next }[]
  attempts: {
    route: { name: string; reason: string }
    mx: null
    host: string
    address: string | null
    encrypted: boolean | null
    duration_ms: number | null
    timings: Record<string, number | null> | null
    conversation: { command: string; reply: string }[]
    refusals: { class: string; phase: string; rule: Rule }[]
  }[]
}

describe('one email', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const move = (id: string, scheduled_at: unknown, caller: Caller = tenant.api) =>
    caller.call<EmailRecord>({ method: 'PATCH', path: `/api/v1/emails/${id}`, json: { scheduled_at } })
  const sendLater = async (over: Record<string, unknown> = {}) => {
    const to = fresh()
    const { body, status, text } = await tenant.send(rawMail({ to: [to], scheduled_at: 'PT1H', ...over }))
    assert.equal(status, 202, text)
    return { id: body.id, to, body }
  }

  describe('moved to another time', () => {
    it('is sent at the new time and not at the former one', async () => {
      const moveBefore = async (ms: number) => {
        const soon = await sendLater({ scheduled_at: inMs(ms) })
        return { ms, soon, away: await move(soon.id, 'P1D') }
      }
      const moved = await sendLater()
      let made = await moveBefore(8_000)
      // If a busy machine is too slow for that, the next email is due later.
      while (made.away.status === 409 && made.ms < 60_000) made = await moveBefore(3 * made.ms)
      const { ms, soon, away } = made
      assert.deepEqual([away.status, away.body.status], [200, 'scheduled'], away.text)
      const at = inMs(ms + 1_000)
      const { status, body, text } = await move(moved.id, at)
      assert.deepEqual([status, body.scheduled_at, body.recipients[0]?.next_at], [200, at, at], text)
      await system().receiver.waitFor(moved.to)
      assert.ok(Date.now() >= Date.parse(at), 'it was sent too early')
      const email = await tenant.until(moved.id, isFinal)
      assert.deepEqual(
        email.events?.map(({ type }) => type),
        ['email.accepted', 'email.scheduled', 'email.scheduled', 'email.sent', 'email.delivered'],
      )
      assert.equal(system().receiver.to(soon.to).length, 0)
    })

    it('is sent immediately with PT0S, once', async () => {
      const { id, to } = await sendLater()
      assert.equal((await move(id, 'PT0S')).status, 200)
      await tenant.until(id, (email) => email.status === 'delivered')
      assert.equal(system().receiver.to(to).length, 1)
      assertProblem(await move(id, 'PT1H'), 409, 'conflict')
    })

    it('is a conflict once it is canceled, and can be canceled after a move', async () => {
      const { id } = await sendLater()
      assert.equal((await move(id, 'PT2H')).status, 200)
      assert.equal((await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })).status, 200)
      assertProblem(await move(id, 'PT3H'), 409, 'conflict')
    })

    for (const [what, scheduled_at] of [
      ['of more than a minute ago', inMs(-120_000)],
      ['more than 30 days ahead', 'P31D'],
      ['in words', 'tomorrow'],
      ['that is null', null],
    ] as const)
      it(`refuses a time ${what} and stays as it is`, async () => {
        const { id, body } = await sendLater()
        assertProblem(await move(id, scheduled_at), 422, 'validation_failed', [{ path: 'scheduled_at' }])
        assert.equal((await tenant.get(id)).scheduled_at, body.scheduled_at)
      })

    it('refuses other fields, and does not find mail of another workspace', async () => {
      const { id } = await sendLater()
      const json = { scheduled_at: 'PT1H', subject: 'Another' }
      const response = await tenant.api.call({ method: 'PATCH', path: `/api/v1/emails/${id}`, json })
      assertProblem(response, 422, 'validation_failed', [{ path: 'subject', code: 'unknown_field' }])
      const other = await system().client.tenant()
      assertProblem(await move(id, 'PT1H', other.api), 404, 'not_found')
    })

    it('is either moved or sent in each of 20 races between both', async () => {
      const races = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const to = fresh()
          const { body } = await tenant.send(rawMail({ to: [to] }))
          return { to, id: body.id, moved: (await move(body.id, 'PT1H')).status === 200 }
        }),
      )
      for (const { to, id, moved } of races) {
        await tenant.until(id, (one) => one.status === (moved ? 'scheduled' : 'delivered'))
        assert.equal(system().receiver.to(to).length, moved ? 0 : 1)
      }
    })
  })

  it('shows its rendered content', async () => {
    const { id: template_id } = await tenant.template({
      subject: 'Hello {{name}}',
      html_body: '<p>Hello {{name}}</p>',
      text_body: 'Hello {{name}}',
    })
    const json = {
      to: [fresh()],
      template_id,
      template_vars: { name: 'Ada & Bob' },
      headers: { 'X-Order': '17' },
      attachments: [{ filename: 'a.txt', content: 'YWJj' }],
      scheduled_at: 'PT1H',
    }
    const { body } = await tenant.send(json)
    const content = await tenant.api.call({ path: `/api/v1/emails/${body.id}/content` })
    assert.equal(content.status, 200, content.text)
    assert.deepEqual(content.body, {
      object: 'email_content',
      id: body.id,
      subject: 'Hello Ada & Bob',
      html: '<p>Hello Ada &amp; Bob</p>',
      text: 'Hello Ada & Bob',
      headers: { 'X-Order': '17' },
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', content_id: null, size: 3 }],
      attachments_removed_at: null,
    })
  })

  it('shows long content unchanged', async () => {
    const html = `<p>${'“é😀"\\ '.repeat(40_000)}</p>`
    const { body } = await tenant.send(rawMail({ html, scheduled_at: 'PT1H' }))
    const content = await tenant.api.call<{ html: string }>({ path: `/api/v1/emails/${body.id}/content` })
    assert.equal(content.body.html, html)
  })

  const explain = async (id: string): Promise<Explanation> => {
    const response = await tenant.api.call<Explanation>({ path: `/api/v1/emails/${id}/explain` })
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  it('explains a delivery by what the attempt recorded', async () => {
    const { body } = await tenant.send(rawMail())
    await tenant.until(body.id, isFinal)
    const { object, status, route, next_attempt, attempts } = await explain(body.id)
    assert.deepEqual(
      [object, status, next_attempt.reason, next_attempt.at],
      ['email_explanation', 'delivered', 'final', null],
    )
    assert.deepEqual([route?.name, route?.reason], ['smtp', 'operator_route'])
    const [attempt] = attempts
    assert.ok(attempt)
    assert.deepEqual([attempt.mx, attempt.encrypted, attempt.refusals], [null, false, []])
    assert.match(attempt.address ?? '', /127\.0\.0\.1|::1/)
    assert.ok((attempt.duration_ms ?? -1) >= 0)
    for (const phase of ['envelope_ms', 'body_ms', 'gate_ms', 'final_dot_ms'])
      assert.ok((attempt.timings?.[phase] ?? -1) >= 0, phase)
    assert.ok(attempt.conversation.some(({ command }) => command.startsWith('RCPT TO:')))
  })

  it('explains a refusal by its rule, and when and why it is tried again', async () => {
    const [later, bad] = [fresh('later'), fresh('bad')]
    system().receiver.refuse(later, { code: 451, text: '4.7.1 Greylisted, come back later' })
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    const { body } = await tenant.send(rawMail({ to: [later, bad] }))
    const record = await tenant.until(body.id, (one) => one.status === 'deferred')
    const { recipients, next_attempt } = await explain(body.id)
    assert.deepEqual(
      recipients.map(({ class: found, rule }) => [found, rule?.id]),
      [
        ['transient', 'greylisting'],
        ['invalid', 'recipient_code_and_text'],
      ],
    )
    assert.equal(next_attempt.at, record.recipients[0]?.next_at)
    assert.equal(next_attempt.reason, 'retry')
    assert.match(next_attempt.detail, /^Try 2 of 9 .*Greylisted/)
    assert.equal(recipients[1]?.next_attempt.reason, 'final')
  })

  it('explains scheduled mail before its first attempt', async () => {
    const { id, body } = await sendLater()
    const { next_attempt, route, attempts } = await explain(id)
    assert.deepEqual([next_attempt.reason, next_attempt.at], ['scheduled', body.scheduled_at])
    assert.deepEqual([route?.name, route?.reason, attempts], [null, 'operator_route', []])
  })

  it('has no content or explanation for another workspace', async () => {
    const { id } = await sendLater()
    const other = await system().client.tenant()
    for (const part of ['content', 'explain'])
      assertProblem(await other.api.call({ path: `/api/v1/emails/${id}/${part}` }), 404, 'not_found')
  })
})

describe('validation of a message', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const validate = async (json: unknown, caller: Caller = tenant.api): Promise<Validation> => {
    const response = await caller.call<Validation>({ path: '/api/v1/emails/validate', json })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  const problemsIn = ({ problems }: Validation) => problems.map(({ path = '', code }) => `${path} ${code}`)

  it('finds nothing in a good message, and stores and counts nothing', async () => {
    const counted = await system().client.tenant({ daily: 2, monthly: 2 })
    for (let times = 0; times < 4; times++)
      assert.deepEqual(await validate(rawMail(), counted.api), { object: 'validation', would_send: true, problems: [] })
    assert.deepEqual((await counted.list()).data, [])
    assert.equal((await counted.send(rawMail({ to: [fresh(), fresh()] }))).status, 202)
    const over = await validate(rawMail(), counted.api)
    assert.deepEqual([over.would_send, problemsIn(over)], [false, [' quota_exceeded']])
  })

  it('reports problems of the fields and of the workspace together', async () => {
    const found = await validate({
      to: ['ann@', suppressed],
      from_: 7,
      subjct: 'x',
      html: '<p>x</p>',
      scheduled_at: 'P31D',
      domain_id: 'dom_x',
      category: 'marketing',
    })
    assert.equal(found.would_send, false)
    const all = problemsIn(found)
    for (const problem of ['to[0] ', 'from_ ', 'subjct unknown_field', 'subject missing', 'domain_id unknown_domain'])
      assert.ok(
        all.some((one) => one.startsWith(problem)),
        `${problem} is missing in ${all}`,
      )
    for (const problem of ['scheduled_at too_far_ahead', 'category postal_address_required', 'to[1] suppressed'])
      assert.ok(all.includes(problem), `${problem} is missing in ${all}`)
  })

  it('reports every missing variable of a template', async () => {
    const { id: template_id } = await tenant.template({ subject: '{{a}}', text_body: '{{b}} {{c}}' })
    const found = await validate({ to: [fresh()], template_id, template_vars: { a: '1' } })
    assert.equal(found.would_send, false)
    assert.equal(found.problems.length, 2)
  })

  it('reports suppressed recipients, and other recipients still get the message', async () => {
    const mixed = await validate(rawMail({ to: [fresh(), suppressed] }))
    assert.deepEqual([mixed.would_send, problemsIn(mixed)], [true, ['to[1] suppressed']])
    assert.equal((await validate(rawMail({ to: [suppressed] }))).would_send, false)
  })

  it('reports limits of the key', async () => {
    const limited = await tenant.makeKey({ recipients: ['example.net'] })
    assert.deepEqual(problemsIn(await validate(rawMail(), limited)), ['to[0] recipient_not_allowed'])
  })

  it('reports the rate of sends that is used up, and uses nothing of it', async () => {
    const slow = await system().client.tenant({ rate: 1, burst: 5 })
    const left = async () => {
      const response = await slow.send(rawMail({ scheduled_at: 'PT1H' }))
      return response.status
    }
    for (let times = 0; times < 3; times++) await validate(rawMail(), slow.api)
    const responses = await Promise.all(Array.from({ length: 8 }, left))
    assert.ok(responses.includes(429), String(responses))
  })

  for (const [name, body] of [
    ['an array', []],
    ['a text', 'x'],
    ['null', null],
  ] as const)
    it(`reports a body that is ${name} as a problem`, async () => {
      const found = await validate(body)
      assert.deepEqual([found.would_send, found.problems[0]?.code], [false, 'wrong_type'])
    })

  it('refuses a body that is no JSON, and a key without the scope', async () => {
    const path = '/api/v1/emails/validate'
    const headers = { 'content-type': 'application/json' }
    assertProblem(await tenant.api.call({ path, body: '{"to":', headers }), 400, 'malformed_request')
    const reading = await tenant.makeKey({ scopes: ['emails:read'] })
    assertProblem(await reading.call({ path, json: rawMail() }), 403, 'insufficient_scope')
  })
})
