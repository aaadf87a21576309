import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import type { ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Plan = {
  id: string
  price_usd: string
  monthly: number | null
  daily: number | null
  overage: object | null
  current: boolean
}
type State = { plan: string; pending_plan: string | null; changes_at: string | null; checkout_url: string | null }
type Invoice = {
  id: string
  number: string
  period: { start: string; end: string }
  lines: { description: string; quantity: number; unit_usd: string; amount_usd: string }[]
  total_usd: string
  status: string
  issued_at: string
}

type Preview = {
  effect: string
  begins_at: string | null
  lines: Invoice['lines']
  total_usd: string
  due_usd: string
  limits: object
}

const invoicesPath = '/api/v1/billing/invoices'

/** Returns the price of Pro from today to the end of the month, by hand: 20 USD by days, half a cent up. */
const restOfMonth = (): string => {
  const now = new Date()
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
  return (Math.floor((2_000 * (days - now.getUTCDate() + 1)) / days + 0.5) / 100).toFixed(2)
}

const monthEnd = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
}

describe('billing', () => {
  const system = useSystem()

  const newTenant = () => system().client.tenant({ monthly: 'plan', daily: 'plan' })
  const choose = (tenant: Tenant, plan: string) =>
    tenant.session.call<State>({ path: '/api/v1/billing/plan', json: { plan } })
  const invoicesOf = async (tenant: Tenant, query = '') =>
    (await tenant.session.call<ListRecord<Invoice>>({ path: `${invoicesPath}${query}` })).body
  const operator = () => system().client.withOperatorToken()

  it('lists the plans of the specification and marks the current one', async () => {
    const tenant = await newTenant()
    const { body } = await tenant.session.call<ListRecord<Plan>>({ path: '/api/v1/billing/plans' })
    assert.deepEqual(body, {
      object: 'list',
      data: [
        {
          object: 'plan',
          id: 'free',
          name: 'Free',
          price_usd: '0.00',
          monthly: 3_000,
          daily: 100,
          overage: null,
          current: true,
        },
        {
          object: 'plan',
          id: 'pro',
          name: 'Pro',
          price_usd: '20.00',
          monthly: 50_000,
          daily: null,
          overage: { per: 1_000, price_usd: '1.00' },
          current: false,
        },
      ],
      has_more: false,
      next_cursor: null,
    })
    assert.deepEqual((await invoicesOf(tenant)).data, [])
  })

  it('raises the quota for the next send after an upgrade, and invoices the rest of the month once', async () => {
    const tenant = await system().client.tenant({ monthly: 'plan', daily: 'plan' })
    const many = () => rawMail({ to: Array.from({ length: 50 }, () => fresh()) })
    for (let mails = 0; mails < 2; mails += 1) assert.equal((await tenant.send(many())).status, 202)
    assertProblem(await tenant.send(rawMail()), 402, 'quota_exceeded')
    const upgraded = await choose(tenant, 'pro')
    assert.equal(upgraded.status, 200, upgraded.text)
    assert.deepEqual(
      [upgraded.body.plan, upgraded.body.pending_plan, upgraded.body.changes_at, upgraded.body.checkout_url],
      ['pro', null, null, null],
    )
    // Several replicas respond in turn; each has the new plan.
    for (let mails = 0; mails < 4; mails += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    const { data } = await invoicesOf(tenant)
    const [invoice] = data
    assert.equal(data.length, 1)
    assert.deepEqual([invoice?.total_usd, invoice?.status], [restOfMonth(), 'open'])
    assert.equal(invoice?.lines.length, 1)
    assert.deepEqual([invoice?.lines[0]?.quantity, invoice?.lines[0]?.amount_usd], [1, restOfMonth()])
    assert.equal(invoice?.period.end, monthEnd())
    assert.match(invoice?.number ?? '', /^PR-\d{6}$/)
    const session = await tenant.session.call<{ workspace: { plan: string } }>({ path: '/api/v1/auth/session' })
    assert.equal(session.body.workspace.plan, 'pro')
    const again = await choose(tenant, 'pro')
    assert.equal(again.status, 200)
    assert.equal((await invoicesOf(tenant)).data.length, 1)
  })

  it('shows what a change would cost before it is made, and changes nothing by that', async () => {
    const tenant = await newTenant()
    const preview = async (plan: string) =>
      (await tenant.session.call<Preview>({ path: `/api/v1/billing/plan/preview?plan=${plan}` })).body
    const upgrade = await preview('pro')
    assert.deepEqual(
      [upgrade.effect, upgrade.total_usd, upgrade.due_usd, upgrade.limits],
      ['upgrade', restOfMonth(), restOfMonth(), { monthly: 50_000, daily: null }],
    )
    assert.deepEqual((await invoicesOf(tenant)).data, [])
    await choose(tenant, 'pro')
    const [invoice] = (await invoicesOf(tenant)).data
    assert.deepEqual(upgrade.lines, invoice?.lines)
    assert.deepEqual([(await preview('pro')).effect, (await preview('pro')).due_usd], ['none', '0.00'])
    const downgrade = await preview('free')
    assert.deepEqual(
      [downgrade.effect, downgrade.begins_at, downgrade.due_usd, downgrade.limits],
      ['downgrade', monthEnd(), '0.00', { monthly: 3_000, daily: 100 }],
    )
    await choose(tenant, 'free')
    assert.equal((await preview('pro')).effect, 'revoke')
    for (const query of ['', '?plan=unlimited', '?plan='])
      assert.equal((await tenant.session.call({ path: `/api/v1/billing/plan/preview${query}` })).status, 400)
  })

  it('begins a downgrade with the next month, revokes it, and charges nothing twice', async () => {
    const tenant = await newTenant()
    await choose(tenant, 'pro')
    const lowered = await choose(tenant, 'free')
    assert.deepEqual(
      [lowered.status, lowered.body.plan, lowered.body.pending_plan, lowered.body.changes_at],
      [200, 'pro', 'free', monthEnd()],
    )
    const usage = await tenant.session.call<State & { monthly: { limit: number } }>({ path: '/api/v1/billing/usage' })
    assert.deepEqual([usage.body.plan, usage.body.pending_plan, usage.body.monthly.limit], ['pro', 'free', 50_000])
    const revoked = await choose(tenant, 'pro')
    assert.deepEqual([revoked.body.plan, revoked.body.pending_plan, revoked.body.changes_at], ['pro', null, null])
    assert.deepEqual((await tenant.session.call<State>({ path: '/api/v1/billing/plan' })).body, revoked.body)
    assert.equal((await invoicesOf(tenant)).data.length, 1)
  })

  it('charges once for upgrades that arrive at the same time', async () => {
    const tenant = await newTenant()
    const responses = await Promise.all(Array.from({ length: 6 }, () => choose(tenant, 'pro')))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    )
    assert.equal((await invoicesOf(tenant)).data.length, 1)
  })

  it('refuses a plan that an owner cannot choose, and keys', async () => {
    const tenant = await newTenant()
    for (const plan of ['unlimited', 'gold', '', 7, null]) {
      const response = await tenant.session.call<unknown>({ path: '/api/v1/billing/plan', json: { plan } })
      assert.equal(response.status, 422, response.text)
    }
    for (const path of ['plans', 'plan', 'plan/preview?plan=pro', 'invoices', 'invoices/inv_1'])
      assertProblem(await tenant.api.call({ path: `/api/v1/billing/${path}` }), 403, 'session_required')
  })

  it('shows an invoice as JSON, and as a page without scripts', async () => {
    const tenant = await newTenant()
    await choose(tenant, 'pro')
    const [invoice] = (await invoicesOf(tenant)).data
    const path = `${invoicesPath}/${invoice?.id}`
    assert.deepEqual((await tenant.session.call<Invoice>({ path })).body, invoice)
    for (const page of [
      await tenant.session.call({ path: `${path}/print` }),
      await tenant.session.call({ path, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }),
    ]) {
      assert.equal(page.status, 200)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
      assert.ok(page.text.includes(invoice?.number ?? '?') && page.text.includes(`${invoice?.total_usd}</td>`))
      assert.doesNotMatch(page.text, /<script/i)
      assert.match(page.text, /@media print/)
    }
    const stranger = await newTenant()
    for (const suffix of ['', '/print'])
      assertProblem(await stranger.session.call({ path: path + suffix }), 404, 'not_found')
    assertProblem(await tenant.session.call({ method: 'POST', path: `${path}/pay` }), 409, 'conflict')
    assertProblem(await tenant.session.call({ method: 'POST', path: '/api/v1/billing/portal' }), 409, 'conflict')
  })

  it('lets the operator find invoices and mark them, with the change in the audit log', async () => {
    const [paying, leaving] = [await newTenant(), await newTenant()]
    for (const tenant of [paying, leaving]) await choose(tenant, 'pro')
    const find = async (query: string) =>
      (
        await operator().call<ListRecord<Invoice & { workspace_id: string }>>({
          path: `/api/v1/operator/invoices?${query}`,
        })
      ).body.data
    const [invoice] = await find(`workspace=${paying.workspace.id}`)
    const [other] = await find(`workspace=${leaving.workspace.id}&period=${new Date().toISOString().slice(0, 7)}`)
    assert.equal(invoice?.workspace_id, paying.workspace.id)
    const mark = (id: string | undefined, json: object) =>
      operator().call<Invoice>({ method: 'PATCH', path: `/api/v1/operator/invoices/${id}`, json })
    assert.equal((await mark(invoice?.id, { status: 'paid' })).body.status, 'paid')
    assert.equal((await mark(invoice?.id, { status: 'paid' })).status, 200)
    assertProblem(await mark(invoice?.id, { status: 'void', reason: 'mistake' }), 409, 'conflict')
    assert.equal((await mark(other?.id, { status: 'void' })).status, 422)
    assert.equal((await mark(other?.id, { status: 'void', reason: 'test account' })).body.status, 'void')
    assert.equal((await mark(other?.id, { status: 'open' })).status, 422)
    assertProblem(await mark('inv_none', { status: 'paid' }), 404, 'not_found')
    assert.deepEqual(await find(`workspace=${paying.workspace.id}&status=open`), [])
    assert.equal((await find(`workspace=${paying.workspace.id}&status=paid`)).length, 1)
    assert.equal((await operator().call({ path: '/api/v1/operator/invoices?status=late' })).status, 400)
    assert.equal((await invoicesOf(paying)).data[0]?.status, 'paid')
  })

  it('pages through the operator’s list without repeating an invoice', async () => {
    for (let count = 0; count < 3; count += 1) await choose(await newTenant(), 'pro')
    type Page = ListRecord<Invoice> & { next_cursor: string }
    const page = async (query: string) =>
      (await operator().call<Page>({ path: `/api/v1/operator/invoices?${query}` })).body
    const first = await page('limit=2')
    const second = await page(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)
    const numbers = [...first.data, ...second.data].map(({ number }) => number)
    assert.equal(new Set(numbers).size, numbers.length)
    assert.deepEqual(numbers, numbers.toSorted().toReversed())
  })

  it('adjusts once for repeated requests with an Idempotency-Key', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const adjust = (json: object, key: string, workspace = tenant.workspace.id) =>
      operator().call<{ id: string }>({
        path: `/api/v1/operator/workspaces/${workspace}/adjustments`,
        json,
        headers: { 'idempotency-key': key },
      })
    const used = async () =>
      (await tenant.session.call<{ monthly: { used: number } }>({ path: '/api/v1/billing/usage' })).body.monthly.used
    const wanted = { sends: 7, reason: 'sent by another system' }
    const responses = await Promise.all(Array.from({ length: 5 }, () => adjust(wanted, 'a')))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    )
    const again = await adjust({ reason: wanted.reason, sends: 7 }, 'a')
    assert.equal(again.headers['idempotent-replayed'], 'true')
    for (const { body } of responses) assert.deepEqual(body, again.body)
    assert.equal(await used(), 7)
    assertProblem(await adjust({ ...wanted, sends: 8 }, 'a'), 422, 'idempotency_mismatch')
    assertProblem(await adjust(wanted, ''), 400, 'malformed_request')
    assert.notEqual((await adjust(wanted, 'a', other.workspace.id)).body.id, again.body.id)
    const back = { sends: -7, reason: 'goodwill' }
    assert.equal((await adjust(back, 'b')).status, 201)
    assert.equal((await adjust(back, 'b')).status, 201, 'the first response again, though no send is left to release')
    assert.equal(await used(), 0)
    const credit = { amount_usd: '-0.50', reason: 'outage' }
    const [one, two] = [await adjust(credit, 'c'), await adjust(credit, 'c')]
    assert.deepEqual(one.body, two.body)
    assert.notEqual((await adjust(credit, 'd')).body.id, one.body.id)
  })

  it('adjusts sends immediately, and money on the next invoice', async () => {
    const tenant = await newTenant()
    const adjust = (json: object, workspace = tenant.workspace.id) =>
      operator().call<{ id: string }>({ path: `/api/v1/operator/workspaces/${workspace}/adjustments`, json })
    const used = async () =>
      (
        await tenant.session.call<{ monthly: { used: number }; daily: { used: number } }>({
          path: '/api/v1/billing/usage',
        })
      ).body
    assert.equal((await adjust({ sends: 7, reason: 'sent by another system' })).status, 201)
    assert.equal((await adjust({ sends: -3, reason: 'goodwill' })).status, 201)
    const { monthly, daily } = await used()
    assert.deepEqual([monthly.used, daily.used], [4, 0])
    assertProblem(await adjust({ sends: -5, reason: 'too many' }), 409, 'conflict')
    for (const json of [
      {},
      { sends: 1, amount_usd: '1.00', reason: 'both' },
      { sends: 1 },
      { sends: 0, reason: 'none' },
      { sends: 1.5, reason: 'half' },
      { amount_usd: '1.005', reason: 'mills' },
      { amount_usd: 5, reason: 'number' },
    ])
      assert.equal((await adjust(json)).status, 422, JSON.stringify(json))
    assertProblem(await adjust({ sends: 1, reason: 'x' }, 'ws_none'), 404, 'not_found')
    assert.equal((await adjust({ amount_usd: '-0.50', reason: 'Credit for the outage' })).status, 201)
    await choose(tenant, 'pro')
    const [invoice] = (await invoicesOf(tenant)).data
    assert.deepEqual(
      invoice?.lines.map(({ description, amount_usd }) => [description, amount_usd]),
      [
        ['Credit for the outage', '-0.50'],
        [invoice?.lines[1]?.description, restOfMonth()],
      ],
    )
    assert.equal(invoice?.total_usd, (Number(restOfMonth()) - 0.5).toFixed(2))
  })

  it('names a spending cap below one block in the refusal, and applies a change of it to the next send', async () => {
    const tenant = await system().client.tenant({ monthly: 1, daily: null })
    await choose(tenant, 'pro')
    const cap = (usd: string | null) =>
      tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { spending_cap_usd: usd } })
    assert.equal((await cap('0.50')).status, 200)
    assert.equal((await tenant.send(rawMail())).status, 202)
    const refused = await tenant.send(rawMail())
    assertProblem(refused, 402, 'quota_exceeded')
    assert.match(refused.text, /spending cap of 0\.5/)
    await cap('1.00')
    assert.equal((await tenant.send(rawMail())).status, 202)
    const usage = await tenant.session.call<{ overage: object }>({ path: '/api/v1/billing/usage' })
    assert.deepEqual(usage.body.overage, { allowed: true, sends: 1, blocks: 1, amount_usd: '1.00', cap_usd: '1.00' })
  })

  it('lets the operator set a plan immediately, which is invoiced as an owner’s upgrade', async () => {
    const tenant = await newTenant()
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    const set = (plan: string) => operator().call<{ plan: string }>({ method: 'PATCH', path, json: { plan } })
    assert.deepEqual([(await set('pro')).body.plan, (await invoicesOf(tenant)).data.length], ['pro', 1])
    assert.equal((await set('free')).body.plan, 'free')
    assert.equal((await set('unlimited')).body.plan, 'unlimited')
    assert.equal((await set('pro')).body.plan, 'pro')
    assert.equal((await invoicesOf(tenant)).data.length, 1)
    assert.equal((await set('gold')).status, 422)
  })

  it('has no webhook while no payment provider is configured', async () => {
    const response = await system().client.call({ path: '/api/v1/billing/stripe/webhook', json: { id: 'evt_1' } })
    assertProblem(response, 404, 'not_found')
  })
})
