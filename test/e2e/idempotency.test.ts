import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const key = (): string => fresh('key')

describe('idempotency', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const used = async (): Promise<number> =>
    (await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body.monthly.used

  const post = (body: string, idempotencyKey: string, who = tenant) =>
    who.api.call<EmailRecord>({ path: '/api/v1/emails', body, headers: { 'idempotency-key': idempotencyKey } })

  it('the same request again gets the first answer, byte for byte, and sends and counts nothing more', async () => {
    const [to, again] = [fresh(), key()]
    const mail = rawMail({ to: [to] })
    const before = await used()
    const first = await tenant.send(mail, { 'idempotency-key': again })
    assert.equal(first.status, 202, first.text)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    await tenant.until(first.body.id, (email) => email.status === 'delivered')
    const second = await tenant.send(mail, { 'idempotency-key': again })
    assert.deepEqual([second.status, second.text], [202, first.text])
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.headers['location'], first.headers['location'])
    assert.equal(await used(), before + 1)
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 1)
  })

  it('members in another order and other whitespace are the same request', async () => {
    const [to, again] = [fresh(), key()]
    const first = await post(`{"to":["${to}"],"subject":"S","text":"T","tags":{"a":"1","b":"2"}}`, again)
    const second = await post(
      `{ "tags": {"b":"2", "a":"\\u0031"},\n"text":"T","subject":"S", "to":[ "${to}" ] }`,
      again,
    )
    assert.deepEqual([second.status, second.body.id], [202, first.body.id])
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  it('another body under a used key is refused and sends nothing', async () => {
    const [to, again] = [fresh(), key()]
    await tenant.send(rawMail(), { 'idempotency-key': again })
    assertProblem(await tenant.send(rawMail({ to: [to] }), { 'idempotency-key': again }), 422, 'idempotency_mismatch')
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 0)
  })

  it('a quoted key counts as its content', async () => {
    const [mail, again] = [rawMail(), key()]
    const first = await tenant.send(mail, { 'idempotency-key': again })
    const second = await tenant.send(mail, { 'idempotency-key': `"${again}"` })
    assert.equal(second.text, first.text)
  })

  it('a key belongs to one workspace and one mode', async () => {
    const [mail, again] = [rawMail(), key()]
    const other = await system().client.tenant()
    const testKey = await tenant.makeKey({ mode: 'test' })
    const first = await tenant.send(mail, { 'idempotency-key': again })
    const elsewhere = await other.send(mail, { 'idempotency-key': again })
    const inTest = await testKey.call<EmailRecord>({
      path: '/api/v1/emails',
      json: mail,
      headers: { 'idempotency-key': again },
    })
    assert.deepEqual([first.status, elsewhere.status, inTest.status], [202, 202, 202])
    assert.equal(new Set([first.body.id, elsewhere.body.id, inTest.body.id]).size, 3)
  })

  it('a second key of the same workspace meets the first one’s answer', async () => {
    const [mail, again] = [rawMail(), key()]
    const second = await tenant.makeKey()
    const first = await tenant.send(mail, { 'idempotency-key': again })
    const answer = await second.call({ path: '/api/v1/emails', json: mail, headers: { 'idempotency-key': again } })
    assert.equal(answer.text, first.text)
  })

  it('a hundred at once make one email: each is accepted with its id or told to wait', async () => {
    const [to, again] = [fresh(), key()]
    const body = JSON.stringify(rawMail({ to: [to] }))
    const before = await used()
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(body, again)))
    const ids = new Set(answers.filter((one) => one.status === 202).map((one) => one.body.id))
    assert.equal(ids.size, 1)
    for (const answer of answers.filter((one) => one.status !== 202)) {
      assertProblem(answer, 409, 'idempotency_in_flight')
      assert.equal(answer.headers['retry-after'], '1')
    }
    assert.equal((await post(body, again)).body.id, [...ids][0])
    await tenant.until([...ids][0] ?? '', (email) => email.status === 'delivered')
    assert.equal(system().receiver.to(to).length, 1)
    assert.equal(await used(), before + 1)
  })

  it('a refusal is not kept: the corrected request may use the key again', async () => {
    const again = key()
    assertProblem(await tenant.send(rawMail({ subject: null }), { 'idempotency-key': again }), 422, 'validation_failed')
    const template = { to: [fresh()], template_id: 'tpl_01h2xcejqtf2nbrexx3vqjhp41', template_vars: {} }
    assertProblem(await tenant.send(template, { 'idempotency-key': again }), 422, 'validation_failed')
    await system().client.setLimits(tenant.workspace.id, { daily: 0 })
    const mail = rawMail()
    assertProblem(await tenant.send(mail, { 'idempotency-key': again }), 402, 'quota_exceeded')
    await system().client.setLimits(tenant.workspace.id, { daily: null })
    assert.equal((await tenant.send(mail, { 'idempotency-key': again })).status, 202)
  })

  it('the first answer stays what it was, whatever became of the mail', async () => {
    const again = key()
    const mail = rawMail({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    const first = await tenant.send(mail, { 'idempotency-key': again })
    await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${first.body.id}/cancel` })
    const second = await tenant.send(mail, { 'idempotency-key': again })
    assert.equal(second.text, first.text)
    assert.equal(second.body.status, 'scheduled')
  })
})
