import assert from 'node:assert/strict'
import type { ClaimRequest } from '@postrider/domain/idempotency/claim.ts'
import { dayMs } from '@postrider/domain/time.ts'
import type { IdempotencyStore, ResponseChange } from './idempotency.ts'

const leaseMs = 30_000
const [body, otherBody] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)]

const request = (over: Partial<ClaimRequest> = {}) => ({
  scope: 'ws_1 live POST /emails',
  key: 'order-1',
  fingerprint: body,
  emailId: 'em_1',
  at: 1_000,
  leaseMs,
  requestId: 'req_1',
  ...over,
})

const response = (over: Partial<Parameters<IdempotencyStore['finish']>[0]> = {}) => ({
  scope: 'ws_1 live POST /emails',
  key: 'order-1',
  emailId: 'em_1',
  status: 202,
  body: '{"id":"em_1"}',
  expiresAt: 1_000 + dayMs,
  ...over,
})

/** A page with every response. */
const all = { after: '', limit: 100 }

/** Returns a change of a response that pauses. */
const inSteps = (change: (stored: string) => string): ResponseChange =>
  function* (stored) {
    yield
    return change(stored)
  }

/** Returns the lease that a claim with this request sets. */
const leaseOf = (over: Partial<ClaimRequest> = {}) => {
  const { scope, key, requestId, at } = request(over)
  return { scope, key, requestId, leaseUntil: at + leaseMs }
}

const first = (at: number, emailId = 'em_1') =>
  ({ kind: 'claimed', emailId, acceptedAt: at, takenOver: false, leaseUntil: at + leaseMs }) as const
const takenOver = (leaseUntil: number) =>
  ({ kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: true, leaseUntil }) as const

