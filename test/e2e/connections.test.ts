import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Client, fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { receiverCertificate, startReceiver } from '../support/receiver.ts'
import type { EmailRecord } from '../support/records.ts'
import type { SinkAction, SinkEvent } from '../support/sinkSession.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'

type Own = Awaited<ReturnType<typeof ownSystem>>

describe('connections that fail', () => {
  needsOwnProcess()
  let sink: SmtpSink
  let own: Own
  let tenant: Tenant
  /** What happens to mail for an address that contains the word. */
  const troubles: Record<string, { at: SinkEvent['at']; action: SinkAction }> = {
    'cut-mail': { at: 'MAIL', action: { hangUp: 'close' } },
    'cut-rcpt': { at: 'RCPT', action: { hangUp: 'reset' } },
    'cut-data': { at: 'DATA', action: { hangUp: 'close' } },
    'cut-body': { at: 'body', action: { hangUp: 'reset' } },
    'cut-dot': { at: 'dot', action: { hangUp: 'reset' } },
  }

  before(async function () {
    this.timeout(30_000)
    sink = await smtpSink({
      script: (event) => {
        const all = `${event.line} ${event.to.join(' ')} ${event.from}`
        const found = Object.entries(troubles).find(([word, trouble]) => trouble.at === event.at && all.includes(word))
        return found?.[1].action
      },
    })
    own = await ownSystem({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
    tenant = await own.client.tenant()
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await sink?.close()
  })

  const resolveAs = (id: string, as: string) =>
    tenant.api.call<EmailRecord>({ path: `/api/v1/emails/${id}/resolve`, json: { as } })

  for (const trouble of ['cut-rcpt', 'cut-data', 'cut-body'])
    it(`a connection lost before the final dot is tried again by the schedule: ${trouble}`, async () => {
      const { body } = await tenant.send(rawMail({ to: [fresh(trouble)] }))
      const email = await tenant.until(body.id, (one) => one.status === 'deferred')
      const awayMs = Date.parse(email.recipients[0]?.next_at ?? '') - Date.parse(email.attempts?.at(-1)?.at ?? '')
      assert.ok(awayMs > 4.3 * 60_000 && awayMs < 5.6 * 60_000, `${awayMs} ms`)
      assert.equal(email.attempts?.at(-1)?.possible_duplicate, false)
    })

  it('a connection lost after the final dot leaves the mail in doubt: by default it waits for another try', async () => {
    const { body } = await tenant.send(rawMail({ to: [fresh('cut-dot')] }))
    const email = await tenant.until(body.id, (one) => one.status === 'deferred')
    assert.equal(email.attempts?.[0]?.outcome, 'unknown')
    assert.ok(email.recipients[0]?.next_at)
  })

  const holdInDoubt = async () => {
    const { body, status, text } = await tenant.send(rawMail({ to: [fresh('cut-dot')], on_unknown: 'hold' }))
    assert.equal(status, 202, text)
    return tenant.until(body.id, (one) => one.status === 'unknown')
  }

  it('with hold it is unknown and tried no more, until a person says what became of it', async () => {
    const email = await holdInDoubt()
    assert.deepEqual([email.recipients[0]?.status, email.recipients[0]?.next_at], ['unknown', null])
    assert.equal(email.attempts?.length, 1)
    assert.ok(email.events?.some((event) => event.type === 'email.unknown'))
    const answer = await resolveAs(email.id, 'delivered')
    assert.deepEqual([answer.status, answer.body.status], [200, 'delivered'], answer.text)
    assertProblem(await resolveAs(email.id, 'failed'), 409, 'conflict')
  })

  it('it may be resolved as failed, and with a word nobody knows not at all', async () => {
    const email = await holdInDoubt()
    assertProblem(await resolveAs(email.id, 'perhaps'), 422, 'validation_failed', [{ path: 'as' }])
    const answer = await resolveAs(email.id, 'failed')
    assert.deepEqual([answer.status, answer.body.status], [200, 'failed'])
  })

  it('resolved as retry it goes again under the same Message-ID, marked as a possible duplicate', async () => {
    const email = await holdInDoubt()
    const { 'cut-dot': trouble, ...others } = troubles
    Object.assign(troubles, { 'cut-dot': { at: 'QUIT', action: {} } })
    assert.equal((await resolveAs(email.id, 'retry')).status, 200)
    const done = await tenant.until(email.id, isFinal)
    Object.assign(troubles, others, { 'cut-dot': trouble })
    assert.equal(done.status, 'delivered')
    assert.deepEqual(
      done.attempts?.map((one) => one.possible_duplicate),
      [false, true],
    )
    // The sink took it both times: the first reply was what got lost.
    const arrived = sink.messages.filter((one) => one.raw.includes(email.message_id))
    assert.equal(arrived.length, 2)
  })

  it('a workspace may hold by default, a message may choose otherwise', async () => {
    const holding = await own.client.tenant()
    await holding.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { on_unknown: 'hold' } })
    const send = async (over: Record<string, unknown>) =>
      (await holding.send(rawMail({ to: [fresh('cut-dot')], ...over }))).body.id
    await holding.until(await send({}), (one) => one.status === 'unknown')
    await holding.until(await send({ on_unknown: 'retry' }), (one) => one.status === 'deferred')
  })

  it('what is not in doubt cannot be resolved', async () => {
    const { body } = await tenant.send(rawMail())
    await tenant.until(body.id, (one) => one.status === 'delivered')
    assertProblem(await resolveAs(body.id, 'delivered'), 409, 'conflict')
  })
})

