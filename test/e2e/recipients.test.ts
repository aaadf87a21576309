import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { assertSmtpSafe, headerNames, headerValues } from '../support/receivedMessage.ts'
import { useSystem } from '../support/suite.ts'

describe('recipients and senders', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  it('sends to cc and bcc, and only cc is in the header', async () => {
    const [to, cc, bcc] = [fresh('to'), fresh('cc'), fresh('bcc')]
    const response = await tenant.send(rawMail({ to: [to], cc: [cc], bcc: [bcc] }))
    assert.equal(response.status, 202, response.text)
    assert.deepEqual([response.body.to, response.body.cc, response.body.bcc], [[to], [cc], [bcc]])
    assert.deepEqual(
      response.body.recipients.map((one) => one.kind),
      ['to', 'cc', 'bcc'],
    )
    const [first, , last] = await Promise.all([to, cc, bcc].map((one) => system().receiver.waitFor(one)))
    assert.deepEqual(first?.mail.cc, [{ address: cc, name: '' }])
    for (const received of system().receiver.received.filter((one) =>
      one.to.some((each) => [to, cc, bcc].includes(each)),
    ))
      assert.ok(!received.raw.includes(bcc), 'the message contains the bcc address')
    assert.ok(!headerNames(last?.mail ?? assert.fail()).includes('bcc'))
  })

  it('sends to all recipients of one server in one transaction', async () => {
    const all = [fresh(), fresh(), fresh()]
    await tenant.send(rawMail({ to: all }))
    const received = await system().receiver.waitFor(all[0] ?? '')
    assert.deepEqual([...received.to].sort(), [...all].sort())
  })

  it('treats a repeated address as one recipient, also in another list or with another case of the domain', async () => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to, to.replace('receiver', 'RECEIVER')], cc: [`Again <${to}>`] }))
    assert.equal(response.body.recipients.length, 1)
    await tenant.until(response.body.id, (email) => email.status === 'delivered')
    assert.equal(system().receiver.to(to).length, 1)
  })

  it('accepts one or several addresses in reply_to', async () => {
    const one = fresh()
    await tenant.send(rawMail({ to: [one], reply_to: 'answers@receiver.example' }))
    assert.deepEqual((await system().receiver.waitFor(one)).mail.replyTo, [
      { address: 'answers@receiver.example', name: '' },
    ])
    const two = fresh()
    const response = await tenant.send(
      rawMail({ to: [two], reply_to: ['a@receiver.example', 'B <b@receiver.example>'] }),
    )
    assert.equal(response.body.reply_to.length, 2)
    assert.deepEqual((await system().receiver.waitFor(two)).mail.replyTo, [
      { address: 'a@receiver.example', name: '' },
      { address: 'b@receiver.example', name: 'B' },
    ])
  })

  it('converts a Unicode domain to A-labels in the message and the record', async () => {
    const local = fresh().split('@')[0]
    const response = await tenant.send(rawMail({ to: [`${local}@bücher.example`] }))
    assert.deepEqual(response.body.to, [`${local}@xn--bcher-kva.example`])
    const { mail } = await system().receiver.waitFor(`${local}@xn--bcher-kva.example`)
    assert.deepEqual(mail.to, [{ address: `${local}@xn--bcher-kva.example`, name: '' }])
  })

  it('sends custom headers and folds long ones', async () => {
    const to = fresh()
    const long = 'value '.repeat(160).trim()
    await tenant.send(
      rawMail({ to: [to], headers: { 'X-Campaign': 'spring', 'X-Long': long, References: '<a@b.example>' } }),
    )
    const received = await system().receiver.waitFor(to)
    assertSmtpSafe(received.raw)
    assert.deepEqual(headerValues(received.mail, 'x-campaign'), ['spring'])
    assert.deepEqual(
      headerValues(received.mail, 'x-long').map((one) => one.replaceAll(/\s+/g, ' ')),
      [long],
    )
    assert.deepEqual(headerValues(received.mail, 'references'), ['<a@b.example>'])
  })

  it('records tags and metadata, but does not send them', async () => {
    const to = fresh()
    const response = await tenant.send(
      rawMail({ to: [to], tags: { team: 'canaryteam' }, metadata: { order: 'canaryorder 7' } }),
    )
    assert.deepEqual([response.body.tags, response.body.metadata], [{ team: 'canaryteam' }, { order: 'canaryorder 7' }])
    const { raw } = await system().receiver.waitFor(to)
    assert.ok(!raw.includes('canary'))
  })

  it('accepts tags as an array, as Resend does, and returns an object', async () => {
    const response = await tenant.send(rawMail({ tags: [{ name: 'team', value: 'blue' }] }))
    assert.equal(response.status, 202, response.text)
    assert.deepEqual(response.body.tags, { team: 'blue' })
  })

  it('sends from the shared sender of the workspace without from_', async () => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to] }))
    assert.ok(response.body.from_.includes(tenant.workspace.sender.replace(/^.*<|>$/g, '')), response.body.from_)
    const { mail } = await system().receiver.waitFor(to)
    assert.ok(tenant.workspace.sender.includes(mail.from?.address ?? '-'))
  })

  it('replaces from_ with the shared sender and adds a notice if the workspace has no verified domain', async () => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to], from_: 'Me <me@mine.example>' }))
    assert.equal(response.status, 202, response.text)
    assert.equal(response.body.notices.length, 1)
    assert.ok(!response.body.from_.includes('mine.example'))
    const { mail, from } = await system().receiver.waitFor(to)
    assert.ok(tenant.workspace.sender.includes(mail.from?.address ?? '-'))
    assert.ok(!from.includes('mine.example'))
  })

  it('refuses domain_id, with and without from_, if no domain is verified', async () => {
    for (const over of [{ domain_id: 'dom_01h2xcejqtf2nbrexx3vqjhp41' }, { domain_id: 'x', from_: 'a@mine.example' }])
      assertProblem(await tenant.send(rawMail(over)), 422, 'validation_failed', [{ path: 'domain_id' }])
  })

  it('reports all problems of a request in one response', async () => {
    const response = await tenant.send({
      to: ['nonsense', fresh(), 'a@b@c'],
      cc: 'x@y.example',
      tags: { 'bad name': 'x' },
    })
    assertProblem(response, 422, 'validation_failed', [{ path: 'to[0]' }, { path: 'to[2]' }, { path: 'subject' }])
  })

  // Regression: problems that depend on the workspace were only reported when the fields were well-formed.
  it('reports problems that depend on the workspace together with malformed fields', async () => {
    const template = await tenant.template({ text_body: 'Dear {{name}}' })
    const invalid = {
      to: ['nonsense'],
      domain_id: 'dom_x',
      scheduled_at: '2020-01-01T00:00:00Z',
      category: 'marketing',
    }
    const codesOf = async (over: object) => {
      const response = await tenant.send({ ...invalid, ...over })
      return (assertProblem(response, 422, 'validation_failed', []).errors ?? []).map(({ code }) => code).sort()
    }
    const common = ['in_the_past', 'invalid_address', 'postal_address_required', 'unknown_domain']
    const unknown = await codesOf({ template_id: 'tpl_nope', template_vars: {} })
    assert.deepEqual(unknown, [...common, 'unknown_template'].sort())
    const missing = await codesOf({ template_id: template.id, template_vars: {} })
    assert.deepEqual(missing, [...common, 'missing_variable'].sort())
  })

  it('refuses an unknown field and suggests the most similar name', async () => {
    const response = await tenant.send(rawMail({ from: 'a@mine.example' }))
    const problem = assertProblem(response, 422, 'validation_failed', [{ path: 'from' }])
    assert.match(response.text, /did you mean .*from_/i)
    assert.equal(problem.errors?.length, 1)
  })

  it('treats null of an optional field as absent, but not an empty string', async () => {
    const absent = { html: null, cc: null, bcc: null, reply_to: null, headers: null, attachments: null, tags: null }
    const more = {
      metadata: null,
      scheduled_at: null,
      expires_in: null,
      from_: null,
      domain_id: null,
      template_id: null,
    }
    assert.equal((await tenant.send(rawMail({ ...absent, ...more }))).status, 202)
    assertProblem(await tenant.send(rawMail({ subject: '' })), 422, 'validation_failed', [{ path: 'subject' }])
    assertProblem(await tenant.send(rawMail({ to: [] })), 422, 'validation_failed', [{ path: 'to' }])
  })

  for (const [what, body, path] of [
    ['without to', { subject: 's', text: 't' }, 'to'],
    ['without subject', { to: ['a@b.example'], text: 't' }, 'subject'],
    ['without html and text', { to: ['a@b.example'], subject: 's' }, undefined],
    ['with to as a bare string', { to: 'a@b.example', subject: 's', text: 't' }, 'to'],
    [
      'with both a template and a subject',
      { to: ['a@b.example'], subject: 's', template_id: 't', template_vars: {} },
      undefined,
    ],
    [
      'with both a template and html',
      { to: ['a@b.example'], html: 's', template_id: 't', template_vars: {} },
      undefined,
    ],
    [
      'with both a template and text',
      { to: ['a@b.example'], text: 's', template_id: 't', template_vars: {} },
      undefined,
    ],
    ['with template_id but no template_vars', { to: ['a@b.example'], template_id: 't' }, undefined],
    [
      'with template_vars but no template_id',
      { to: ['a@b.example'], subject: 's', text: 't', template_vars: {} },
      undefined,
    ],
    ['with an unknown template', { to: ['a@b.example'], template_id: 'tpl_nope', template_vars: {} }, 'template_id'],
  ] as const)
    it(`refuses a send ${what}`, async () => {
      assertProblem(await tenant.send(body), 422, 'validation_failed', path === undefined ? [] : [{ path }])
    })
})
