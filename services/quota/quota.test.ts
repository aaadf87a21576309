import assert from 'node:assert/strict'
import { quotaClient, quotaHandlers } from '@postrider/adapters/grpc/quota.ts'
import { offlinePayments } from '@postrider/adapters/payments.ts'
import { type Invoice, type Quota, quotaSpec } from '@postrider/contracts/services.ts'
import { type Allowance, newAllowance } from '@postrider/domain/quota/plans.ts'
import { quotaRefusalOf, standingOf } from '@postrider/domain/quota/quota.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { BillingStore, StoredBilling } from '@postrider/ports/billing.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { encodedCalls } from '../../test/support/encodedCalls.ts'
import { quotaMetrics } from './metrics.ts'
import { quotaService } from './quota.ts'

const at = '2026-11-21T12:00:00.000Z'
const noon = Date.parse(at)
const history = [{ date: '2026-11-21', sends: 7 }]

/** A quota service whose ledger has used this many sends; reservations do not add to them. */
const rig = (over: Partial<Allowance>, used = { month: 0, day: 0 }) => {
  let allowance: Allowance = { ...newAllowance, ...over }
  const entries: AuditEntry[] = []
  const calls: unknown[] = []
  const ledger: Ledger = {
    reserve: async (entry) => {
      calls.push(['reserve', entry])
      const refusal = quotaRefusalOf(allowance, used, entry)
      if (refusal) return { kind: 'refused', refusal }
      return { kind: 'reserved', token: 'token', standing: standingOf(allowance, used) }
    },
    commit: async (entry) => void calls.push(['commit', entry]),
    release: async (entry) => void calls.push(['release', entry]),
    pending: async (...args) => {
      calls.push(['pending', ...args])
      return [{ ...reservation, token: 'token' }]
    },
    settle: async (...args) => {
      calls.push(['settle', ...args])
      return true
    },
    usage: async () => ({ ...standingOf(allowance, used), history }),
    allowance: async () => allowance,
    setAllowance: async () => assert.fail('quota changes allowances with their billing'),
    deleteAllowance: async () => assert.fail('quota deletes no allowance'),
    adjust: async () => assert.fail('no correction was requested'),
    isSettled: async () => true,
  }
  let state: Pick<StoredBilling, 'account' | 'rev'> = { account: null, rev: 0 }
  const billing: Pick<BillingStore, 'read' | 'change' | 'addLines' | 'addInvoice'> = {
    addLines: async () => {},
    addInvoice: async () => {},
    read: async () => ({ allowance, ...state }),
    change: async ({ account, rev, allowance: changed }, entry) => {
      state = { account, rev: rev + 1 }
      allowance = { ...allowance, ...changed }
      if (entry) entries.push(entry)
      return true
    },
  }
  const quota = quotaService({
    ledger,
    billing: billing as BillingStore,
    payments: offlinePayments(),
    accounts: { workspace: async () => null },
    now: () => noon,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    metrics: makeMetrics(quotaMetrics),
  })
  return { quota, entries, calls }
}

const reservation = { workspace: 'ws_1', id: 'em_1', count: 2, at: noon }

describe('reservation', () => {
  it('returns the token and the quota with the fewest sends left', async () => {
    const standing = { period: 'day', limit: 100, remaining: 93, resetsAt: Date.UTC(2026, 10, 22) }
    const { quota } = rig({}, { month: 7, day: 7 })
    assert.deepEqual(await quota.Reserve(reservation), { token: 'token', standing })
  })

  it('returns no quota when none has a limit', async () => {
    const { quota } = rig({ monthly: null, daily: null })
    assert.deepEqual(await quota.Reserve(reservation), { token: 'token', standing: null })
  })

  for (const [name, over, used, message, headers] of [
    [
      'some sends are left',
      {},
      { month: 99, day: 99 },
      'The message needs 2 sends, but the daily quota of 100 sends has 1 left; it resets at 2026-11-22T00:00:00.000Z.',
      { 'Quota-Limit': '100', 'Quota-Remaining': '1', 'Quota-Reset': '43200' },
    ],
    [
      'none is left',
      {},
      { month: 3_000, day: 0 },
      'The monthly quota of 3000 sends is used up; it resets at 2026-12-01T00:00:00.000Z.',
      { 'Quota-Limit': '3000', 'Quota-Remaining': '0', 'Quota-Reset': '820800' },
    ],
    [
      'the spending cap is reached',
      { plan: 'pro', spendingCapCents: 250 },
      { month: 52_000, day: 0 },
      'The monthly quota (with the spending cap of 2.50 USD) of 52000 sends is used up; it resets at 2026-12-01T00:00:00.000Z.',
      { 'Quota-Limit': '52000', 'Quota-Remaining': '0', 'Quota-Reset': '820800' },
    ],
  ] as const)
    it(`is refused with quota_exceeded when ${name}`, async () => {
      const { quota } = rig(over, used)
      await assert.rejects(quota.Reserve(reservation), { code: 'quota_exceeded', message, headers })
    })

  it('names the batch whose sends do not fit', async () => {
    const { quota } = rig({}, { month: 99, day: 99 })
    await assert.rejects(quota.Reserve({ ...reservation, id: 'bat_1' }), /^Fault: The batch needs 2 sends/)
  })
})

