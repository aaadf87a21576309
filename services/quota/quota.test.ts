import assert from 'node:assert/strict'
import { quotaClient, quotaHandlers } from '@postrider/adapters/grpc/quota.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { quotaWire } from '@postrider/contracts/wire.ts'
import type { Allowance } from '@postrider/domain/quota/quota.ts'
import { newAllowance, standingOf } from '@postrider/domain/quota/quota.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { encodedCalls } from '../../test/support/encodedCalls.ts'
import { quotaService } from './quota.ts'

const at = '2026-11-21T12:00:00.000Z'
const history = [{ date: '2026-11-21', sends: 7 }]

/** A ledger that has used so much, whatever happens. */
const rig = (over: Partial<Allowance>, used = { month: 0, day: 0 }) => {
  let allowance: Allowance = { ...newAllowance, ...over }
  const entries: AuditEntry[] = []
  const calls: unknown[] = []
  const ledger: Ledger = {
    reserve: async (entry) => {
      calls.push(['reserve', entry])
      return { ...standingOf(allowance, used), token: 'token' }
    },
    commit: async (entry) => void calls.push(['commit', entry]),
    release: async (entry) => void calls.push(['release', entry]),
    pending: async (...asked) => {
      calls.push(['pending', ...asked])
      return [{ workspace: 'ws_1', id: 'em_1', count: 2, at: Date.parse(at), token: 'token' }]
    },
    settle: async (...asked) => {
      calls.push(['settle', ...asked])
      return true
    },
    usage: async () => ({ ...standingOf(allowance, used), history }),
    recount: async () => ({ used: 0, days: {} }),
    allowance: async () => allowance,
    setAllowance: async (_workspace, change) => {
      allowance = { ...allowance, ...change }
      return allowance
    },
  }
  const audit = { record: async (entry: AuditEntry) => void entries.push(entry) }
  return { quota: quotaService({ ledger, now: () => Date.parse(at), audit }), entries, calls }
}

const reservation = { workspace: 'ws_1', id: 'em_1', count: 2, at: Date.parse(at) }

describe('a reservation', () => {
  for (const [what, over, used, expected] of [
    ['the day, where less of it is left', {}, { month: 50, day: 50 }, ['day', 100, 50, '2026-11-22T00:00:00.000Z']],
    [
      'the month, where less of it is left',
      {},
      { month: 2990, day: 5 },
      ['month', 3000, 10, '2026-12-01T00:00:00.000Z'],
    ],
    [
      'the month, where as little is left',
      {},
      { month: 3000, day: 100 },
      ['month', 3000, 0, '2026-12-01T00:00:00.000Z'],
    ],
    [
      'the day, where the month has no limit',
      { monthly: null },
      { month: 9, day: 9 },
      ['day', 100, 91, '2026-11-22T00:00:00.000Z'],
    ],
    [
      'the month, where the day has no limit',
      { daily: null },
      { month: 9, day: 9 },
      ['month', 3000, 2991, '2026-12-01T00:00:00.000Z'],
    ],
    ['Pro’s month', { plan: 'pro' }, { month: 9, day: 9 }, ['month', 50000, 49991, '2026-12-01T00:00:00.000Z']],
    [
      'nothing left past Pro’s month, which goes on',
      { plan: 'pro' },
      { month: 50_001, day: 9 },
      ['month', 50000, 0, '2026-12-01T00:00:00.000Z'],
    ],
  ] as const)
    it(`tells ${what}`, async () => {
      const { token, standing } = await rig(over, used).quota.Reserve(reservation)
      const [period, limit, remaining, resetsAt] = expected
      assert.equal(token, 'token')
      assert.deepEqual(standing, { period, limit, remaining, resetsAt: Date.parse(resetsAt) })
    })

  it('tells of no limit where there is none', async () => {
    const reply = await rig({ monthly: null, daily: null }).quota.Reserve(reservation)
    assert.deepEqual(reply, { token: 'token', standing: null })
  })

  it('is made, committed and released at the time of acceptance, not of the call', async () => {
    const { quota, calls } = rig({})
    const entry = { ...reservation, at: Date.parse('2026-10-31T23:59:59.999Z') }
    await quota.Reserve(entry)
    await quota.Commit({ ...entry, token: 't' })
    await quota.Release({ workspace: 'ws_1', id: 'em_1', recipients: [0], at: entry.at })
    assert.deepEqual(calls, [
      ['reserve', entry],
      ['commit', { ...entry, token: 't' }],
      ['release', { workspace: 'ws_1', id: 'em_1', recipients: [0], at: entry.at }],
    ])
  })
})