/** Declares the tests that every idempotency store must pass. `decide` has a unit test. */
export const idempotencyConformance = (adapter: string, open: () => IdempotencyStore | Promise<IdempotencyStore>) =>
  describe(`idempotency store in ${adapter}`, () => {
    it('claims a new key with the id and time of the request', async () => {
      const keys = await open()
      const claim = await keys.claim(request())
      assert.deepEqual(claim, first(1_000))
    })

    it('returns in_flight while the first request runs', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.deepEqual(await keys.claim(request({ emailId: 'em_2', at: 1_001 })), { kind: 'in_flight' })
    })

    it('replaces the responses of an email in its workspace, and no others', async () => {
      const keys = await open()
      const all = [
        { key: 'order-1' },
        { key: 'order-2', emailId: 'em_2' },
        { scope: 'ws_1 live POST /emails/batch' },
        { scope: 'ws_12 live POST /emails' },
        { scope: 'ws_2 live POST /emails' },
      ]
      for (const over of all) {
        await keys.claim(request(over))
        await keys.finish(response({ ...over, body: 'first' }))
      }
      await keys.claim(request({ key: 'running' }))
      await keys.replaceResponses('ws_1', [{ emailId: 'em_1', change: inSteps((stored) => `${stored}, replaced`) }])
      await keys.replaceResponses('ws_1', [])
      const bodies = []
      for (const over of [...all, { key: 'running' }]) {
        const found = await keys.claim(request({ ...over, at: 2_000 }))
        bodies.push(found.kind === 'replay' ? found.body : found.kind)
      }
      assert.deepEqual(bodies, ['first, replaced', 'first', 'first, replaced', 'first', 'first', 'in_flight'])
    })

    it('changes all responses of a scope, and no others', async () => {
      const keys = await open()
      const scope = 'ws_1 live POST /emails/batch'
      const own = Array.from({ length: 25 }, (_, number) => ({ scope, key: `k${number}`, body: `own ${number}` }))
      const others = [
        { scope: 'ws_1 live POST /emails', key: 'k1', body: 'other' },
        { scope: 'ws_1 test POST /emails/batch', key: 'k1', body: 'other' },
        { scope: `${scope}es`, key: 'k1', body: 'other' },
      ]
      for (const { body, ...over } of [...own, ...others]) {
        await keys.claim(request(over))
        await keys.finish(response({ ...over, body }))
      }
      await keys.claim(request({ scope, key: 'running' }))
      await keys.changeResponses(
        scope,
        all,
        inSteps((body) => (body === 'own 7' ? body : `new ${body}`)),
      )
      const bodyOf = async (over: { scope: string; key: string }) => {
        const found = await keys.claim(request({ ...over, at: 2_000 }))
        return found.kind === 'replay' ? found.body : found.kind
      }
      assert.equal(await bodyOf({ scope, key: 'running' }), 'in_flight')
      for (const { body, ...over } of others) assert.equal(await bodyOf(over), body)
      for (const { body, ...over } of own) assert.equal(await bodyOf(over), body === 'own 7' ? body : `new ${body}`)
    })

    it('changes the responses of a scope in pages, in the order of keys, and none that is stored before a page', async () => {
      const keys = await open()
      const { scope } = request()
      const names = ['a', 'B', 'a b', 'a ', 'é', '~', '1 1 x']
      const store = async (key: string) => {
        await keys.claim(request({ key }))
        await keys.finish(response({ key, body: key }))
      }
      for (const key of names) await store(key)
      await keys.claim(request({ key: 'a running' }))
      const pages: string[][] = []
      for (let after: string | null = ''; after !== null; ) {
        const read: string[] = []
        pages.push(read)
        const change: ResponseChange = function* (stored) {
          yield
          read.push(stored)
          return stored
        }
        after = await keys.changeResponses(scope, { after, limit: 3 }, change)
        assert.equal(after, pages.length < 3 ? read.at(-1) : null)
        // Before the first page, which the next ones do not read again.
        await store('0')
      }
      assert.deepEqual(pages, [['1 1 x', 'B', 'a'], ['a ', 'a b', '~'], ['é']])
    })

    it('has the response of a key until it expires, and claims nothing', async () => {
      const keys = await open()
      const name = { scope: request().scope, key: request().key }
      assert.equal(await keys.hasResponse(name, 1_000), false)
      await keys.claim(request())
      assert.equal(await keys.hasResponse(name, 1_000), false)
      await keys.finish(response({ expiresAt: 5_000 }))
      for (const other of [{ scope: 'ws_2 live POST /emails' }, { key: 'other' }])
        assert.equal(await keys.hasResponse({ ...name, ...other }, 1_000), false)
      assert.deepEqual([await keys.hasResponse(name, 4_999), await keys.hasResponse(name, 5_000)], [true, false])
      assert.equal((await keys.claim(request({ at: 4_999 }))).kind, 'replay')
    })

    it('returns the keys in flight of a workspace', async () => {
      const keys = await open()
      const own = [
        { key: 'a key: with "signs"' },
        { key: 'another', scope: 'ws_1 test POST /emails/batch', emailId: 'bat_1', at: 2_000 },
      ]
      const others = [{ key: 'done' }, { scope: 'ws_12 live POST /emails' }, { scope: 'ws_2 live POST /emails' }]
      for (const over of [...own, ...others]) await keys.claim(request(over))
      await keys.finish(response({ key: 'done' }))
      await keys.endLease(leaseOf({ key: 'another', scope: 'ws_1 test POST /emails/batch', at: 2_000 }))
      const found = await keys.inFlight('ws_1')
      assert.deepEqual(
        found.toSorted((one, other) => one.acceptedAt - other.acceptedAt),
        own.map((over) => {
          const { scope, key, emailId, at: acceptedAt } = request(over)
          return { scope, key, emailId, acceptedAt }
        }),
      )
    })

    it('keeps changes of a response that run at the same time', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(response({ body: '0' }))
      const adding = (text: string) => inSteps((stored) => `${stored}${text}`)
      await Promise.all([
        keys.replaceResponses('ws_1', [{ emailId: 'em_1', change: adding('1') }]),
        keys.changeResponses('ws_1 live POST /emails', all, adding('2')),
        keys.changeResponses('ws_1 live POST /emails', all, adding('3')),
      ])
      const found = await keys.claim(request({ at: 2_000 }))
      assert.equal(found.kind === 'replay' && [...found.body].toSorted().join(''), '0123')
    })

    it('gives one of a hundred concurrent requests the claim', async () => {
      const keys = await open()
      const claims = await Promise.all(
        Array.from({ length: 100 }, (_, index) => keys.claim(request({ emailId: `em_${index}` }))),
      )
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 1)
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 99)
    })

    it('claims and finishes fifty concurrent keys separately', async () => {
      const keys = await open()
      const each = Array.from({ length: 50 }, (_, n) => ({ key: `order-${n}`, emailId: `em_${n}` }))
      const claims = await Promise.all([...each, ...each].map((over) => keys.claim(request(over))))
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 50)
      await Promise.all(each.map((over) => keys.finish(response({ ...over, body: over.key }))))
      const replays = await Promise.all(each.map((over) => keys.claim(request({ ...over, emailId: 'em_new' }))))
      assert.deepEqual(
        replays,
        each.map(({ key: body, emailId }) => ({ kind: 'replay', emailId, status: 202, body })),
      )
    })

    it('replays a long response byte for byte', async () => {
      const keys = await open()
      await keys.claim(request())
      const long = `{"subject":"x${'é🐎'.repeat(50_000)}"}`
      await keys.finish(response({ body: long }))
      const claim = await keys.claim(request({ requestId: 'req_2', at: 2_000 }))
      assert.ok(claim.kind === 'replay' && claim.body === long)
    })

    it('replays the first response byte for byte', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(response({ body: '{"subject":"Grüße 🐎"}' }))
      await keys.finish(response({ body: 'another', status: 500 }))
      const claim = await keys.claim(request({ emailId: 'em_2', at: dayMs }))
      assert.deepEqual(claim, { kind: 'replay', emailId: 'em_1', status: 202, body: '{"subject":"Grüße 🐎"}' })
    })

    it('returns mismatch for another body, in flight and finished', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.deepEqual(await keys.claim(request({ fingerprint: otherBody })), { kind: 'mismatch' })
      await keys.finish(response())
      assert.deepEqual(await keys.claim(request({ fingerprint: otherBody })), { kind: 'mismatch' })
    })

    it('gives a request that takes over after the lease the first id and time', async () => {
      const keys = await open()
      await keys.claim(request())
      const late = request({ emailId: 'em_2', at: 1_000 + leaseMs })
      const claim = await keys.claim(late)
      assert.deepEqual(claim, takenOver(1_000 + 2 * leaseMs))
      assert.deepEqual(await keys.claim(late), { kind: 'in_flight' }, 'taking over sets a new lease')
    })

    it('lets one of twenty concurrent requests take over after the lease', async () => {
      const keys = await open()
      await keys.claim(request())
      const late = Array.from({ length: 20 }, (_, n) => request({ emailId: `em_late${n}`, at: 1_000 + leaseMs + n }))
      const claims = await Promise.all(late.map((each) => keys.claim(each)))
      const taken = claims.filter(({ kind }) => kind === 'claimed')
      assert.deepEqual(
        taken.map((claim) => ({ ...claim, leaseUntil: 0 })),
        [takenOver(0)],
      )
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 19)
    })

    it('gives one of twenty concurrent requests the claim when the response has expired', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(response({ expiresAt: 5_000 }))
      const later = Array.from({ length: 20 }, (_, n) => request({ emailId: `em_later${n}`, at: 5_000 }))
      const claims = await Promise.all(later.map((each) => keys.claim(each)))
      assert.equal(claims.filter((claim) => claim.kind === 'claimed' && !claim.takenOver).length, 1)
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 19)
    })

    it('frees the key when its claim is released', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.release({ ...leaseOf(), emailId: 'em_1' })
      const claim = await keys.claim(request({ emailId: 'em_2', fingerprint: otherBody }))
      assert.deepEqual(claim, first(1_000, 'em_2'))
    })

    it('releases neither a finished key nor the key of another email', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.release({ ...leaseOf(), emailId: 'em_2' })
      assert.deepEqual(await keys.claim(request()), { kind: 'in_flight' })
      await keys.finish(response())
      await keys.release({ ...leaseOf(), emailId: 'em_1' })
      assert.equal((await keys.claim(request())).kind, 'replay')
    })

    // A request that was refused late deleted the record of the request that had taken over.
    it('does not release a key that another request has taken over', async () => {
      const keys = await open()
      await keys.claim(request())
      const late = request({ requestId: 'req_2', at: 1_000 + leaseMs })
      await keys.claim(late)
      await keys.release({ ...leaseOf(), emailId: 'em_1' })
      assert.deepEqual(await keys.claim(late), { kind: 'in_flight' })
    })

    it('lets the next request take over immediately when the lease is ended, and keeps the id and time', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.endLease(leaseOf())
      const next = request({ requestId: 'req_2', emailId: 'em_2', at: 1_001 })
      assert.deepEqual(await keys.claim(next), takenOver(1_001 + leaseMs))
      assert.deepEqual(await keys.claim(next), { kind: 'in_flight' }, 'taking over sets a new lease')
    })

    it('lets one of twenty concurrent requests take over when the lease is ended', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.endLease(leaseOf())
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => keys.claim(request({ requestId: `req_next${n}`, emailId: `em_${n}` }))),
      )
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 1)
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 19)
    })

    it('ends a lease twice like once', async () => {
      const keys = await open()
      await keys.claim(request())
      await Promise.all([keys.endLease(leaseOf()), keys.endLease(leaseOf())])
      assert.equal((await keys.claim(request({ requestId: 'req_2' }))).kind, 'claimed')
    })

    it('ends fifty leases together, and none of fifty other keys', async () => {
      const keys = await open()
      const each = Array.from({ length: 100 }, (_, n) => ({ key: `order-${n}`, emailId: `em_${n}` }))
      await Promise.all(each.map((over) => keys.claim(request(over))))
      await Promise.all(each.slice(0, 50).map((over) => keys.endLease(leaseOf(over))))
      const claims = await Promise.all(each.map((over) => keys.claim(request({ ...over, requestId: 'req_2' }))))
      assert.deepEqual(
        claims.map(({ kind }) => kind),
        each.map((_, n) => (n < 50 ? 'claimed' : 'in_flight')),
      )
    })

    const guarded: [name: string, over: { requestId?: string; leaseUntil?: number; key?: string; scope?: string }][] = [
      ['of another request', { requestId: 'req_2' }],
      ['that was renewed since', { leaseUntil: 999 + leaseMs }],
      ['of another key', { key: 'order-2' }],
      ['of another scope', { scope: 'ws_2 live POST /emails' }],
    ]
    for (const [name, over] of guarded)
      it(`does not end the lease ${name}`, async () => {
        const keys = await open()
        await keys.claim(request())
        await keys.endLease({ ...leaseOf(), ...over })
        assert.deepEqual(await keys.claim(request()), { kind: 'in_flight' })
      })

    it('does not end the lease of a request that took over at the same time', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.endLease(leaseOf())
      await keys.claim(request({ requestId: 'req_2' }))
      await keys.endLease(leaseOf())
      assert.deepEqual(await keys.claim(request()), { kind: 'in_flight' })
    })

    it('does not change a finished record when a lease is ended', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(response())
      await keys.endLease(leaseOf())
      assert.equal((await keys.claim(request())).kind, 'replay')
    })

    it('lets the repeated call of a request take over from itself, and the lost one ends nothing', async () => {
      const keys = await open()
      await keys.claim(request())
      const repeated = await keys.claim(request({ emailId: 'em_2', isRepeat: true }))
      assert.deepEqual(repeated, takenOver(1_001 + leaseMs))
      await keys.endLease(leaseOf())
      await keys.release({ ...leaseOf(), emailId: 'em_1' })
      assert.deepEqual(await keys.claim(request({ requestId: 'req_2' })), { kind: 'in_flight' })
    })

    it('sweeps a record whose lease was ended a day after that lease', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.endLease(leaseOf())
      assert.equal(await keys.sweep(dayMs, 10), 0)
      assert.equal(await keys.sweep(1_000 + leaseMs + dayMs, 10), 1)
    })

    // SQLite counted the day from the acceptance, so a repeat could be taken as new although a part of the first run
    // was done.
    it('sweeps a record that was taken over a day after the last lease, which was ended', async () => {
      const keys = await open()
      await keys.claim(request())
      const lateAt = 1_000 + dayMs - 1
      const late = { at: lateAt, requestId: 'req_2' }
      assert.deepEqual(await keys.claim(request(late)), takenOver(lateAt + leaseMs))
      await keys.endLease(leaseOf(late))
      assert.equal(await keys.sweep(lateAt + dayMs, 10), 0)
      await keys.releaseAbandoned()
      assert.equal(await keys.sweep(lateAt + dayMs, 10), 0)
      assert.equal(await keys.sweep(lateAt + leaseMs + dayMs, 10), 1)
    })

    it('replaces an email id once, if the old one is given', async () => {
      const keys = await open()
      await keys.claim(request())
      const record = { scope: request().scope, key: request().key }
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_1', to: 'em_2' }), true)
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_1', to: 'em_3' }), false)
      await keys.finish(response())
      assert.equal((await keys.claim(request())).kind, 'in_flight', 'a response for the old id is not stored')
      await keys.finish(response({ emailId: 'em_2' }))
      assert.equal((await keys.claim(request())).kind, 'replay')
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_2', to: 'em_4' }), false)
    })

    it('claims the same key separately in each scope', async () => {
      const keys = await open()
      await keys.claim(request())
      const claim = await keys.claim(request({ scope: 'ws_2 live POST /emails', emailId: 'em_2' }))
      assert.equal(claim.kind, 'claimed')
    })

    it('claims a key again as new when its response has expired, before any sweep', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(response())
      assert.equal((await keys.claim(request({ at: 999 + dayMs }))).kind, 'replay')
      const claim = await keys.claim(request({ at: 1_000 + dayMs, emailId: 'em_2', fingerprint: otherBody }))
      assert.deepEqual(claim, first(1_000 + dayMs, 'em_2'))
    })

    it('sweeps expired responses up to the limit', async () => {
      const keys = await open()
      for (const key of ['a', 'b', 'c', 'd']) {
        await keys.claim(request({ key }))
        await keys.finish(response({ key, expiresAt: key === 'd' ? 9_000 : 5_000 }))
      }
      await keys.claim(request({ key: 'in flight' }))
      assert.equal(await keys.sweep(5_000, 2), 2)
      assert.equal(await keys.sweep(5_000, 2), 1)
      assert.equal(await keys.sweep(5_000, 2), 0)
      assert.equal((await keys.claim(request({ key: 'd' }))).kind, 'replay')
      assert.equal((await keys.claim(request({ key: 'in flight' }))).kind, 'in_flight')
    })

    it('sweeps an unfinished claim a day after its lease', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.equal(await keys.sweep(dayMs, 10), 0)
      assert.equal(await keys.sweep(1_000 + leaseMs + dayMs, 10), 1)
    })

    it('lets the next request take over immediately after releaseAbandoned', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.claim(request({ key: 'done' }))
      await keys.finish(response({ key: 'done' }))
      assert.equal(await keys.releaseAbandoned(), 1)
      const claim = await keys.claim(request({ at: 1_001, emailId: 'em_2' }))
      assert.deepEqual(claim, takenOver(1_001 + leaseMs))
      assert.equal((await keys.claim(request({ key: 'done' }))).kind, 'replay')
    })
  })
