import assert from 'node:assert/strict'
import { platformWorkspace } from '../domains/domain.ts'
import { recipientStatuses } from '../email/status.ts'
import { hourMs } from '../time.ts'
import {
  affectsReputation,
  assess,
  type HourOfOutcomes,
  hourOf,
  type Reputation,
  reputationCounts,
} from './reputation.ts'

const now = Date.UTC(2026, 10, 21, 12, 30)

const hour = (over: Partial<HourOfOutcomes>): HourOfOutcomes => ({
  at: hourOf(now),
  delivered: 0,
  bounced: 0,
  complained: 0,
  ...over,
})

const rises = (hours: HourOfOutcomes[], before: Reputation = {}): string[] =>
  assess(before, hours, now).rises.map(({ metric, window, level }) => `${metric} ${window} ${level}`)

const both = (metric: string, level: string) => [`${metric} 24h ${level}`, `${metric} 30d ${level}`]

describe('counts for the reputation', () => {
  const none = { delivered: 0, bounced: 0, complained: 0 }
  const counted: Partial<Record<string, object>> = {
    delivered: { delivered: 1 },
    bounced: { bounced: 1 },
    complained: { delivered: 1, complained: 1 },
  }
  for (const status of recipientStatuses)
    it(`count a recipient that is ${status} as ${JSON.stringify(counted[status] ?? 'nothing')}`, () =>
      assert.deepEqual(reputationCounts([{ status }]), { ...none, ...counted[status] }))

  it('leave out test mail and system mail', () => {
    assert.equal(affectsReputation({ mode: 'live', workspace: 'ws_1' }), true)
    assert.equal(affectsReputation({ mode: 'test', workspace: 'ws_1' }), false)
    assert.equal(affectsReputation({ mode: 'live', workspace: platformWorkspace }), false)
  })
})

describe('reputation', () => {
  const cases: [name: string, counts: Partial<HourOfOutcomes>, expected: string[]][] = [
    ['99 deliveries are too few', { delivered: 99, bounced: 50 }, []],
    ['a bounce rate below 2 %', { delivered: 9_801, bounced: 199 }, []],
    ['a bounce rate of 2 %', { delivered: 9_800, bounced: 200 }, both('bounce', 'warning')],
    ['a bounce rate below 5 %', { delivered: 9_501, bounced: 499 }, both('bounce', 'warning')],
    ['a bounce rate of 5 %', { delivered: 9_500, bounced: 500 }, both('bounce', 'critical')],
    ['nothing but bounces', { bounced: 100 }, both('bounce', 'critical')],
    ['a complaint rate below 0.1 %', { delivered: 10_000, complained: 9 }, []],
    ['a complaint rate of 0.1 %', { delivered: 10_000, complained: 10 }, both('complaint', 'warning')],
    ['a complaint rate of 0.5 %', { delivered: 10_000, complained: 50 }, both('complaint', 'critical')],
  ]
  for (const [name, counts, expected] of cases) {
    it(`${name}: ${expected.join(', ') || 'no rise'}`, () => {
      assert.deepEqual(rises([hour(counts)]), expected)
    })
  }

  it('is that of the last 24 hours and of the last 30 days', () => {
    const bounces = { delivered: 900, bounced: 100 }
    const earlier = (hours: number) => hour({ at: hourOf(now) - hours * hourMs, ...bounces })
    assert.deepEqual(rises([earlier(24)]), both('bounce', 'critical'))
    assert.deepEqual(rises([earlier(25)]), ['bounce 30d critical'])
    assert.deepEqual(rises([earlier(30 * 24)]), ['bounce 30d critical'])
    assert.deepEqual(rises([earlier(30 * 24 + 1)]), [])
  })

  it('rises once while a rate varies around its limit, and again after it fell below 80 % of it', () => {
    let reputation: Reputation = {}
    const step = (bounced: number): number => {
      const assessed = assess(reputation, [hour({ delivered: 10_000 - bounced, bounced })], now)
      reputation = assessed.reputation
      return assessed.rises.length
    }
    assert.deepEqual(
      [200, 199, 201, 161, 200].map((bounced) => step(bounced)),
      [2, 0, 0, 0, 0],
    )
    assert.deepEqual(
      [159, 161, 199, 200].map((bounced) => step(bounced)),
      [0, 0, 0, 2],
    )
    assert.deepEqual(
      [500, 401, 499, 500].map((bounced) => step(bounced)),
      [2, 0, 0, 0],
    )
    assert.deepEqual(
      [399, 499, 500].map((bounced) => step(bounced)),
      [0, 0, 2],
    )
    assert.equal(reputation['bounce 24h']?.rises, 4)
  })

  it('numbers the rises of a rate, so that each has its own id', () => {
    const bad = [hour({ delivered: 98, bounced: 100 })]
    const [first] = assess({}, bad, now).rises
    assert.deepEqual([first?.number, first?.ratePercent, first?.limitPercent], [1, 50.51, 5])
    const before: Reputation = { 'bounce 24h': { level: 'good', rises: 3 } }
    const [again] = assess(before, bad, now).rises
    assert.equal(again?.number, 4)
  })

  it('is empty for a workspace that never had a problem', () => {
    assert.deepEqual(assess({}, [hour({ delivered: 1_000 })], now), { reputation: {}, rises: [] })
  })
})