describe('a reservation without a line', () => {
  const pending = { ...reservation, token: 'token' }

  it('is listed as it was made', async () => {
    const { quota, calls } = rig({})
    assert.deepEqual(await quota.ListPending({ before: Date.parse(at), limit: 7 }), [pending])
    assert.deepEqual(calls, [['pending', Date.parse(at), 7]])
  })

  it('is settled by what its email is', async () => {
    const { quota, calls } = rig({})
    assert.equal(await quota.Settle({ pending, there: false }), true)
    assert.deepEqual(calls, [['settle', pending, false]])
  })
})

describe('usage', () => {
  it('on Free has limits, and no overage', async () => {
    const { quota } = rig({}, { month: 120, day: 7 })
    assert.deepEqual(await quota.GetUsage({ workspace: 'ws_1', at }), {
      plan: 'free',
      period_start: '2026-11-01T00:00:00.000Z',
      period_end: '2026-12-01T00:00:00.000Z',
      monthly: { limit: 3000, used: 120, remaining: 2880 },
      daily: { limit: 100, used: 7, remaining: 93 },
      daily_resets_at: '2026-11-22T00:00:00.000Z',
      overage_allowed: false,
      overage_sends: 0,
      overage_blocks: 0,
      overage_amount_usd: '0.00',
      overrides: { monthly: 'plan', daily: 'plan' },
      history,
    })
  })

  for (const [used, sends, blocks, amount] of [
    [50_000, 0, 0, '0.00'],
    [50_001, 1, 1, '1.00'],
    [51_000, 1000, 1, '1.00'],
    [51_001, 1001, 2, '2.00'],
  ] as const)
    it(`on Pro counts each started thousand past 50,000: ${used} cost ${amount}`, async () => {
      const { quota } = rig({ plan: 'pro', spendingCapUsd: 12.5 }, { month: used, day: 0 })
      const usage = await quota.GetUsage({ workspace: 'ws_1', at: '' })
      assert.deepEqual([usage.overage_allowed, usage.overage_cap_usd], [true, '12.50'])
      assert.deepEqual([usage.overage_sends, usage.overage_blocks, usage.overage_amount_usd], [sends, blocks, amount])
      assert.deepEqual(usage.daily, { used: 0 })
      assert.equal(usage.monthly?.remaining, Math.max(50_000 - used, 0))
    })

  for (const [time, start, end, day] of [
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01', '2027-01-01'],
    ['2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01', '2028-03-01'],
    ['2026-03-29T02:30:00.000+01:00', '2026-03-01', '2026-04-01', '2026-03-30'],
  ] as const)
    it(`of ${time} is of its UTC month and day`, async () => {
      const usage = await rig({}).quota.GetUsage({ workspace: 'ws_1', at: time })
      const midnight = 'T00:00:00.000Z'
      assert.deepEqual(
        [usage.period_start, usage.period_end, usage.daily_resets_at],
        [start + midnight, end + midnight, day + midnight],
      )
    })
})