describe('usage', () => {
  it('has limits and no overage on the free plan', async () => {
    const { quota } = rig({}, { month: 120, day: 7 })
    assert.deepEqual(await quota.GetUsage({ workspace: 'ws_1', at: noon }), {
      plan: 'free',
      period_start: Date.parse('2026-11-01T00:00:00.000Z'),
      period_end: Date.parse('2026-12-01T00:00:00.000Z'),
      monthly: { limit: 3000, used: 120, remaining: 2880 },
      daily: { limit: 100, used: 7, remaining: 93 },
      daily_resets_at: Date.parse('2026-11-22T00:00:00.000Z'),
      overage_allowed: false,
      overage_sends: 0,
      overage_blocks: 0,
      overage_amount_cents: 0,
      overage_cap_cents: null,
      overrides: { monthly: 'plan', daily: 'plan', plan: 'free', spending_cap_cents: null },
      history,
    })
  })

  for (const [used, sends, blocks, amount] of [
    [50_000, 0, 0, 0],
    [50_001, 1, 1, 100],
    [51_000, 1000, 1, 100],
    [51_001, 1001, 2, 200],
  ] as const)
    it(`has an overage of ${amount} cents for ${used} sends on the pro plan`, async () => {
      const { quota } = rig({ plan: 'pro', spendingCapCents: 1_250 }, { month: used, day: 0 })
      const usage = await quota.GetUsage({ workspace: 'ws_1' })
      assert.deepEqual([usage.overage_allowed, usage.overage_cap_cents], [true, 1_250])
      assert.deepEqual([usage.overage_sends, usage.overage_blocks, usage.overage_amount_cents], [sends, blocks, amount])
      assert.deepEqual(usage.daily, { used: 0 })
      assert.equal(usage.monthly?.remaining, Math.max(50_000 - used, 0))
    })

  for (const [time, start, end, day] of [
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01', '2027-01-01'],
    ['2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01', '2028-03-01'],
    ['2026-03-29T02:30:00.000+01:00', '2026-03-01', '2026-04-01', '2026-03-30'],
  ] as const)
    it(`is that of the UTC month and day of ${time}`, async () => {
      const usage = await rig({}).quota.GetUsage({ workspace: 'ws_1', at: Date.parse(time) })
      assert.deepEqual(
        [usage.period_start, usage.period_end, usage.daily_resets_at],
        [start, end, day].map((midnight) => Date.parse(midnight)),
      )
    })
})

describe('limits', () => {
  const uncapped = { plan: 'free', spending_cap_cents: null }

  it('are overridden one by one with a number, with none, or with the plan', async () => {
    const { quota, entries } = rig({})
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', monthly: 0 }), {
      ...uncapped,
      monthly: 0,
      daily: 'plan',
    })
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', daily: null }), {
      ...uncapped,
      monthly: 0,
      daily: null,
    })
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', monthly: 'plan' }), {
      ...uncapped,
      monthly: 'plan',
      daily: null,
    })
    assert.deepEqual(await quota.GetLimits({ workspace: 'ws_1' }), { ...uncapped, monthly: 'plan', daily: null })
    assert.deepEqual(
      entries.map(({ actor, action, before, after }) => [actor, action, before, after]),
      [
        ['operator', 'workspace.limits', { monthly: 'plan' }, { monthly: 0 }],
        ['operator', 'workspace.limits', { daily: 'plan' }, { daily: null }],
        ['operator', 'workspace.limits', { monthly: 0 }, { monthly: 'plan' }],
      ],
    )
  })

  it('accept a spending cap in whole cents, with its audit entry in the same write', async () => {
    const { quota, entries } = rig({ plan: 'pro' })
    const by = { actor: 'usr_1', client_address: '203.0.113.9' }
    await quota.SetLimits({ workspace: 'ws_1', spending_cap_cents: 1_234, ...by })
    await quota.SetLimits({ workspace: 'ws_1', spending_cap_cents: 1_234, ...by })
    assert.equal((await quota.GetUsage({ workspace: 'ws_1' })).overage_cap_cents, 1_234)
    await quota.SetLimits({ workspace: 'ws_1', spending_cap_cents: null })
    assert.equal((await quota.GetUsage({ workspace: 'ws_1' })).overage_cap_cents, null)
    assert.deepEqual(
      entries.map(({ actor, clientAddress, action, target, before, after }) => [
        [actor, clientAddress, action, target],
        [before, after],
      ]),
      [
        [
          ['usr_1', '203.0.113.9', 'workspace.update', 'ws_1'],
          [{ spending_cap_usd: null }, { spending_cap_usd: 12.34 }],
        ],
        // A gateway of release 0.1 does not name the owner.
        [
          ['system', '', 'workspace.update', 'ws_1'],
          [{ spending_cap_usd: 12.34 }, { spending_cap_usd: null }],
        ],
      ],
    )
  })

  it('change nothing and return every problem if they are invalid', async () => {
    const { quota } = rig({})
    const thrown = await quota
      .SetLimits({ workspace: 'ws_1', monthly: -1, daily: 1.5, plan: 'gold', spending_cap_cents: 100.5 })
      .catch((reason: unknown) => reason)
    assert(thrown instanceof Fault)
    assert.deepEqual(
      thrown.problems.map(({ path, code }) => `${path} ${code}`),
      ['limits.monthly', 'limits.daily', 'plan', 'spending_cap_usd'].map((path) => `${path} invalid_value`),
    )
    assert.deepEqual(await quota.GetLimits({ workspace: 'ws_1' }), { ...uncapped, monthly: 'plan', daily: 'plan' })
  })
})

