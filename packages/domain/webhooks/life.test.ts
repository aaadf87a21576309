import assert from 'node:assert/strict'
import { deliveryId, deliveryIdFrom } from './delivery.ts'
import { changedEndpoint, isWanted, testEventOf, type WebhookEndpoint } from './endpoint.ts'
import { afterOutcome, nextConcurrency, nextScanAt } from './life.ts'
import type { DeliveryOutcome } from './schedule.ts'
import { signingSecrets, withNewSecret, withoutExpired } from './secrets.ts'

const [hour, day] = [3_600_000, 86_400_000]

const secret = (id: string, expiresAt: number | null = null) => ({
  id,
  sealed: { secretId: 's', box: id },
  createdAt: 0,
  expiresAt,
})

const endpoint = (over: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: 'whk_1',
  workspace: 'ws_1',
  mode: null,
  url: 'https://a.example/',
  events: [],
  description: '',
  enabled: true,
  disabledReason: null,
  secrets: [secret('a')],
  since: 0,
  failingSince: null,
  exhaustedAt: null,
  notices: [],
  createdAt: 0,
  updatedAt: 0,
  ...over,
})

/** Applies outcomes at their times, in hours. */
const after = (...outcomes: [outcome: DeliveryOutcome, hours: number][]): WebhookEndpoint =>
  outcomes.reduce(
    (current, [outcome, hours]) => afterOutcome(current, outcome, { at: hours * hour, lastSuccessAt: null }) ?? current,
    endpoint(),
  )

describe('life of an endpoint', () => {
  it('is disabled after 72 h of failures only, and not before', () => {
    assert.equal(after(['retry', 1], ['retry', 72.9]).enabled, true)
    const disabled = after(['retry', 1], ['exhausted', 30], ['retry', 73])
    assert.deepEqual([disabled.enabled, disabled.disabledReason], [false, 'failures'])
    assert.deepEqual(
      disabled.notices.map(({ kind, at }) => [kind, at / hour]),
      [
        ['exhausted', 30],
        ['disabled', 73],
      ],
    )
  })

  it('starts to count again after a success, even if the write of the success was lost', () => {
    assert.equal(after(['retry', 1], ['delivered', 50], ['retry', 60], ['retry', 100]).enabled, true)
    const failing = endpoint({ failingSince: hour })
    const next = afterOutcome(failing, 'retry', { at: 80 * hour, lastSuccessAt: 50 * hour })
    assert.deepEqual([next?.enabled, next?.failingSince], [true, 50 * hour])
  })

  it('is disabled immediately by 410', () => {
    const gone = after(['gone', 1])
    assert.deepEqual([gone.enabled, gone.disabledReason, gone.notices.length], [false, 'gone', 1])
  })

  it('reports exhausted attempts once until a success', () => {
    const kinds = (one: WebhookEndpoint) => one.notices.map(({ kind }) => kind)
    assert.deepEqual(kinds(after(['exhausted', 1], ['exhausted', 2])), ['exhausted'])
    assert.deepEqual(kinds(after(['exhausted', 1], ['delivered', 2], ['exhausted', 3])), ['exhausted', 'exhausted'])
  })

  it('is not written for the usual outcome', () => {
    assert.equal(afterOutcome(endpoint(), 'delivered', { at: 1, lastSuccessAt: null }), null)
    const failing = endpoint({ failingSince: 1 })
    assert.equal(afterOutcome(failing, 'retry', { at: 2, lastSuccessAt: null }), null)
    assert.equal(afterOutcome(endpoint({ enabled: false }), 'gone', { at: 2, lastSuccessAt: null }), null)
  })

  it('starts without failures when it is enabled or gets another URL', () => {
    const disabled = endpoint({ enabled: false, disabledReason: 'failures', failingSince: 1, exhaustedAt: 2 })
    const enabled = changedEndpoint(disabled, { enabled: true }, day)
    assert.deepEqual(
      [enabled.disabledReason, enabled.since, enabled.failingSince, enabled.exhaustedAt],
      [null, day, null, null],
    )
    const moved = changedEndpoint(endpoint({ failingSince: 1 }), { url: 'https://b.example/' }, day)
    assert.deepEqual([moved.failingSince, moved.since], [null, 0])
    assert.equal(changedEndpoint(endpoint(), { enabled: false }, day).disabledReason, 'request')
    assert.equal(changedEndpoint(disabled, { description: 'x' }, day).disabledReason, 'failures')
  })

  it('receives events of its types and mode from its creation on', () => {
    const event = { type: 'email.bounced' as const, mode: 'live' as const, at: 10 }
    const cases: [Partial<WebhookEndpoint>, boolean][] = [
      [{}, true],
      [{ events: ['email.bounced'] }, true],
      [{ events: ['email.delivered'] }, false],
      [{ mode: 'live' }, true],
      [{ mode: 'test' }, false],
      [{ since: 10 }, true],
      [{ since: 11 }, false],
    ]
    for (const [over, wanted] of cases) assert.equal(isWanted(endpoint(over), event), wanted, JSON.stringify(over))
  })
})