describe('servers that want TLS or a login', () => {
  needsOwnProcess()

  const through = async (route: string, check: (client: Client) => Promise<void>) => {
    await using own = await ownSystem({ POSTRIDER_ROUTE: route, NODE_EXTRA_CA_CERTS: receiverCertificate })
    await check(own.client)
  }

  it('STARTTLS is used when offered, and the login is kept out of the record', async () => {
    const login = { user: 'postrider', password: 'canary-password' }
    await using receiver = await startReceiver({ tls: 'starttls', login })
    await through(receiver.route, async (client) => {
      const tenant = await client.tenant()
      const to = fresh()
      const { body } = await tenant.send(rawMail({ to: [to] }))
      const email = await tenant.until(body.id, isFinal)
      assert.equal(email.status, 'delivered', JSON.stringify(email.attempts))
      const { tls, user } = await receiver.waitFor(to)
      assert.deepEqual([tls, user], [true, 'postrider'])
      const secret = Buffer.from('canary-password').toString('base64').slice(0, 12)
      const said = JSON.stringify(email)
      assert.ok(!said.includes('canary-password') && !said.includes(secret))
      assert.match(said, /"EHLO /)
      assert.match(said, /"STARTTLS"/)
      assert.match(said, /AUTH [A-Z0-9-]+ \*\*\*|AUTH.*\*\*\*/)
    })
  })

  it('smtps speaks TLS from the first byte', async () => {
    await using receiver = await startReceiver({ tls: 'implicit' })
    await through(receiver.route, async (client) => {
      const tenant = await client.tenant()
      const to = fresh()
      const { body } = await tenant.send(rawMail({ to: [to] }))
      const email = await tenant.until(body.id, (one) => isFinal(one) || one.status === 'deferred')
      assert.equal(email.status, 'delivered', JSON.stringify(email.attempts))
      assert.equal((await receiver.waitFor(to)).tls, true)
    })
  })

  it('where TLS is required and not offered, nothing is sent in clear', async () => {
    await using receiver = await startReceiver({ tls: 'none' })
    await through(`${receiver.route}?tls=required`, async (client) => {
      const tenant = await client.tenant()
      const to = fresh()
      const { body } = await tenant.send(rawMail({ to: [to] }))
      const email = await tenant.until(body.id, (one) => one.status === 'deferred')
      assert.ok(email.recipients[0]?.next_at)
      assert.equal(receiver.received.length, 0)
    })
  })

  it('a server that is not there puts mail off', async () => {
    const gone = await startReceiver()
    await gone.close()
    await through(gone.route, async (client) => {
      const tenant = await client.tenant()
      const { body } = await tenant.send(rawMail())
      const email = await tenant.until(body.id, (one) => one.status === 'deferred')
      assert.match(email.recipients[0]?.reply ?? '', /refused|ECONN|connect/i)
    })
  })
})