describe('limits', () => {
  it('are overridden one by one, with a number, with none, or back to the plan’s', async () => {
    const { quota, entries } = rig({})
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', monthly: '0' }), { monthly: '0', daily: 'plan' })
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', daily: 'none' }), { monthly: '0', daily: 'none' })
    assert.deepEqual(await quota.SetLimits({ workspace: 'ws_1', monthly: 'plan' }), { monthly: 'plan', daily: 'none' })
    assert.deepEqual(await quota.GetLimits({ workspace: 'ws_1' }), { monthly: 'plan', daily: 'none' })
    assert.deepEqual(
      entries.map(({ actor, action, detail }) => [actor, action, detail]),
      [
        ['operator', 'workspace.limits', { monthly: 0 }],
        ['operator', 'workspace.limits', { daily: null }],
        ['operator', 'workspace.limits', { monthly: 'plan' }],
      ],
    )
  })

  it('take a spending cap in whole cents, which is the owner’s affair, not the operator’s', async () => {
    const { quota, entries } = rig({ plan: 'pro' })
    await quota.SetLimits({ workspace: 'ws_1', spending_cap_usd: '12.34' })
    assert.equal((await quota.GetUsage({ workspace: 'ws_1', at })).overage_cap_usd, '12.34')
    await quota.SetLimits({ workspace: 'ws_1', spending_cap_usd: 'none' })
    assert.equal('overage_cap_usd' in (await quota.GetUsage({ workspace: 'ws_1', at })), false)
    assert.deepEqual(entries, [])
  })

  it('that are none change nothing, and every problem is named', async () => {
    const { quota } = rig({})
    const thrown = await quota
      .SetLimits({ workspace: 'ws_1', monthly: '-1', daily: '1.5', plan: 'gold', spending_cap_usd: '1.005' })
      .catch((reason: unknown) => reason)
    assert(thrown instanceof Fault)
    assert.deepEqual(
      thrown.problems.map(({ path, code }) => `${path} ${code}`),
      ['limits.monthly', 'limits.daily', 'plan', 'spending_cap_usd'].map((path) => `${path} invalid_value`),
    )
    assert.deepEqual(await quota.GetLimits({ workspace: 'ws_1' }), { monthly: 'plan', daily: 'plan' })
  })
})

describe('over a wire', () => {
  const far = 1_000_000_000_000
  const month = { workspace: 'ws_1', at }
  const asked: [what: string, ask: (quota: Quota) => Promise<unknown>, over?: Partial<Allowance>][] = [
    ['a reservation', (quota) => quota.Reserve(reservation)],
    ['a reservation without limits', (quota) => quota.Reserve(reservation), { monthly: null, daily: null }],
    ['a reservation under a limit that 32 bits don’t hold', (quota) => quota.Reserve(reservation), { monthly: far }],
    ['pending reservations', (quota) => quota.ListPending({ before: Date.parse(at), limit: 500 })],
    ['usage on Free', (quota) => quota.GetUsage(month)],
    ['usage on Pro with a cap', (quota) => quota.GetUsage(month), { plan: 'pro', spendingCapUsd: 0.1 }],
    ['usage without limits', (quota) => quota.GetUsage(month), { monthly: null, daily: null }],
    ['usage under a limit of none', (quota) => quota.GetUsage(month), { monthly: 0, daily: 0 }],
    ['limits', (quota) => quota.GetLimits({ workspace: 'ws_1' }), { monthly: far, daily: null }],
    ['a change of one limit', (quota) => quota.SetLimits({ workspace: 'ws_1', daily: '7' })],
    ['what is settled', (quota) => quota.Settle({ pending: { ...reservation, token: 'token' }, there: true })],
  ]
  for (const [what, ask, over = {}] of asked)
    it(`${what} is asked and answered as without one`, async () => {
      const used = { month: 5_000_000_000, day: 7 }
      const [near, away] = [rig(over, used), rig(over, used)]
      const remote = quotaClient(encodedCalls(quotaWire, quotaHandlers(away.quota)))
      assert.deepEqual(await ask(remote), await ask(near.quota))
      assert.deepEqual(away.calls, near.calls)
    })
})
