import assert from 'node:assert/strict'
import { addCounts, type Histogram, intervalOf, percentilesOf } from './histogram.ts'

const histogramOf = (durations: readonly number[]): Histogram => {
  const counts: Histogram = new Map()
  for (const ms of durations) addCounts(counts, new Map([[intervalOf(ms), 1]]))
  return counts
}

describe('histogram of latencies', () => {
  it('returns each duration with an error of at most 5 %, and of at most 1 ms below 20 ms', () => {
    for (let ms = 0; ms < 400 * 86_400_000; ms = Math.ceil(ms * 1.013 + 1)) {
      const { p50 } = percentilesOf(histogramOf([ms]))
      const max = Math.max(1, 0.05 * ms)
      if (ms <= 366 * 86_400_000) assert.ok(p50 !== null && Math.abs(p50 - ms) <= max, `${ms} ms is ${p50} ms`)
    }
  })

  it('has few intervals', () => {
    assert.equal(intervalOf(0), 0)
    assert.ok(intervalOf(Number.MAX_SAFE_INTEGER) < 350)
  })

  it('returns percentiles by the nearest rank, and null without durations', () => {
    assert.deepEqual(percentilesOf(new Map()), { count: 0, p50: null, p95: null, p99: null })
    const durations = Array.from({ length: 100 }, (_, index) => (index + 1) * 1_000)
    const { count, ...found } = percentilesOf(histogramOf(durations))
    assert.equal(count, 100)
    for (const [name, exact] of Object.entries({ p50: 50_000, p95: 95_000, p99: 99_000 })) {
      const value = found[name as keyof typeof found] ?? 0
      assert.ok(Math.abs(value - exact) <= 0.05 * exact, `${name} is ${value}`)
    }
  })
})
