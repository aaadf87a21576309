import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const newKey = (): string => fresh('key')

describe('idempotency', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const used = async (): Promise<number> =>
    (await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body.monthly.used

  const post = (body: string, idempotencyKey: string, caller = tenant) =>
    caller.api.call<EmailRecord>({ path: '/api/v1/emails', body, headers: { 'idempotency-key': idempotencyKey } })

  it('replays the first response unchanged for a repeated request, without another email or quota use', async () => {
    const [to, key] = [fresh(), newKey()]
    const mail = rawMail({ to: [to] })
    const before = await used()
    const first = await tenant.send(mail, { 'idempotency-key': key })
    assert.equal(first.status, 202, first.text)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    await tenant.until(first.body.id, (email) => email.status === 'delivered')
    const second = await tenant.send(mail, { 'idempotency-key': key })
    assert.deepEqual([second.status, second.text], [202, first.text])
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.headers['location'], first.headers['location'])
    assert.equal(await used(), before + 1)
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 1)
  })

  it('treats another order of members and other whitespace as the same request', async () => {
    const [to, key] = [fresh(), newKey()]
    const first = await post(`{"to":["${to}"],"subject":"S","text":"T","tags":{"a":"1","b":"2"}}`, key)
    const second = await post(`{ "tags": {"b":"2", "a":"\\u0031"},\n"text":"T","subject":"S", "to":[ "${to}" ] }`, key)
    assert.deepEqual([second.status, second.body.id], [202, first.body.id])
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  it('refuses another body with a used key and sends nothing', async () => {
    const [to, key] = [fresh(), newKey()]
    await tenant.send(rawMail(), { 'idempotency-key': key })
    assertProblem(await tenant.send(rawMail({ to: [to] }), { 'idempotency-key': key }), 422, 'idempotency_mismatch')
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 0)
  })

  it('treats a quoted key as its content', async () => {
    const [mail, key] = [rawMail(), newKey()]
    const first = await tenant.send(mail, { 'idempotency-key': key })
    const second = await tenant.send(mail, { 'idempotency-key': `"${key}"` })
    assert.equal(second.text, first.text)
  })

  it('separates keys by workspace and mode', async () => {
    const [mail, key] = [rawMail(), newKey()]
    const other = await system().client.tenant()
    const testKey = await tenant.makeKey({ mode: 'test' })
    const first = await tenant.send(mail, { 'idempotency-key': key })
    const elsewhere = await other.send(mail, { 'idempotency-key': key })
    const inTest = await testKey.call<EmailRecord>({
      path: '/api/v1/emails',
      json: mail,
      headers: { 'idempotency-key': key },
    })
    assert.deepEqual([first.status, elsewhere.status, inTest.status], [202, 202, 202])
    assert.equal(new Set([first.body.id, elsewhere.body.id, inTest.body.id]).size, 3)
  })

  it('replays the response to another API key of the same workspace', async () => {
    const [mail, key] = [rawMail(), newKey()]
    const second = await tenant.makeKey()
    const first = await tenant.send(mail, { 'idempotency-key': key })
    const response = await second.call({ path: '/api/v1/emails', json: mail, headers: { 'idempotency-key': key } })
    assert.equal(response.text, first.text)
  })

  it('creates one email for 100 concurrent requests: each returns its id or 409 with Retry-After', async () => {
    const [to, key] = [fresh(), newKey()]
    const body = JSON.stringify(rawMail({ to: [to] }))
    const before = await used()
    const responses = await Promise.all(Array.from({ length: 100 }, () => post(body, key)))
    const ids = new Set(responses.filter((one) => one.status === 202).map((one) => one.body.id))
    assert.equal(ids.size, 1)
    for (const response of responses.filter((one) => one.status !== 202)) {
      assertProblem(response, 409, 'idempotency_in_flight')
      assert.equal(response.headers['retry-after'], '1')
    }
    assert.equal((await post(body, key)).body.id, [...ids][0])
    await tenant.until([...ids][0] ?? '', (email) => email.status === 'delivered')
    assert.equal(system().receiver.to(to).length, 1)
    assert.equal(await used(), before + 1)
  })

  it('does not store refusals: a corrected request can use the same key', async () => {
    const key = newKey()
    assertProblem(await tenant.send(rawMail({ subject: null }), { 'idempotency-key': key }), 422, 'validation_failed')
    const template = { to: [fresh()], template_id: 'tpl_01h2xcejqtf2nbrexx3vqjhp41', template_vars: {} }
    assertProblem(await tenant.send(template, { 'idempotency-key': key }), 422, 'validation_failed')
    await system().client.setLimits(tenant.workspace.id, { daily: 0 })
    const mail = rawMail()
    assertProblem(await tenant.send(mail, { 'idempotency-key': key }), 402, 'quota_exceeded')
    await system().client.setLimits(tenant.workspace.id, { daily: null })
    assert.equal((await tenant.send(mail, { 'idempotency-key': key })).status, 202)
  })

  it('replays the first response after the email has changed', async () => {
    const key = newKey()
    const mail = rawMail({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    const first = await tenant.send(mail, { 'idempotency-key': key })
    await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${first.body.id}/cancel` })
    const second = await tenant.send(mail, { 'idempotency-key': key })
    assert.equal(second.text, first.text)
    assert.equal(second.body.status, 'scheduled')
  })
})
