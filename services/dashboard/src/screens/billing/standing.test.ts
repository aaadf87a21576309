import assert from 'node:assert/strict'
import { standingsOf } from './standing.ts'

const pro = { overage: { per: 1_000, price_usd: '1.00' } }
const free = { overage: null }
const meter = (limit: number | null, used: number) => ({ limit, used, remaining: null })

const usage = (monthly: [number | null, number], daily: [number | null, number], cap: string | null = null) => ({
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  monthly: meter(...monthly),
  daily: { ...meter(...daily), resets_at: '2026-11-24T00:00:00.000Z' },
  overage: { allowed: cap !== 'none', sends: 0, blocks: 0, amount_usd: '0.00', cap_usd: cap === 'none' ? null : cap },
})

const shown = (known: ReturnType<typeof usage>, plan: typeof pro | typeof free) =>
  standingsOf(known, plan).map(({ name, tone, title, remedy }) => `${name} ${tone}: ${title} (${remedy})`)

describe('standing of the quotas', () => {
  it('needs no attention below 80 %', () => {
    assert.deepEqual(shown(usage([3_000, 2_399], [100, 79], 'none'), free), [])
    assert.deepEqual(shown(usage([50_000, 49_999], [null, 900]), pro), [])
    assert.deepEqual(shown(usage([null, 900_000], [null, 900], 'none'), free), [])
  })

  it('warns from 80 %, and names used-up quotas', () => {
    assert.deepEqual(shown(usage([3_000, 2_400], [100, 100], 'none'), free), [
      'month warn: The quota of this month is nearly used up (upgrade)',
      'day bad: The quota of today is used up (upgrade)',
    ])
    assert.deepEqual(shown(usage([0, 0], [null, 0], 'none'), free), [
      'month bad: The quota of this month is used up (upgrade)',
    ])
  })

  it('names the overage, and the spending cap when it is near or reached', () => {
    const used = (sends: number, cap: string | null) => shown(usage([50_000, 50_000 + sends], [null, 0], cap), pro)
    assert.deepEqual(used(0, null), ['month info: The included sends are used up (null)'])
    assert.deepEqual(used(3_999, '5.00'), ['month info: The included sends are used up (null)'])
    assert.deepEqual(used(4_000, '5.00'), ['month warn: The spending cap is nearly reached (cap)'])
    assert.deepEqual(used(5_000, '5.99'), ['month bad: The spending cap is reached (cap)'])
    assert.deepEqual(used(0, '0.50'), ['month bad: The spending cap is reached (cap)'])
  })
})
