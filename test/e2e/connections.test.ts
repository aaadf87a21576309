import assert from 'node:assert/strict'
import { assertFirstRetry } from '../support/assertFirstRetry.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { type OwnService, ownService } from '../support/ownService.ts'
import { receiverAuthority, startReceiver } from '../support/receiver.ts'
import type { EmailRecord } from '../support/records.ts'
import type { SinkAction, SinkEvent } from '../support/sinkSession.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'

describe('failing SMTP connections', () => {
  needsOwnProcess()
  let sink: SmtpSink
  let own: OwnService
  let tenant: Tenant
  /** Failures of connections with mail for an address that contains the key. */
  const failures: Record<string, { at: SinkEvent['at']; action: SinkAction }> = {
    'cut-mail': { at: 'MAIL', action: { hangUp: 'close' } },
    'cut-rcpt': { at: 'RCPT', action: { hangUp: 'reset' } },
    'cut-data': { at: 'DATA', action: { hangUp: 'close' } },
    'cut-body': { at: 'body', action: { hangUp: 'reset' } },
    'cut-dot': { at: 'dot', action: { hangUp: 'reset' } },
  }

  before(async () => {
    sink = await smtpSink({
      script: (event) => {
        const text = `${event.line} ${event.to.join(' ')} ${event.from}`
        const found = Object.entries(failures).find(([word, { at }]) => at === event.at && text.includes(word))
        return found?.[1].action
      },
    })
    own = await ownService({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
    tenant = await own.client.tenant()
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await sink?.close()
  })

  const resolveAs = (id: string, as: string) =>
    tenant.api.call<EmailRecord>({ path: `/api/v1/emails/${id}/resolve`, json: { as } })

  for (const failure of ['cut-rcpt', 'cut-data', 'cut-body'])
    it(`retries by the schedule after a connection is lost before the final dot: ${failure}`, async () => {
      const { body } = await tenant.send(rawMail({ to: [fresh(failure)] }))
      const email = await tenant.until(body.id, (one) => one.status === 'deferred')
      assertFirstRetry(email, email.recipients[0])
      assert.equal(email.attempts?.at(-1)?.possible_duplicate, false)
    })

  it('retries by default an email in doubt, whose connection was lost after the final dot', async () => {
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

  it('leave an email in doubt unknown with on_unknown hold, without retries until it is resolved', async () => {
    const email = await holdInDoubt()
    assert.deepEqual([email.recipients[0]?.status, email.recipients[0]?.next_at], ['unknown', null])
    assert.equal(email.attempts?.length, 1)
    assert.ok(email.events?.some((event) => event.type === 'email.unknown'))
    const response = await resolveAs(email.id, 'delivered')
    assert.deepEqual([response.status, response.body.status], [200, 'delivered'], response.text)
    assertProblem(await resolveAs(email.id, 'failed'), 409, 'conflict')
  })

  it('resolves an email in doubt as failed, and refuses an unknown outcome', async () => {
    const email = await holdInDoubt()
    assertProblem(await resolveAs(email.id, 'perhaps'), 422, 'validation_failed', [{ path: 'as' }])
    const response = await resolveAs(email.id, 'failed')
    assert.deepEqual([response.status, response.body.status], [200, 'failed'])
  })

  it('sends an email resolved as retry with the same Message-ID and marks a possible duplicate', async () => {
    const email = await holdInDoubt()
    const { 'cut-dot': failure } = failures
    Object.assign(failures, { 'cut-dot': { at: 'QUIT', action: {} } })
    assert.equal((await resolveAs(email.id, 'retry')).status, 200)
    const done = await tenant.until(email.id, isFinal)
    Object.assign(failures, { 'cut-dot': failure })
    assert.equal(done.status, 'delivered')
    assert.deepEqual(
      done.attempts?.map((one) => one.possible_duplicate),
      [false, true],
    )
    // The sink accepted it twice, because only the first reply was lost.
    const arrived = sink.messages.filter((one) => one.raw.includes(email.message_id))
    assert.equal(arrived.length, 2)
  })

  it('on_unknown of a workspace is the default, a request overrides it', async () => {
    const holding = await own.client.tenant()
    await holding.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { on_unknown: 'hold' } })
    const send = async (over: Record<string, unknown>) =>
      (await holding.send(rawMail({ to: [fresh('cut-dot')], ...over }))).body.id
    await holding.until(await send({}), (one) => one.status === 'unknown')
    await holding.until(await send({ on_unknown: 'retry' }), (one) => one.status === 'deferred')
  })

  it('refuses to resolve an email that is not in doubt', async () => {
    const { body } = await tenant.send(rawMail())
    await tenant.until(body.id, (one) => one.status === 'delivered')
    assertProblem(await resolveAs(body.id, 'delivered'), 409, 'conflict')
  })
})

describe('mail routes with TLS or a login', () => {
  needsOwnProcess()

  const login = { user: 'postrider', password: 'canary-password' }

  const assertNotRecorded = (email: EmailRecord): void => {
    const secret = Buffer.from(login.password).toString('base64').slice(0, 12)
    const recorded = JSON.stringify(email)
    assert.ok(!recorded.includes(login.password) && !recorded.includes(secret))
  }

  // Regression: the login used to be sent under any certificate.
  for (const tls of ['starttls', 'implicit'] as const)
    it(`defers mail, and sends no login, under a certificate that does not verify, unless the route accepts any: ${tls}`, async () => {
      const self = { login, startTls: tls === 'starttls', secure: tls === 'implicit' }
      const port = await freePort()
      const address = `${login.user}:${login.password}@127.0.0.1:${port}`
      const route = tls === 'implicit' ? `smtps://${address}` : `smtp://${address}`
      {
        await using own = await ownSystem({ POSTRIDER_ROUTE: route, NODE_EXTRA_CA_CERTS: receiverAuthority })
        const tenant = await own.client.tenant()
        {
          await using sink = await smtpSink({ ...self, port })
          const { body } = await tenant.send(rawMail())
          const email = await tenant.until(body.id, (one) => one.status === 'deferred')
          assert.match(email.recipients[0]?.reply ?? '', /self-signed.*NODE_EXTRA_CA_CERTS/)
          assert.ok(sink.commands.every(({ line }) => !line.startsWith('AUTH')))
          assertNotRecorded(email)
        }
        await using receiver = await startReceiver({ tls, login, port, certificate: 'signed' })
        const to = fresh()
        const { body } = await tenant.send(rawMail({ to: [to] }))
        const email = await tenant.until(body.id, (one) => isFinal(one) || one.status === 'deferred')
        assert.equal(email.status, 'delivered', JSON.stringify(email.attempts))
        const { tls: isEncrypted, user } = await receiver.waitFor(to)
        assert.deepEqual([isEncrypted, user], [true, login.user])
        assertNotRecorded(email)
        const recorded = JSON.stringify(email)
        assert.match(recorded, /"EHLO /)
        if (tls === 'starttls') assert.match(recorded, /"STARTTLS"/)
        assert.match(recorded, /AUTH [A-Z0-9-]+ \*\*\*|AUTH.*\*\*\*/)
      }
      await using sink = await smtpSink({ ...self, port })
      await using own = await ownService({ POSTRIDER_ROUTE: `${route}?tls=unverified` })
      const tenant = await own.client.tenant()
      const { body } = await tenant.send(rawMail())
      await tenant.until(body.id, (one) => one.status === 'delivered')
      assert.deepEqual([sink.messages[0]?.user, sink.messages[0]?.encrypted], [login.user, true])
    })

  it('defers mail when the server is down, or does not offer TLS that is required: nothing is sent', async () => {
    // Another program may listen on the port of a receiver that was closed.
    const port = await freePort()
    await using own = await ownService({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${port}?tls=required` })
    const tenant = await own.client.tenant()
    const deferred = async () => {
      const { body } = await tenant.send(rawMail())
      return tenant.until(body.id, (one) => one.status === 'deferred')
    }
    assert.match((await deferred()).recipients[0]?.reply ?? '', /refused|ECONN|connect/i)
    await using receiver = await startReceiver({ tls: 'none', port })
    const email = await deferred()
    assert.ok(email.recipients[0]?.next_at)
    assert.match(email.recipients[0]?.reply ?? '', /STARTTLS|TLS/)
    assert.equal(receiver.received.length, 0)
  })
})
