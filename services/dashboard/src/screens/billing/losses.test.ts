import assert from 'node:assert/strict'
import { lossesOf } from './losses.ts'

const usage = (used: number, days: readonly number[], allowed = true) => ({
  monthly: { limit: 50_000, used, remaining: null },
  daily: { limit: null, used: 0, remaining: null, resets_at: '2026-11-24T00:00:00.000Z' },
  overage: { allowed, sends: 0, blocks: 0, amount_usd: '0.00', cap_usd: null },
  history: days.map((sends, day) => ({ date: `2026-11-0${day + 1}`, sends })),
})
const free = { name: 'Free', overage: null }

describe('losses of a downgrade', () => {
  it('are compared with the use of this month', () => {
    assert.deepEqual(lossesOf(usage(4_200, [101, 100, 3_999]), { monthly: 3_000, daily: 100 }, free), [
      'At most 3,000 sends a month. This month you used 4,200 so far: 1,200 more.',
      'At most 100 sends a day. 2 days of this month had more.',
      'Sends beyond the quota are refused, not charged.',
    ])
    assert.deepEqual(lossesOf(usage(12, [12]), { monthly: 3_000, daily: 100 }, free).slice(0, 2), [
      'At most 3,000 sends a month. This month you used 12 so far.',
      'At most 100 sends a day. No day of this month had more.',
    ])
  })

  it('are none where the operator set the limits', () => {
    assert.deepEqual(lossesOf(usage(4_200, [], false), { monthly: 50_000, daily: null }, free), [
      'Nothing: the limits of this workspace are the same on Free.',
    ])
  })
})
