import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const usage = async (tenant: Tenant): Promise<UsageRecord> =>
  (await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body

describe('quota', () => {
  const system = useSystem()

  it('a new workspace has the free plan and no usage', async () => {
    const tenant = await system().client.tenant({ monthly: 'plan', daily: 'plan' })
    const body = await usage(tenant)
    assert.equal(body.plan, 'free')
    assert.deepEqual(body.monthly, { limit: 3_000, used: 0, remaining: 3_000 })
    assert.deepEqual([body.daily.limit, body.daily.used, body.daily.remaining], [100, 0, 100])
    const now = new Date()
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
    assert.equal(Date.parse(body.daily.resets_at), midnight)
    assert.equal(Date.parse(body.period.start), Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
    assert.equal(Date.parse(body.period.end), Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    assert.deepEqual([body.overage.allowed, body.overage.amount_usd], [false, '0.00'])
    assert.deepEqual(body.history, [])
  })

  it('accepts exactly 100 of 130 concurrent sends on the free plan, and returns 402 for the others', async () => {
    const tenant = await system().client.tenant({ monthly: 'plan', daily: 'plan' })
    // A busy cluster may return 503; clients repeat such a request with the same key.
    const send = (number: number) => {
      const mail = rawMail()
      return answered(() => tenant.send(mail, { 'idempotency-key': `burst-${number}` }))
    }
    const responses = await Promise.all(Array.from({ length: 130 }, (_, number) => send(number)))
    const accepted = responses.filter((one) => one.status === 202)
    assert.equal(accepted.length, 100)
    for (const response of responses.filter((one) => one.status !== 202)) {
      const problem = assertProblem(response, 402, 'quota_exceeded')
      assert.match(problem.detail, /daily/)
      assert.match(problem.detail, /100/)
      assert.match(problem.detail, /\d{4}-\d\d-\d\dT00:00:00\.000Z/)
    }
    const body = await usage(tenant)
    assert.deepEqual([body.daily.used, body.daily.remaining, body.monthly.used], [100, 0, 100])
    assert.deepEqual(body.history, [{ date: new Date().toISOString().slice(0, 10), sends: 100 }])
    assert.equal((await tenant.list('?limit=100')).has_more, false)
  })

  it('counts every recipient, and refuses a send whose recipients do not all fit', async () => {
    const tenant = await system().client.tenant({ monthly: 5, daily: null })
    const three = await tenant.send(rawMail({ to: [fresh()], cc: [fresh()], bcc: [fresh()] }))
    assert.equal(three.status, 202)
    assert.deepEqual([three.headers['quota-limit'], three.headers['quota-remaining']], ['5', '2'])
    assert.ok(three.headers['quota-reset'])
    const refused = await tenant.send(rawMail({ to: [fresh(), fresh(), fresh()] }))
    assertProblem(refused, 402, 'quota_exceeded')
    assert.match(refused.text, /monthly/)
    assert.equal((await usage(tenant)).monthly.used, 3)
    assert.equal((await tenant.send(rawMail({ to: [fresh(), fresh()] }))).status, 202)
    assertProblem(await tenant.send(rawMail()), 402, 'quota_exceeded')
  })

  it('counts duplicates of an address once', async () => {
    const tenant = await system().client.tenant({ monthly: 10 })
    const to = fresh()
    await tenant.send(rawMail({ to: Array.from({ length: 50 }, () => to) }))
    assert.equal((await usage(tenant)).monthly.used, 1)
  })

  it('response headers report the tightest quota', async () => {
    const tenant = await system().client.tenant({ monthly: 1_000, daily: 7 })
    const response = await tenant.send(rawMail())
    assert.deepEqual([response.headers['quota-limit'], response.headers['quota-remaining']], ['7', '6'])
  })

  it('applies a limit of the operator to the next send, and the limit of the plan after plan is set', async () => {
    const tenant = await system().client.tenant({ monthly: 'plan', daily: 1 })
    assert.equal((await tenant.send(rawMail())).status, 202)
    assertProblem(await tenant.send(rawMail()), 402, 'quota_exceeded')
    await system().client.setLimits(tenant.workspace.id, { daily: 2 })
    assert.equal((await tenant.send(rawMail())).status, 202)
    assertProblem(await tenant.send(rawMail()), 402, 'quota_exceeded')
    await system().client.setLimits(tenant.workspace.id, { daily: 'plan' })
    assert.equal((await usage(tenant)).daily.limit, 100)
    await system().client.setLimits(tenant.workspace.id, { daily: null })
    assert.deepEqual([(await usage(tenant)).daily.limit, (await usage(tenant)).daily.remaining], [null, null])
    assert.equal((await tenant.send(rawMail())).status, 202)
  })

  it('releases the quota of a canceled email once', async () => {
    const tenant = await system().client.tenant({ monthly: 3, daily: 3 })
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await tenant.send(rawMail({ to: [fresh(), fresh()], scheduled_at }))
    assert.equal((await usage(tenant)).monthly.used, 2)
    const cancel = () => tenant.api.call<EmailRecord>({ method: 'POST', path: `/api/v1/emails/${body.id}/cancel` })
    await Promise.all([cancel(), cancel(), cancel()])
    await cancel()
    const after = await usage(tenant)
    assert.deepEqual([after.monthly.used, after.daily.used], [0, 0])
    assert.equal((await tenant.send(rawMail({ to: [fresh(), fresh(), fresh()] }))).status, 202)
  })

  it('a refused request uses no quota', async () => {
    const tenant = await system().client.tenant({ monthly: 3 })
    await tenant.send(rawMail({ to: ['nonsense'] }))
    await tenant.send(rawMail({ template_id: 'tpl_nope' }))
    await tenant.send({ to: [fresh()], template_id: 'tpl_01h2xcejqtf2nbrexx3vqjhp41', template_vars: {} })
    assert.equal((await usage(tenant)).monthly.used, 0)
  })

  it('returns session_required when an API key reads the usage', async () => {
    const tenant = await system().client.tenant()
    assertProblem(await tenant.api.call({ path: '/api/v1/billing/usage' }), 403, 'session_required')
  })

  it('only the operator token can read and change a workspace', async () => {
    const tenant = await system().client.tenant({ monthly: 77 })
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    const seen = await system().client.withOperatorToken().call<{ id: string; limits: { monthly: unknown } }>({ path })
    assert.equal(seen.status, 200, seen.text)
    assert.deepEqual([seen.body.id, seen.body.limits.monthly], [tenant.workspace.id, 77])
    for (const caller of [system().client.withOperatorToken('wrong'), tenant.api, tenant.session, system().client]) {
      const response = await caller.call({ method: 'PATCH', path, json: { limits: { monthly: null } } })
      assert.ok([401, 403].includes(response.status), `${response.status}`)
    }
    assert.equal((await usage(tenant)).monthly.limit, 77)
  })

  it('refuses sends of a workspace while it is suspended', async () => {
    const tenant = await system().client.tenant()
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    const set = (suspended: boolean) =>
      system().client.withOperatorToken().call({ method: 'PATCH', path, json: { suspended } })
    assert.equal((await set(true)).status, 200)
    assertProblem(await tenant.send(rawMail()), 403, 'forbidden')
    await set(false)
    assert.equal((await tenant.send(rawMail())).status, 202)
  })
})
