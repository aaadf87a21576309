import assert from 'node:assert/strict'
import { newDelivery, type WebhookDelivery } from './delivery.ts'
import {
  type AttemptResult,
  afterAttempt,
  endsInLease,
  isSuccess,
  maxRequestMs,
  retryDelaysMs,
  writeMs,
} from './schedule.ts'

const event = { id: 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n', type: 'email.delivered' as const, at: 0, mode: 'live' as const }
const delivery = (over: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...newDelivery({ id: 'whk_1', workspace: 'ws_1' }, event, 0),
  ...over,
})

const answer = (status: number | null, over: Partial<AttemptResult> = {}): AttemptResult => ({
  at: 0,
  durationMs: 5,
  status,
  error: status === null ? 'the host refused the connection' : null,
  response: null,
  ...over,
})

describe('schedule of webhooks', () => {
  it('makes eight attempts over 27 h 35 min 5 s', () => {
    const times: number[] = []
    let current = delivery()
    for (let now = 0; ; now = current.nextAt ?? 0) {
      times.push(now)
      const decided = afterAttempt({ delivery: current }, answer(500), { now, random: 0 })
      current = decided.delivery
      if (decided.outcome === 'exhausted') break
    }
    assert.deepEqual(times, [0, 5_000, 305_000, 2_105_000, 9_305_000, 27_305_000, 63_305_000, 99_305_000])
    assert.deepEqual([current.status, current.reason, current.nextAt, current.tries], ['failed', 'exhausted', null, 8])
  })

  for (const [tries, random, wait] of [
    [0, 0, 5_000],
    [0, 0.5, 5_250],
    [1, 1, 330_000],
    [6, 0.999, 39_596_400],
  ] as const)
    it(`waits ${wait} ms after failure ${tries + 1} with the random number ${random}`, () => {
      const decided = afterAttempt({ delivery: delivery({ tries }) }, answer(503), { now: 1_000, random })
      assert.equal(decided.delivery.nextAt, 1_000 + wait)
    })

  for (const [retryAfterMs, wait] of [
    [1_000, 5_000],
    [60_000, 60_000],
    [36_000_001, 36_000_000],
    [Number.MAX_SAFE_INTEGER, 36_000_000],
  ] as const)
    it(`waits ${wait} ms if the receiver requests ${retryAfterMs}`, () => {
      const decided = afterAttempt({ delivery: delivery() }, answer(429, { retryAfterMs }), { now: 0, random: 0 })
      assert.equal(decided.delivery.nextAt, wait)
    })

  for (const [status, outcome] of [
    [200, 'delivered'],
    [201, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [100, 'retry'],
    [199, 'retry'],
    [301, 'retry'],
    [304, 'retry'],
    [400, 'retry'],
    [404, 'retry'],
    [410, 'gone'],
    [500, 'retry'],
    [null, 'retry'],
  ] as const)
    it(`counts ${status ?? 'no response'} as ${outcome}`, () => {
      const decided = afterAttempt({ delivery: delivery() }, answer(status), { now: 7, random: 0 })
      assert.equal(decided.outcome, outcome)
      assert.equal(isSuccess(status), outcome === 'delivered')
      assert.equal(decided.delivery.endedAt, outcome === 'retry' ? null : 7)
    })

  it('makes one attempt for a test event', () => {
    const decided = afterAttempt({ delivery: delivery({ isTest: true }) }, answer(500), { now: 0, random: 0 })
    assert.equal(decided.outcome, 'exhausted')
  })

  it('stores the last response completely and shortens earlier ones', () => {
    const response = { body: 'ü'.repeat(2_048), isCut: false }
    let current = delivery()
    for (let count = 0; count < 30; count++) {
      const made = { ...current, tries: count % retryDelaysMs.length }
      current = afterAttempt({ delivery: made }, answer(500, { at: count, response }), { now: 0, random: 0 }).delivery
    }
    assert.equal(current.attempts.length, 20)
    assert.deepEqual(current.attempts.at(-1)?.response, response)
    assert.deepEqual(current.attempts.at(-2)?.response, { body: 'ü'.repeat(128), isCut: true })
    assert.ok(JSON.stringify(current).length < 12_000)
  })
})

describe('request of a webhook', () => {
  it('begins only if it ends, with the write of its outcome, before the lease does', () => {
    const lastMs = maxRequestMs + writeMs
    assert.equal(endsInLease(1_000, 1_000 + lastMs), true)
    assert.equal(endsInLease(1_001, 1_000 + lastMs), false)
  })
})
