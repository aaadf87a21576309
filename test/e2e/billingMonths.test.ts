import assert from 'node:assert/strict'
import { type ClockedSystem, clockedSystem } from '../faults/clockedSystem.ts'
import { type Client, rawMail, type Session, type Tenant } from '../support/client.ts'
import type { ListRecord, SessionRecord } from '../support/records.ts'
import { needsOwnProcess } from '../support/suite.ts'

type Invoice = {
  number: string
  period: { start: string; end: string }
  lines: { description: string; quantity: number; unit_usd: string; amount_usd: string }[]
  total_usd: string
  issued_at: string
}

const at = (text: string): number => Date.parse(`${text}Z`)

/** A workspace whose time a test sets. Its included sends are few, so that overage needs few emails. */
const workspaceAt = async (start: string, monthly: number | 'plan' = 'plan') => {
  const system = await clockedSystem({}, at(start))
  const tenant = await system.client.tenant({ monthly, daily: 'plan' })
  let now = at(start)
  const go = async (to: string): Promise<void> => {
    system.advance(at(to) - now)
    now = at(to)
    await system.closeMonths()
  }
  let current = { session: tenant.session, at: now }
  const session = async (): Promise<Session> => {
    if (current.at !== now) current = { session: await logIn(system.client, tenant), at: now }
    return current.session
  }
  const operator = () => system.client.withOperatorToken()
  const own = `/api/v1/operator/workspaces/${tenant.workspace.id}`
  return {
    system,
    go,
    choose: async (plan: string) => {
      const response = await (await session()).call<{ plan: string }>({ path: '/api/v1/billing/plan', json: { plan } })
      assert.equal(response.status, 200, response.text)
      return response.body.plan
    },
    send: async (mails: number) => {
      for (let sent = 0; sent < mails; sent += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    },
    tenant,
    session,
    adjust: async (change: { sends?: number; amount_usd?: string; reason?: string }) => {
      const json = { reason: 'Test', ...change }
      const response = await operator().call({ path: `${own}/adjustments`, json })
      assert.equal(response.status, 201, response.text)
    },
    operate: async (json: object) => {
      const response = await operator().call({ method: 'PATCH', path: own, json })
      assert.equal(response.status, 200, response.text)
    },
    cap: async (spending_cap_usd: string | null) => {
      const path = '/api/v1/workspace'
      const response = await (await session()).call({ method: 'PATCH', path, json: { spending_cap_usd } })
      assert.equal(response.status, 200, response.text)
    },
    /** Returns month, total and lines of every invoice, the oldest first. */
    invoices: async () => {
      const response = await (await session()).call<ListRecord<Invoice>>({ path: '/api/v1/billing/invoices?limit=100' })
      return response.body.data.toReversed()
    },
    [Symbol.asyncDispose]: () => (system satisfies ClockedSystem)[Symbol.asyncDispose](),
  }
}

/** A session ends after some hours without use. */
const logIn = async (client: Client, { email, password }: Tenant): Promise<Session> =>
  client.session(await client.call<SessionRecord>({ path: '/api/v1/auth/login', json: { email, password } }))

const shown = (invoices: readonly Invoice[]) =>
  invoices.map(({ lines, total_usd }) => [
    total_usd,
    lines.map(({ description, quantity, amount_usd }) => `${description}: ${quantity} = ${amount_usd}`),
  ])

describe('invoices of several months', () => {
  needsOwnProcess()

  it('charge an upgrade in the last minute for one day, and the leap day as a day', async () => {
    await using workspace = await workspaceAt('2028-01-31T23:59:30.000', 2)
    await workspace.choose('pro')
    await workspace.send(3)
    await workspace.go('2028-02-01T00:06:00.000')
    await workspace.send(5)
    await workspace.go('2028-03-01T00:06:00.000')
    await workspace.choose('free')
    await workspace.go('2028-04-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      // 2000 / 31 = 64.5: half a cent is rounded up.
      ['0.65', ['Pro plan, 31 January 2028 (1 of 31 days): 1 = 0.65']],
      ['21.00', ['Pro plan, February 2028: 1 = 20.00', 'Sends beyond 2 in January 2028, each started 1,000: 1 = 1.00']],
      ['21.00', ['Pro plan, March 2028: 1 = 20.00', 'Sends beyond 2 in February 2028, each started 1,000: 1 = 1.00']],
    ])
    assert.deepEqual(
      (await workspace.invoices()).map(({ number, period }) => [number, period.start, period.end]),
      [
        ['PR-000001', '2028-01-31T00:00:00.000Z', '2028-02-01T00:00:00.000Z'],
        ['PR-000002', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
        ['PR-000003', '2028-03-01T00:00:00.000Z', '2028-04-01T00:00:00.000Z'],
      ],
    )
  })

  it('charge the leap day in February: 15 of 29 days', async () => {
    await using workspace = await workspaceAt('2028-02-15T12:00:00.000')
    await workspace.choose('pro')
    // 2000 × 15 / 29 = 1034.48
    assert.deepEqual(shown(await workspace.invoices()), [
      ['10.34', ['Pro plan, 15 to 29 February 2028 (15 of 29 days): 1 = 10.34']],
    ])
  })

  it('charge a downgrade and return within a month once, and nothing for months on the free plan', async () => {
    await using workspace = await workspaceAt('2027-04-16T00:00:00.000')
    await workspace.choose('pro')
    await workspace.choose('free')
    await workspace.go('2027-04-30T23:59:59.999')
    assert.equal(await workspace.choose('pro'), 'pro')
    assert.equal(await workspace.choose('free'), 'pro')
    await workspace.go('2027-05-01T00:00:00.000')
    // The free plan applies from the first moment of the month, before any job ran.
    const usage = await (await workspace.session()).call<{ plan: string; monthly: { limit: number } }>({
      path: '/api/v1/billing/usage',
    })
    assert.deepEqual([usage.body.plan, usage.body.monthly.limit], ['free', 3_000])
    await workspace.go('2027-05-31T12:00:00.000')
    await workspace.choose('pro')
    await workspace.go('2027-06-02T00:00:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      // 2000 × 15 / 30
      ['10.00', ['Pro plan, 16 to 30 April 2027 (15 of 30 days): 1 = 10.00']],
      ['0.65', ['Pro plan, 31 May 2027 (1 of 31 days): 1 = 0.65']],
      ['20.00', ['Pro plan, June 2027: 1 = 20.00']],
    ])
  })

  it('catch up after months without the job, one invoice for each month', async () => {
    await using workspace = await workspaceAt('2027-01-01T00:00:00.000')
    await workspace.choose('pro')
    await workspace.go('2027-04-10T00:00:00.000')
    await workspace.go('2027-04-10T00:00:00.000')
    const invoices = await workspace.invoices()
    assert.deepEqual(
      invoices.map(({ period, total_usd }) => [period.start.slice(0, 10), total_usd]),
      [
        ['2027-01-01', '20.00'],
        ['2027-02-01', '20.00'],
        ['2027-03-01', '20.00'],
        ['2027-04-01', '20.00'],
      ],
    )
  })

  it('correct sends that are released after their month was closed, and use up a credit', async () => {
    await using workspace = await workspaceAt('2027-09-20T00:00:00.000', 2)
    const { tenant, system } = workspace
    await workspace.choose('pro')
    await workspace.send(2)
    const scheduled_at = '2027-10-10T00:00:00.000Z'
    const { body } = await tenant.send(rawMail({ scheduled_at }))
    await workspace.go('2027-10-01T00:06:00.000')
    const path = `/api/v1/emails/${body.id}/cancel`
    assert.equal((await tenant.api.call({ method: 'POST', path })).status, 200)
    const adjust = (amount_usd: string) =>
      system.client.withOperatorToken().call({
        path: `/api/v1/operator/workspaces/${tenant.workspace.id}/adjustments`,
        json: { amount_usd, reason: 'Credit for the outage' },
      })
    assert.equal((await adjust('-30.00')).status, 201)
    await workspace.go('2027-11-01T00:06:00.000')
    await workspace.go('2027-12-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      // 2000 × 11 / 30 = 733.33
      ['7.33', ['Pro plan, 20 to 30 September 2027 (11 of 30 days): 1 = 7.33']],
      [
        '21.00',
        ['Pro plan, October 2027: 1 = 20.00', 'Sends beyond 2 in September 2027, each started 1,000: 1 = 1.00'],
      ],
      // The credit of 31.00 covers November and 11.00 of December, so no invoice is issued for November.
      [
        '9.00',
        [
          'Credit for the outage: 1 = -30.00',
          'Pro plan, November 2027: 1 = 20.00',
          'Correction of sends beyond the plan in September 2027: -1 = -1.00',
          'Pro plan, December 2027: 1 = 20.00',
        ],
      ],
    ])
  })

  it('charge overage in started blocks: 1,000 sends are one block, 1,001 are two, and no sends none', async () => {
    await using workspace = await workspaceAt('2027-02-01T08:00:00.000', 2)
    const { adjust } = workspace
    await workspace.choose('pro')
    // 2 included, 1,000 beyond: 2 by mail, the others by corrections.
    await adjust({ sends: 1_000 })
    await workspace.send(2)
    await workspace.go('2027-03-01T00:06:00.000')
    await adjust({ sends: 1_001 })
    await workspace.send(2)
    await workspace.go('2027-04-01T00:06:00.000')
    await workspace.send(2)
    await workspace.go('2027-05-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      ['20.00', ['Pro plan, February 2027: 1 = 20.00']],
      ['21.00', ['Pro plan, March 2027: 1 = 20.00', 'Sends beyond 2 in February 2027, each started 1,000: 1 = 1.00']],
      ['22.00', ['Pro plan, April 2027: 1 = 20.00', 'Sends beyond 2 in March 2027, each started 1,000: 2 = 2.00']],
      ['20.00', ['Pro plan, May 2027: 1 = 20.00']],
    ])
  })

  it('charge no more than the spending cap, whose last send is accepted and whose next one is refused', async () => {
    await using workspace = await workspaceAt('2027-06-30T12:00:00.000', 2)
    const { adjust, cap, tenant } = workspace
    await workspace.choose('pro')
    await cap('1.99')
    await adjust({ sends: 1_000 })
    await workspace.send(2)
    const refused = await tenant.send(rawMail())
    assert.deepEqual([refused.status, /spending cap of 1\.99 USD/.test(refused.text)], [402, true])
    await workspace.go('2027-07-01T00:06:00.000')
    await cap('2.00')
    await adjust({ sends: 1_001 })
    await workspace.send(2)
    await cap(null)
    await workspace.go('2027-08-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      // 2000 / 30 = 66.67
      ['0.67', ['Pro plan, 30 June 2027 (1 of 30 days): 1 = 0.67']],
      ['21.00', ['Pro plan, July 2027: 1 = 20.00', 'Sends beyond 2 in June 2027, each started 1,000: 1 = 1.00']],
      ['22.00', ['Pro plan, August 2027: 1 = 20.00', 'Sends beyond 2 in July 2027, each started 1,000: 2 = 2.00']],
    ])
  })

  it('charge a start on the 31st for one day, and a suspended workspace for its plan and for what it sent', async () => {
    await using workspace = await workspaceAt('2027-12-31T00:00:00.000', 2)
    const { adjust, operate, tenant } = workspace
    await workspace.choose('pro')
    await workspace.send(3)
    await operate({ suspended: true, reason: 'Abuse' })
    assert.equal((await tenant.send(rawMail())).status, 403)
    await workspace.go('2028-01-01T00:06:00.000')
    await adjust({ amount_usd: '2.50', reason: 'Setup of a domain' })
    await workspace.go('2028-02-01T00:06:00.000')
    await workspace.choose('free')
    await workspace.go('2028-02-29T23:59:59.999')
    await workspace.go('2028-03-01T00:06:00.000')
    await workspace.go('2028-04-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      // 2000 / 31 = 64.5: half a cent is rounded up.
      ['0.65', ['Pro plan, 31 December 2027 (1 of 31 days): 1 = 0.65']],
      ['21.00', ['Pro plan, January 2028: 1 = 20.00', 'Sends beyond 2 in December 2027, each started 1,000: 1 = 1.00']],
      ['22.50', ['Setup of a domain: 1 = 2.50', 'Pro plan, February 2028: 1 = 20.00']],
    ])
  })

  it('charge a downgrade that was revoked as if it had never been chosen', async () => {
    await using workspace = await workspaceAt('2028-01-01T00:00:00.000')
    await workspace.choose('pro')
    await workspace.choose('free')
    await workspace.go('2028-01-31T23:59:59.999')
    assert.equal(await workspace.choose('pro'), 'pro')
    await workspace.go('2028-02-01T00:06:00.000')
    await workspace.go('2028-03-01T00:06:00.000')
    assert.deepEqual(shown(await workspace.invoices()), [
      ['20.00', ['Pro plan, January 2028: 1 = 20.00']],
      ['20.00', ['Pro plan, February 2028: 1 = 20.00']],
      ['20.00', ['Pro plan, March 2028: 1 = 20.00']],
    ])
  })
})
