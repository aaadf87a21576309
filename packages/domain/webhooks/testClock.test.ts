import assert from 'node:assert/strict'
import { madeAgain, newDelivery, type WebhookDelivery } from './delivery.ts'
import { afterAttempt, retryDelaysMs } from './schedule.ts'
import { attemptTime, followingDelivery, onClock, outcomeTime, requestedOnClock, shownNextAt } from './testClock.ts'

const now = Date.UTC(2026, 10, 22, 12)
const hourMs = 3_600_000
const failed = { durationMs: 7, status: 500, error: null, response: null }

const event = { id: 'evt_01m7yr6cabfzvahf8pz72f0kb4', type: 'email.bounced', at: now, mode: 'test' } as const
const webhookDelivery = (endpoint: string, over: Partial<WebhookDelivery>): WebhookDelivery => ({
  ...newDelivery({ id: endpoint, workspace: 'ws_1' }, event, now),
  ...over,
})

describe('a delivery on a test clock', () => {
  it('makes its attempts at the times of the schedule, whenever they are made', () => {
    const clock = { offset: 60 * hourMs, movedAt: now - 1 }
    const moved = { at: now - 5, clockAt: now - 5 + 20 * hourMs, mode: 'test' as const }
    let delivery = onClock(webhookDelivery('wh_1', { mode: 'test', nextAt: now, createdAt: now }), moved, clock)
    const wanted = [moved.clockAt]
    for (const delayMs of retryDelaysMs) wanted.push((wanted.at(-1) ?? 0) + delayMs)
    for (let tries = 0; tries < wanted.length; tries++)
      delivery = afterAttempt(
        { delivery },
        { at: now + tries, ...failed },
        { now: now + tries + 1, random: 0 },
      ).delivery
    assert.deepEqual(
      delivery.attempts.map(({ at }) => at),
      wanted,
    )
    assert.deepEqual(
      delivery.attempts.map(({ sentAt }) => sentAt),
      wanted.map((_, index) => now + index),
    )
    assert.deepEqual([delivery.status, delivery.endedAt], ['failed', wanted.at(-1)])
  })

  it('keeps its displayed time when its clock is moved', () => {
    const delivery = webhookDelivery('wh_1', { mode: 'test', nextAt: now + hourMs })
    const moved = followingDelivery(followingDelivery(delivery, 2 * hourMs), 3 * hourMs)
    assert.deepEqual([shownNextAt(moved), moved.nextAt], [now + hourMs, now - 2 * hourMs])
    assert.equal(attemptTime(moved, now), now - 2 * hourMs)
    assert.deepEqual(followingDelivery({ ...delivery, nextAt: null }, 5).nextAt, null)
  })

  it('is unchanged for live events and without a moved clock', () => {
    const delivery = webhookDelivery('wh_1', { nextAt: now })
    const clock = { offset: hourMs, movedAt: now }
    assert.equal(onClock(delivery, { at: now, mode: 'live' }, clock), delivery)
    assert.equal(onClock(delivery, { at: now, mode: 'test' }, undefined), delivery)
    assert.equal(onClock(delivery, { at: now, clockAt: now, mode: 'live' }, clock), delivery)
    assert.equal(requestedOnClock({ ...delivery, mode: 'live' }, clock).clockOffset, undefined)
    assert.deepEqual([shownNextAt(delivery), attemptTime(delivery, now + 5)], [now, now + 5])
  })

  it('is due at the time of its event by the clock, even if the event has no such time', () => {
    const clock = { offset: 5 * hourMs, movedAt: now - 1_000 }
    const timesOf = (at: number, clockAt?: number) => {
      const one = onClock(webhookDelivery('wh_1', {}), { at, mode: 'test', ...(clockAt && { clockAt }) }, clock)
      return [shownNextAt(one), one.nextAt, one.createdAt]
    }
    // An event before the move; one after it, such as that of a disabled webhook; one of mail on the clock.
    assert.deepEqual(timesOf(now - 1_001), [now - 1_001, now - 1_001 - 5 * hourMs, now - 1_001])
    assert.deepEqual(timesOf(now - 1_000), [now - 1_000 + 5 * hourMs, now - 1_000, now - 1_000 + 5 * hourMs])
    assert.deepEqual(timesOf(now, now + hourMs), [now + hourMs, now - 4 * hourMs, now + hourMs])
  })

  it('has the whole schedule from now on if a person requested it again', () => {
    const before = webhookDelivery('wh_1', { status: 'failed', nextAt: null, clockOffset: hourMs })
    let delivery = requestedOnClock(madeAgain(before, now), { offset: 60 * hourMs, movedAt: 0 })
    assert.deepEqual([delivery.nextAt, shownNextAt(delivery)], [now, now + 60 * hourMs])
    delivery = afterAttempt({ delivery }, { at: now + 3, ...failed }, { now: now + 4, random: 0 }).delivery
    assert.deepEqual([delivery.nextAt, delivery.attempts[0]?.at], [now + (retryDelaysMs[0] ?? 0), now + 60 * hourMs])
  })

  it('counts for the rules that disable an endpoint only where no live events arrive', () => {
    const delivery = webhookDelivery('wh_1', {
      clockOffset: hourMs,
      attempts: [{ at: now + hourMs, durationMs: 1, statusCode: 500, error: null, response: null }],
    })
    const timeFor = (mode: 'live' | 'test' | null) => outcomeTime({ mode }, delivery, now)
    assert.deepEqual([timeFor('test'), timeFor('live'), timeFor(null)], [now + hourMs, now, now])
  })
})