/** Number that needs more than 32 bits. */
const far = 1_000_000_000_000

describe('quota service over gRPC', () => {
  const month = { workspace: 'ws_1', at: noon }
  const pending = { ...reservation, token: 'token' }
  const release = { workspace: 'ws_1', id: 'em_1', recipients: [0, 3], at: noon }
  const requests: [name: string, call: (quota: Quota) => Promise<unknown>, over?: Partial<Allowance>][] = [
    ['a reservation', (quota) => quota.Reserve(reservation)],
    ['a reservation without a daily limit', (quota) => quota.Reserve(reservation), { monthly: far, daily: null }],
    ['a reservation without limits', (quota) => quota.Reserve(reservation), { monthly: null, daily: null }],
    ['a reservation under a limit past 32 bits', (quota) => quota.Reserve(reservation), { monthly: far }],
    ['a commit', (quota) => quota.Commit(pending)],
    ['a release', (quota) => quota.Release(release)],
    ['pending reservations', (quota) => quota.ListPending({ before: noon, limit: 500 })],
    ['a settlement with an email', (quota) => quota.Settle({ pending, there: true })],
    ['a settlement without an email', (quota) => quota.Settle({ pending, there: false })],
    ['usage on the free plan', (quota) => quota.GetUsage(month)],
    ['usage of now', (quota) => quota.GetUsage({ workspace: 'ws_1' })],
    ['usage on the pro plan with a cap', (quota) => quota.GetUsage(month), { plan: 'pro', spendingCapCents: 10 }],
    ['usage without limits', (quota) => quota.GetUsage(month), { monthly: null, daily: null }],
    ['usage with limits of 0', (quota) => quota.GetUsage(month), { monthly: 0, daily: 0 }],
    ['limits', (quota) => quota.GetLimits({ workspace: 'ws_1' }), { monthly: far, daily: null }],
    ['a change of one limit', (quota) => quota.SetLimits({ workspace: 'ws_1', daily: 7 })],
    ['a change of a cap', (quota) => quota.SetLimits({ workspace: 'ws_1', spending_cap_cents: 1_050, monthly: null })],
  ]
  for (const [name, call, over = {}] of requests)
    it(`has the same result and effect as in one process: ${name}`, async () => {
      const used = { month: 2_000, day: 7 }
      const [near, remote] = [rig(over, used), rig(over, used)]
      const client = quotaClient(encodedCalls(quotaSpec, quotaHandlers(remote.quota)))
      assert.deepEqual(await call(client), await call(near.quota))
      assert.deepEqual(remote.calls, near.calls)
    })

  it('has the same times and amounts of bills as in one process', async () => {
    const { quota } = rig({})
    const state = { plan: 'pro', pending_plan: 'free', changes_at: noon, payment: 'page', portal: true }
    const chosen = { plan: 'pro', payment: 'page', portal: true }
    const line = { description: 'Credit', quantity: 2, unit_cents: -250, amount_cents: -500 }
    const preview = { effect: 'downgrade', begins_at: noon, lines: [line], total_cents: -500, due_cents: 0 }
    const open: Invoice = {
      ...{
        id: 'inv_1',
        workspace: 'ws_1',
        number: 'PR-000001',
        lines: [line, line],
        total_cents: -1_000,
        status: 'open',
        reason: '',
      },
      ...{ period_start: noon - 2, period_end: noon - 1, issued_at: noon, paid_at: null },
    }
    const paid = { ...open, status: 'paid', paid_at: noon + 1 }
    const made = {
      ...{ id: 'adj_1', workspace: 'ws_1', month: '2026-11', reason: 'r', created_at: noon, replayed: false },
      amount_cents: -5,
    }
    const client = quotaClient(
      encodedCalls(
        quotaSpec,
        quotaHandlers({
          ...quota,
          GetPlan: async () => state,
          ChangePlan: async () => chosen,
          PreviewPlan: async () => preview,
          ListInvoices: async () => ({ invoices: [open, paid] }),
          GetInvoice: async () => open,
          SetInvoiceStatus: async () => paid,
          Adjust: async () => made,
        }),
      ),
    )
    const about = { workspace: 'ws_1', client_address: '' }
    const page = { ...about, email: '', return_url: '' }
    assert.deepEqual(await client.GetPlan(about), state)
    assert.deepEqual(await client.ChangePlan({ ...page, plan: 'pro', actor: 'usr_1' }), chosen)
    assert.deepEqual(await client.PreviewPlan({ ...about, plan: 'free' }), preview)
    const all = { scope: 'all', status: null, month: null, before: null, limit: 2 } as const
    assert.deepEqual((await client.ListInvoices(all)).invoices, [open, paid])
    assert.deepEqual(await client.GetInvoice({ scope: 'all', id: 'inv_1' }), open)
    assert.deepEqual(
      await client.SetInvoiceStatus({ id: 'inv_1', status: 'paid', reason: '', client_address: '' }),
      paid,
    )
    const adjustment = { ...about, reason: 'r', idempotency_key: '', fingerprint: Buffer.alloc(0) }
    assert.deepEqual(await client.Adjust(adjustment), made)
  })

  const adjustment = {
    workspace: 'ws_1',
    client_address: '',
    reason: 'r',
    idempotency_key: '',
    fingerprint: Buffer.alloc(1),
  }
  const anyInvoice = { scope: 'all', status: null, month: null, before: null, limit: 1 }
  const ofWorkspace = { scope: { workspace: 'ws_1' }, status: 'open', month: '2026-11', before: 'inv_9', limit: 2 }
  const bills: [
    method: 'ListInvoices' | 'GetInvoice' | 'PayInvoice' | 'SetInvoiceStatus' | 'Adjust',
    request: object,
  ][] = [
    ['ListInvoices', anyInvoice],
    ['ListInvoices', ofWorkspace],
    ['GetInvoice', { scope: 'all', id: 'inv_1' }],
    ['GetInvoice', { scope: { workspace: 'ws_1' }, id: 'inv_1' }],
    ['PayInvoice', { workspace: 'ws_1', id: 'inv_1', email: 'a@example.com', return_url: 'https://a.example/' }],
    ['SetInvoiceStatus', { id: 'inv_1', status: 'paid', reason: 'r', client_address: '' }],
    ['SetInvoiceStatus', { id: 'inv_1', status: 'void', reason: 'r', client_address: '' }],
    ['Adjust', { ...adjustment, sends: -5 }],
    ['Adjust', { ...adjustment, amount_cents: -123_456 }],
    ['Adjust', { ...adjustment, amount_cents: null }],
  ]
  for (const [method, request] of bills)
    it(`passes ${method} on as in one process: ${JSON.stringify(request)}`, async () => {
      let received: unknown
      const receive = async (given: object) => {
        received = given
        throw new Error('received')
      }
      const handlers = quotaHandlers({ ...rig({}).quota, [method]: receive })
      const call = quotaClient(encodedCalls(quotaSpec, handlers))[method] as (given: object) => Promise<unknown>
      await assert.rejects(call(request))
      assert.deepEqual(received, request)
    })

  it('refuses an empty workspace, which a message has for all of them', async () => {
    const client = quotaClient(encodedCalls(quotaSpec, quotaHandlers(rig({}).quota)))
    await assert.rejects(client.GetInvoice({ scope: { workspace: '' }, id: 'inv_1' }), /empty id/)
  })

  it('numbers of quotas above 32 bits survive gRPC', async () => {
    const used = { month: 5_000_000_000, day: 7 }
    const client = quotaClient(encodedCalls(quotaSpec, quotaHandlers(rig({ plan: 'pro' }, used).quota)))
    assert.deepEqual(await client.GetUsage(month), await rig({ plan: 'pro' }, used).quota.GetUsage(month))
  })
})
