import assert from 'node:assert/strict'
import { assertFirstRetry } from '../support/assertFirstRetry.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const commandsOf = (email: EmailRecord): string =>
  (email.attempts ?? []).flatMap((one) => one.steps.map((step) => step.command)).join('\n')

describe('delivery outcomes', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  it('a refused recipient bounces, the others are delivered', async () => {
    const [good, bad, cc] = [fresh('good'), fresh('bad'), fresh('cc')]
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    const { body } = await tenant.send(rawMail({ to: [good, bad], cc: [cc] }))
    const email = await tenant.until(body.id, isFinal)
    assert.equal(email.status, 'partially_delivered')
    const of = (address: string) => email.recipients.find((one) => one.address === address)
    assert.deepEqual([of(good)?.status, of(cc)?.status, of(bad)?.status], ['delivered', 'delivered', 'bounced'])
    assert.deepEqual([of(bad)?.class, of(bad)?.next_at], ['invalid', null])
    assert.match(of(bad)?.reply ?? '', /550.*No such user here/)
    assert.deepEqual([system().receiver.to(good).length, system().receiver.to(bad).length], [1, 0])
  })

  // Regression: the refusal used to bounce every recipient of the transaction.
  it('a refusal of the message because of one recipient applies only to that recipient', async () => {
    for (const [text, status, replyClass] of [
      ['5.1.1 No such user here', 'bounced', 'invalid'],
      ['5.2.2 Mailbox full', 'deferred', 'full'],
      ['5.7.1 Blacklisted by recipient', 'bounced', 'policy'],
      ['5.2.3 Over the limit of this mailbox', 'bounced', 'content'],
    ]) {
      const [good, bad, cc] = [fresh('good'), fresh('bad'), fresh('cc')]
      system().receiver.refuse(bad, { code: 552, text: String(text), at: 'dot' })
      const { body } = await tenant.send(rawMail({ to: [good, bad], cc: [cc] }))
      const email = await tenant.until(
        body.id,
        (one) => one.attempts?.length === 4 && one.attempts[3]?.outcome !== null,
      )
      const of = (address: string) => email.recipients.find((one) => one.address === address)
      assert.deepEqual([of(good)?.status, of(cc)?.status], ['delivered', 'delivered'])
      assert.deepEqual([of(bad)?.status, of(bad)?.class], [status, replyClass])
      assert.deepEqual(
        [good, bad, cc].map((address) => system().receiver.to(address).length),
        [1, 0, 1],
      )
      assert.ok(email.attempts?.every((one) => !one.possible_duplicate))
    }
  })

  it('an email whose only recipient is refused bounces', async () => {
    const bad = fresh('bad')
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    const { body } = await tenant.send(rawMail({ to: [bad] }))
    const email = await tenant.until(body.id, isFinal)
    assert.equal(email.status, 'bounced')
    assert.equal(email.attempts?.length, 1)
    assert.ok(email.events?.some((event) => event.type === 'email.bounced'))
  })

  it('schedules a retry in about 5 min for a deferred recipient, the others are delivered', async () => {
    const [good, later] = [fresh('good'), fresh('later')]
    system().receiver.refuse(later, { code: 451, text: '4.7.1 Come back later' })
    const { body } = await tenant.send(rawMail({ to: [good, later] }))
    const email = await tenant.until(body.id, (one) => one.status === 'deferred')
    const of = (address: string) => email.recipients.find((one) => one.address === address)
    assert.equal(of(good)?.status, 'delivered')
    assertFirstRetry(email, of(later))
    assertProblem(await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${body.id}/cancel` }), 409, 'conflict')
  })

  it('an attempt records the whole SMTP conversation', async () => {
    const to = fresh()
    const { body } = await tenant.send(rawMail({ to: [to] }))
    const email = await tenant.until(body.id, isFinal)
    const [attempt] = email.attempts ?? []
    assert.equal(attempt?.outcome, 'delivered')
    assert.equal(attempt?.possible_duplicate, false)
    assert.match(attempt?.host ?? '', /127\.0\.0\.1|:\d+/)
    for (const command of [/^MAIL FROM:</m, new RegExp(`^RCPT TO:<${to.replaceAll('.', '\\.')}>`, 'm'), /^DATA/m])
      assert.match(commandsOf(email), command)
    for (const step of attempt?.steps ?? []) assert.ok(step.duration_ms >= 0 && typeof step.reply === 'string')
    const events = email.events ?? []
    assert.deepEqual(
      events.map((event) => event.sequence),
      events.map((_, index) => index + 1),
    )
  })

  it('simulator addresses determine their outcome with a live key, and nothing is sent', async () => {
    const expected = { delivered: 'delivered', bounced: 'bounced', deferred: 'deferred', suppressed: 'suppressed' }
    for (const [name, status] of Object.entries(expected)) {
      const address = `${name}+label@simulator.postrider.dev`
      const { body } = await tenant.send(rawMail({ to: [address] }))
      const email = await tenant.until(body.id, (one) => one.status === status)
      assert.equal(email.recipients[0]?.status, status)
      assert.equal(system().receiver.to(address).length, 0)
    }
  })

  it('delivers 100 concurrent emails exactly once', async () => {
    const addresses = Array.from({ length: 100 }, () => fresh('many'))
    const send = (to: string) => answered(() => tenant.send(rawMail({ to: [to] }), { 'idempotency-key': to }))
    const responses = await Promise.all(addresses.map(send))
    assert.ok(responses.every((one) => one.status === 202))
    await Promise.all(addresses.map((to) => system().receiver.waitFor(to)))
    for (const { body } of responses) await tenant.until(body.id, (email) => email.status === 'delivered')
    for (const to of addresses) assert.equal(system().receiver.to(to).length, 1)
  })
})
