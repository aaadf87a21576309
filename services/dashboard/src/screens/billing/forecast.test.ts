import assert from 'node:assert/strict'
import { forecastOf, maxSends } from './forecast.ts'

const period = { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' }
const pro = { overage: { per: 1_000, price_usd: '1.00' } }
const free = { overage: null }

const usage = (limit: number | null, used: number, cap_usd: string | null = null) => ({
  period,
  monthly: { limit, used, remaining: null },
  overage: { allowed: true, sends: 0, blocks: 0, amount_usd: '0.00', cap_usd },
})

/** The half of the month. */
const half = Date.UTC(2026, 10, 16)

describe('forecast of a month', () => {
  it('continues the sends so far to the end of the month', () => {
    assert.deepEqual(forecastOf(usage(50_000, 10_000), pro, half), {
      sends: 20_000,
      overage: 0,
      cents: 0,
      refusedFrom: null,
    })
    assert.equal(forecastOf(usage(null, 7), free, half)?.sends, 14)
  })

  it('a forecast prices each started block', () => {
    const forecast = forecastOf(usage(50_000, 25_001), pro, half)
    assert.deepEqual([forecast?.overage, forecast?.cents], [2, 100])
  })

  it('ends at the quota of a plan without overage, and names the time', () => {
    const forecast = forecastOf(usage(3_000, 2_000), free, half)
    assert.deepEqual([forecast?.sends, forecast?.overage], [3_000, 0])
    assert.equal(new Date(forecast?.refusedFrom ?? 0).toISOString(), '2026-11-23T12:00:00.000Z')
  })

  it('ends at the spending cap', () => {
    const forecast = forecastOf(usage(50_000, 40_000, '2.50'), pro, half)
    assert.deepEqual([forecast?.sends, forecast?.cents], [52_000, 200])
    assert.ok((forecast?.refusedFrom ?? 0) > half)
  })

  it('is never less than what was sent, even where a cap was lowered', () => {
    const forecast = forecastOf(usage(50_000, 53_500, '2.00'), pro, half)
    assert.deepEqual([forecast?.sends, forecast?.cents, forecast?.refusedFrom], [53_500, 400, null])
  })

  it('there is no forecast without a full day and a send', () => {
    assert.equal(forecastOf(usage(3_000, 50), free, Date.UTC(2026, 10, 1, 23)), null)
    assert.equal(forecastOf(usage(3_000, 0), free, half), null)
  })
})

describe('most sends of a month', () => {
  it('follow the plan and whole blocks of the cap', () => {
    assert.equal(maxSends(usage(3_000, 0, '9.00'), free), 3_000)
    assert.equal(maxSends(usage(50_000, 0), pro), null)
    assert.equal(maxSends(usage(50_000, 0, '0.99'), pro), 50_000)
    assert.equal(maxSends(usage(50_000, 0, '20.00'), pro), 70_000)
    assert.equal(maxSends(usage(null, 0, '20.00'), pro), null)
  })
})
