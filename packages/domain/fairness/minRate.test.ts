import assert from 'node:assert/strict'
import { dueAfter, firstDueAt, minBytesPerSecond } from './minRate.ts'

/** Returns how many milliseconds a client is ahead of the minimum rate, after bytes at several times. */
const spareMs = (sent: readonly [at: number, bytes: number][], now: number): number =>
  sent.reduce((dueAt, [at, bytes]) => dueAfter(dueAt, bytes, at), firstDueAt(0)) - now

const everySecond = (bytes: number): [number, number][] => Array.from({ length: 60 }, (_, at) => [at * 1_000, bytes])

describe('minimum rate', () => {
  it('is kept by a client that sends as much on average, and for 5 s by any', () => {
    assert.ok(spareMs(everySecond(minBytesPerSecond), 60_000) >= 0)
    assert.ok(spareMs([], 4_999) > 0)
  })

  it('is not kept by a client that sends less, however steadily', () => {
    assert.ok(spareMs(everySecond(minBytesPerSecond / 2), 60_000) < 0)
    assert.ok(spareMs(everySecond(1), 60_000) < 0)
  })

  it('is not kept by a client that stops after much', () => {
    assert.ok(spareMs([[0, 100 * 2 ** 20]], 5_001) < 0)
  })
})
