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

  it('cc is in the header, bcc gets the mail and is in no header', async () => {
    const [to, cc, bcc] = [fresh('to'), fresh('cc'), fresh('bcc')]
    const answer = await tenant.send(rawMail({ to: [to], cc: [cc], bcc: [bcc] }))
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual([answer.body.to, answer.body.cc, answer.body.bcc], [[to], [cc], [bcc]])
    assert.deepEqual(
      answer.body.recipients.map((one) => one.kind),
      ['to', 'cc', 'bcc'],
    )
    const [first, , last] = await Promise.all([to, cc, bcc].map((one) => system().receiver.waitFor(one)))
    assert.deepEqual(first?.mail.cc, [{ address: cc, name: '' }])
    for (const received of system().receiver.received.filter((one) =>
      one.to.some((each) => [to, cc, bcc].includes(each)),
    ))
      assert.ok(!received.raw.includes(bcc), 'no byte of the message tells of the bcc')
    assert.ok(!headerNames(last?.mail ?? assert.fail()).includes('bcc'))
  })

  it('recipients that one server takes together go in one transaction', async () => {
    const all = [fresh(), fresh(), fresh()]
    await tenant.send(rawMail({ to: all }))
    const received = await system().receiver.waitFor(all[0] ?? '')
    assert.deepEqual([...received.to].sort(), [...all].sort())
  })

  it('an address given twice is one recipient, whatever its spelling of the domain and whichever list it is in', async () => {
    const to = fresh()
    const answer = await tenant.send(rawMail({ to: [to, to.replace('receiver', 'RECEIVER')], cc: [`Again <${to}>`] }))
    assert.equal(answer.body.recipients.length, 1)
    await tenant.until(answer.body.id, (email) => email.status === 'delivered')
    assert.equal(system().receiver.to(to).length, 1)
  })

  it('reply_to may be one address or several', async () => {
    const one = fresh()
    await tenant.send(rawMail({ to: [one], reply_to: 'answers@receiver.example' }))
    assert.deepEqual((await system().receiver.waitFor(one)).mail.replyTo, [
      { address: 'answers@receiver.example', name: '' },
    ])
    const two = fresh()
    const answer = await tenant.send(rawMail({ to: [two], reply_to: ['a@receiver.example', 'B <b@receiver.example>'] }))
    assert.equal(answer.body.reply_to.length, 2)
    assert.deepEqual((await system().receiver.waitFor(two)).mail.replyTo, [
      { address: 'a@receiver.example', name: '' },
      { address: 'b@receiver.example', name: 'B' },
    ])
  })

  it('a domain in another script travels as A-labels, in the record too', async () => {
    const local = fresh().split('@')[0]
    const answer = await tenant.send(rawMail({ to: [`${local}@bücher.example`] }))
    assert.deepEqual(answer.body.to, [`${local}@xn--bcher-kva.example`])
    const { mail } = await system().receiver.waitFor(`${local}@xn--bcher-kva.example`)
    assert.deepEqual(mail.to, [{ address: `${local}@xn--bcher-kva.example`, name: '' }])
  })

  it('custom headers arrive, long ones folded', async () => {
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

  it('tags and metadata come back in the record and are in no byte of the mail', async () => {
    const to = fresh()
    const answer = await tenant.send(
      rawMail({ to: [to], tags: { team: 'canaryteam' }, metadata: { order: 'canaryorder 7' } }),
    )
    assert.deepEqual([answer.body.tags, answer.body.metadata], [{ team: 'canaryteam' }, { order: 'canaryorder 7' }])
    const { raw } = await system().receiver.waitFor(to)
    assert.ok(!raw.includes('canary'))
  })

  it("tags may come in Resend's form and are answered as the object", async () => {
    const answer = await tenant.send(rawMail({ tags: [{ name: 'team', value: 'blue' }] }))
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(answer.body.tags, { team: 'blue' })
  })

  it('without from_ the mail comes from the shared sender that the session shows', async () => {
    const to = fresh()
    const answer = await tenant.send(rawMail({ to: [to] }))
    assert.ok(answer.body.from_.includes(tenant.workspace.sender.replace(/^.*<|>$/g, '')), answer.body.from_)
    const { mail } = await system().receiver.waitFor(to)
    assert.ok(tenant.workspace.sender.includes(mail.from?.address ?? '-'))
  })

  it('a from_ of a workspace without a verified domain gives the shared sender and a notice', async () => {
    const to = fresh()
    const answer = await tenant.send(rawMail({ to: [to], from_: 'Me <me@mine.example>' }))
    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.body.notices.length, 1)
    assert.ok(!answer.body.from_.includes('mine.example'))
    const { mail, from } = await system().receiver.waitFor(to)
    assert.ok(tenant.workspace.sender.includes(mail.from?.address ?? '-'))
    assert.ok(!from.includes('mine.example'))
  })

  it('a domain_id is refused, with and without from_, because no domain is verified', async () => {
    for (const over of [{ domain_id: 'dom_01h2xcejqtf2nbrexx3vqjhp41' }, { domain_id: 'x', from_: 'a@mine.example' }])
      assertProblem(await tenant.send(rawMail(over)), 422, 'validation_failed', [{ path: 'domain_id' }])
  })

  it('every problem of a request is told at once', async () => {
    const answer = await tenant.send({
      to: ['nonsense', fresh(), 'a@b@c'],
      cc: 'x@y.example',
      tags: { 'bad name': 'x' },
    })
    assertProblem(answer, 422, 'validation_failed', [{ path: 'to[0]' }, { path: 'to[2]' }, { path: 'subject' }])
  })

  // What only the workspace can tell used to come out one request later, once the shape was right.
  it('what the workspace alone can tell is told beside a wrong shape', async () => {
    const template = await tenant.template({ text_body: 'Dear {{name}}' })
    const wrong = { to: ['nonsense'], domain_id: 'dom_x', scheduled_at: '2020-01-01T00:00:00Z', category: 'marketing' }
    const found = async (over: object) => {
      const answer = await tenant.send({ ...wrong, ...over })
      return (assertProblem(answer, 422, 'validation_failed', []).errors ?? []).map(({ code }) => code).sort()
    }
    const ours = ['in_the_past', 'invalid_address', 'postal_address_required', 'unknown_domain']
    const unknown = await found({ template_id: 'tpl_nope', template_vars: {} })
    assert.deepEqual(unknown, [...ours, 'unknown_template'].sort())
    const missing = await found({ template_id: template.id, template_vars: {} })
    assert.deepEqual(missing, [...ours, 'missing_variable'].sort())
  })

  it('a field nobody knows is refused with the nearest known name', async () => {
    const answer = await tenant.send(rawMail({ from: 'a@mine.example' }))
    const problem = assertProblem(answer, 422, 'validation_failed', [{ path: 'from' }])
    assert.match(answer.text, /did you mean .*from_/i)
    assert.equal(problem.errors?.length, 1)
  })

  it('null for an optional field counts as absent, an empty string does not', async () => {
    const nothing = { html: null, cc: null, bcc: null, reply_to: null, headers: null, attachments: null, tags: null }
    const more = {
      metadata: null,
      scheduled_at: null,
      expires_in: null,
      from_: null,
      domain_id: null,
      template_id: null,
    }
    assert.equal((await tenant.send(rawMail({ ...nothing, ...more }))).status, 202)
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
    ['with template_id and no template_vars', { to: ['a@b.example'], template_id: 't' }, undefined],
    [
      'with template_vars and no template_id',
      { to: ['a@b.example'], subject: 's', text: 't', template_vars: {} },
      undefined,
    ],
    ['with an unknown template', { to: ['a@b.example'], template_id: 'tpl_nope', template_vars: {} }, 'template_id'],
  ] as const)
    it(`a send ${what} is refused`, async () => {
      assertProblem(await tenant.send(body), 422, 'validation_failed', path === undefined ? [] : [{ path }])
    })
})