describe('secrets of an endpoint', () => {
  it('two sign for 24 h after a rotation, and never three', () => {
    const rotated = withNewSecret(endpoint(), secret('b'), day)
    const ids = (one: WebhookEndpoint, now: number) => signingSecrets(one, now).map(({ id }) => id)
    assert.deepEqual(ids(rotated, day), ['b', 'a'])
    assert.deepEqual(ids(rotated, 2 * day - 1), ['b', 'a'])
    assert.deepEqual(ids(rotated, 2 * day), ['b'])
    assert.deepEqual(ids(withNewSecret(rotated, secret('c'), day + 1), day + 1), ['c', 'b'])
    assert.deepEqual(
      withoutExpired(rotated, 2 * day).secrets.map(({ id }) => id),
      ['b'],
    )
  })
})

describe('concurrency limit of an endpoint', () => {
  it('grows by one with each success and halves with each failure, between 2 and 16', () => {
    assert.deepEqual([nextConcurrency(4, true), nextConcurrency(16, true)], [5, 16])
    assert.deepEqual([nextConcurrency(16, false), nextConcurrency(5, false), nextConcurrency(2, false)], [8, 2, 2])
  })
})

describe('scans of the feed', () => {
  for (const [since, found, wait] of [
    [0, 0, 30_000],
    [0, 3, 2_000],
    [999_000, 0, 3_000],
  ] as const)
    it(`are repeated after ${wait} ms with ${found} events that had no hint, since ${since}`, () =>
      assert.equal(nextScanAt({ since, found }, 1_000_000), 1_000_000 + wait))
})

describe('id of a delivery', () => {
  it('is always the same for an event and an endpoint, and sorts by the time of the event', () => {
    const event = 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n'
    const id = deliveryId('whk_1', event)
    assert.equal(id, deliveryId('whk_1', event))
    assert.notEqual(id, deliveryId('whk_2', event))
    assert.match(id, /^dlv_01jd7w3k5v[0-9a-hjkmnp-tv-z]{16}$/)
    assert.equal(deliveryIdFrom(0), 'dlv_0000000000')
    assert.equal(deliveryIdFrom(1_750_000_000_000), 'dlv_01jxt21q00')
    assert.ok(deliveryIdFrom(1_750_000_000_000) < deliveryId('whk_1', 'evt_01jxt21q00f2ya4m9x0q8r6t1n'))
    assert.ok(deliveryIdFrom(1_750_000_000_001) > deliveryId('whk_1', 'evt_01jxt21q00f2ya4m9x0q8r6t1n'))
  })
})

describe('test event', () => {
  const all = { events: [], mode: null }
  const bounced = { events: ['email.bounced' as const], mode: 'live' as const }
  const cases: [
    name: string,
    endpoint: Pick<WebhookEndpoint, 'events' | 'mode'>,
    type: string | null,
    expected: string,
  ][] = [
    ['is a delivery of test mail for an endpoint that receives everything', all, null, 'email.delivered test'],
    ['has the first type and the mode of the endpoint', bounced, null, 'email.bounced live'],
    ['has the requested type', bounced, 'email.sent', 'email.sent live'],
  ]
  for (const [name, given, requested, expected] of cases)
    it(name, () => {
      const { type, mode } = testEventOf(given, requested)
      assert.equal(`${type} ${mode}`, expected)
    })
})
