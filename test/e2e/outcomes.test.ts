import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const minuteMs = 60_000

const stepsOf = (email: EmailRecord): string =>
  (email.attempts ?? []).flatMap((one) => one.steps.map((step) => step.command)).join('\n')

describe('outcomes of delivery', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  it('a recipient that is refused fails alone', async () => {
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

  it('mail whose only recipient is refused has bounced', async () => {
    const bad = fresh('bad')
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    const { body } = await tenant.send(rawMail({ to: [bad] }))
    const email = await tenant.until(body.id, isFinal)
    assert.equal(email.status, 'bounced')
    assert.equal(email.attempts?.length, 1)
    assert.ok(email.events?.some((event) => event.type === 'email.bounced'))
  })

  it('a recipient that is put off is tried again in about five minutes, the others have it', async () => {
    const [good, later] = [fresh('good'), fresh('later')]
    system().receiver.refuse(later, { code: 451, text: '4.7.1 Come back later' })
    const { body } = await tenant.send(rawMail({ to: [good, later] }))
    const email = await tenant.until(body.id, (one) => one.status === 'deferred')
    const of = (address: string) => email.recipients.find((one) => one.address === address)
    assert.equal(of(good)?.status, 'delivered')
    const awayMs = Date.parse(of(later)?.next_at ?? '') - Date.parse(email.attempts?.at(-1)?.at ?? '')
    assert.ok(awayMs > 4.3 * minuteMs && awayMs < 5.6 * minuteMs, `${awayMs} ms`)
    assertProblem(await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${body.id}/cancel` }), 409, 'conflict')
  })

  it('an attempt shows the whole conversation', async () => {
    const to = fresh()
    const { body } = await tenant.send(rawMail({ to: [to] }))
    const email = await tenant.until(body.id, isFinal)
    const [attempt] = email.attempts ?? []
    assert.equal(attempt?.outcome, 'delivered')
    assert.equal(attempt?.possible_duplicate, false)
    assert.match(attempt?.host ?? '', /127\.0\.0\.1|:\d+/)
    for (const part of [/^MAIL FROM:</m, new RegExp(`^RCPT TO:<${to.replaceAll('.', '\\.')}>`, 'm'), /^DATA/m])
      assert.match(stepsOf(email), part)
    for (const step of attempt?.steps ?? []) assert.ok(step.duration_ms >= 0 && typeof step.reply === 'string')
    const events = email.events ?? []
    assert.deepEqual(
      events.map((event) => event.sequence),
      events.map((_, index) => index + 1),
    )
  })

  it('magic recipients drive their outcome with a live key and reach no server', async () => {
    const expected = { delivered: 'delivered', bounced: 'bounced', deferred: 'deferred', suppressed: 'suppressed' }
    for (const [name, status] of Object.entries(expected)) {
      const address = `${name}+label@simulator.postrider.dev`
      const { body } = await tenant.send(rawMail({ to: [address] }))
      const email = await tenant.until(body.id, (one) => one.status === status)
      assert.equal(email.recipients[0]?.status, status)
      assert.equal(system().receiver.to(address).length, 0)
    }
  })

  it('a hundred mails at once all arrive, once', async () => {
    const addresses = Array.from({ length: 100 }, () => fresh('many'))
    const answers = await Promise.all(addresses.map((to) => tenant.send(rawMail({ to: [to] }))))
    assert.ok(answers.every((one) => one.status === 202))
    await Promise.all(addresses.map((to) => system().receiver.waitFor(to)))
    for (const { body } of answers) await tenant.until(body.id, (email) => email.status === 'delivered')
    for (const to of addresses) assert.equal(system().receiver.to(to).length, 1)
  })
})
