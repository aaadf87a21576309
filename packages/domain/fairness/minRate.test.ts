import assert from 'node:assert/strict'
import { dueAfter, firstDueAt, isBodyLate, minRate, minRateOfBody } from './minRate.ts'

const { bytesPerSecond } = minRate

/** Returns how many milliseconds a client is ahead of the minimum rate, after bytes at several times. */
const spareMs = (sent: readonly [at: number, bytes: number][], now: number, rate = minRate): number =>
  sent.reduce((dueAt, [at, bytes]) => dueAfter(dueAt, bytes, at, rate), firstDueAt(0, rate)) - now

const everySecond = (bytes: number): [number, number][] => Array.from({ length: 60 }, (_, at) => [at * 1_000, bytes])

describe('minimum rate', () => {
  it('is kept by a client that sends as much on average, and for 5 s by any', () => {
    assert.ok(spareMs(everySecond(bytesPerSecond), 60_000) >= 0)
    assert.ok(spareMs([], 4_999) > 0)
  })

  it('is not kept by a client that sends less, however steadily', () => {
    assert.ok(spareMs(everySecond(bytesPerSecond / 2), 60_000) < 0)
    assert.ok(spareMs(everySecond(1), 60_000) < 0)
  })

  it('is not kept by a client that stops after much', () => {
    assert.ok(spareMs([[0, 100 * 2 ** 20]], 5_001) < 0)
  })

  it('depends on the length of a body that has its memory before it arrives', () => {
    const long = minRateOfBody(15 * 2 ** 20)
    assert.ok(spareMs(everySecond(2 ** 20), 60_000, long) >= 0)
    assert.ok(spareMs(everySecond(100 * 1_024), 60_000, long) < 0)
    assert.ok(spareMs([[0, 10 * 2 ** 20]], 1_001, long) < 0)
    assert.equal(minRateOfBody(100_000).bytesPerSecond, bytesPerSecond)
  })

  it('refuses a body for which the service has waited for 30 s', () => {
    assert.deepEqual([29_999, 30_000].map(isBodyLate), [false, true])
  })
})
