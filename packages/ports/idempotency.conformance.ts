import assert from 'node:assert/strict'
import type { IdempotencyStore } from './idempotency.ts'

const leaseMs = 30_000
const dayMs = 86_400_000
const [body, otherBody] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)]

const request = (over: Partial<Parameters<IdempotencyStore['claim']>[0]> = {}) => ({
  scope: 'ws_1 live POST /emails',
  key: 'order-1',
  fingerprint: body,
  emailId: 'em_1',
  at: 1_000,
  leaseMs,
  ...over,
})

const answer = (over: Partial<Parameters<IdempotencyStore['finish']>[0]> = {}) => ({
  scope: 'ws_1 live POST /emails',
  key: 'order-1',
  emailId: 'em_1',
  status: 202,
  body: '{"id":"em_1"}',
  expiresAt: 1_000 + dayMs,
  ...over,
})

/** The exam of an idempotency store: one effect a key, whoever dies in between. */
export const idempotencyConformance = (adapter: string, open: () => IdempotencyStore | Promise<IdempotencyStore>) =>
  describe(`idempotency keys in ${adapter}`, () => {
    it('a new key is claimed with the id and time of this request', async () => {
      const keys = await open()
      const claim = await keys.claim(request())
      assert.deepEqual(claim, { kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: false })
    })

    it('a second request with the key meets the first in flight', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.deepEqual(await keys.claim(request({ emailId: 'em_2', at: 1_001 })), { kind: 'in_flight' })
    })

    it('a hundred requests at once make one claim', async () => {
      const keys = await open()
      const claims = await Promise.all(
        Array.from({ length: 100 }, (_, index) => keys.claim(request({ emailId: `em_${index}` }))),
      )
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 1)
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 99)
    })

    it('fifty keys at once, two requests each, are claimed and answered each for itself', async () => {
      const keys = await open()
      const each = Array.from({ length: 50 }, (_, n) => ({ key: `order-${n}`, emailId: `em_${n}` }))
      const claims = await Promise.all([...each, ...each].map((over) => keys.claim(request(over))))
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 50)
      await Promise.all(each.map((over) => keys.finish(answer({ ...over, body: over.key }))))
      const replays = await Promise.all(each.map((over) => keys.claim(request({ ...over, emailId: 'em_new' }))))
      assert.deepEqual(
        replays,
        each.map(({ key: body, emailId }) => ({ kind: 'replay', emailId, status: 202, body })),
      )
    })

    it('a finished key replays its first answer to the byte', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(answer({ body: '{"subject":"Grüße 🐎"}' }))
      await keys.finish(answer({ body: 'another', status: 500 }))
      const claim = await keys.claim(request({ emailId: 'em_2', at: dayMs }))
      assert.deepEqual(claim, { kind: 'replay', emailId: 'em_1', status: 202, body: '{"subject":"Grüße 🐎"}' })
    })

    it('another body is a mismatch, in flight and finished', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.deepEqual(await keys.claim(request({ fingerprint: otherBody })), { kind: 'mismatch' })
      await keys.finish(answer())
      assert.deepEqual(await keys.claim(request({ fingerprint: otherBody })), { kind: 'mismatch' })
    })

    it('who takes over after the lease gets the first id and time', async () => {
      const keys = await open()
      await keys.claim(request())
      const late = request({ emailId: 'em_2', at: 1_000 + leaseMs })
      const claim = await keys.claim(late)
      assert.deepEqual(claim, { kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: true })
      assert.deepEqual(await keys.claim(late), { kind: 'in_flight' }, 'the taker-over has a lease of its own')
    })

    it('of twenty that take over at once one does, the rest meet it in flight', async () => {
      const keys = await open()
      await keys.claim(request())
      const late = Array.from({ length: 20 }, (_, n) => request({ emailId: `em_late${n}`, at: 1_000 + leaseMs + n }))
      const claims = await Promise.all(late.map((each) => keys.claim(each)))
      const taken = claims.filter(({ kind }) => kind === 'claimed')
      assert.deepEqual(taken, [{ kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: true }])
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 19)
    })

    it('of twenty that find an expired answer at once one claims the key', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(answer({ expiresAt: 5_000 }))
      const later = Array.from({ length: 20 }, (_, n) => request({ emailId: `em_later${n}`, at: 5_000 }))
      const claims = await Promise.all(later.map((each) => keys.claim(each)))
      assert.equal(claims.filter((claim) => claim.kind === 'claimed' && !claim.takenOver).length, 1)
      assert.equal(claims.filter(({ kind }) => kind === 'in_flight').length, 19)
    })

    it('a claim that accepted nothing leaves the key free', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.release(request())
      const claim = await keys.claim(request({ emailId: 'em_2', fingerprint: otherBody }))
      assert.deepEqual(claim, { kind: 'claimed', emailId: 'em_2', acceptedAt: 1_000, takenOver: false })
    })

    it('releasing leaves a finished key, and a key that is another email’s now', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.release(request({ emailId: 'em_2' }))
      assert.deepEqual(await keys.claim(request()), { kind: 'in_flight' })
      await keys.finish(answer())
      await keys.release(request())
      assert.equal((await keys.claim(request())).kind, 'replay')
    })

    it('a void id is replaced once, by whoever names the old one', async () => {
      const keys = await open()
      await keys.claim(request())
      const record = { scope: request().scope, key: request().key }
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_1', to: 'em_2' }), true)
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_1', to: 'em_3' }), false)
      await keys.finish(answer())
      assert.equal((await keys.claim(request())).kind, 'in_flight', 'an answer about the old id is not kept')
      await keys.finish(answer({ emailId: 'em_2' }))
      assert.equal((await keys.claim(request())).kind, 'replay')
      assert.equal(await keys.replaceEmail({ ...record, from: 'em_2', to: 'em_4' }), false)
    })

    it('a key belongs to one scope', async () => {
      const keys = await open()
      await keys.claim(request())
      const claim = await keys.claim(request({ scope: 'ws_2 live POST /emails', emailId: 'em_2' }))
      assert.equal(claim.kind, 'claimed')
    })

    it('a key is new again when its answer has expired, swept or not', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.finish(answer())
      assert.equal((await keys.claim(request({ at: 999 + dayMs }))).kind, 'replay')
      const claim = await keys.claim(request({ at: 1_000 + dayMs, emailId: 'em_2', fingerprint: otherBody }))
      assert.deepEqual(claim, { kind: 'claimed', emailId: 'em_2', acceptedAt: 1_000 + dayMs, takenOver: false })
    })

    it('sweeping forgets what has expired, so many at a time', async () => {
      const keys = await open()
      for (const key of ['a', 'b', 'c', 'd']) {
        await keys.claim(request({ key }))
        await keys.finish(answer({ key, expiresAt: key === 'd' ? 9_000 : 5_000 }))
      }
      await keys.claim(request({ key: 'in flight' }))
      assert.equal(await keys.sweep(5_000, 2), 2)
      assert.equal(await keys.sweep(5_000, 2), 1)
      assert.equal(await keys.sweep(5_000, 2), 0)
      assert.equal((await keys.claim(request({ key: 'd' }))).kind, 'replay')
      assert.equal((await keys.claim(request({ key: 'in flight' }))).kind, 'in_flight')
    })

    it('sweeping forgets claims whose client never came back, a day later', async () => {
      const keys = await open()
      await keys.claim(request())
      assert.equal(await keys.sweep(dayMs, 10), 0)
      assert.equal(await keys.sweep(1_000 + leaseMs + dayMs, 10), 1)
    })

    it('releasing the abandoned lets the next request take over at once', async () => {
      const keys = await open()
      await keys.claim(request())
      await keys.claim(request({ key: 'done' }))
      await keys.finish(answer({ key: 'done' }))
      assert.equal(await keys.releaseAbandoned(), 1)
      const claim = await keys.claim(request({ at: 1_001, emailId: 'em_2' }))
      assert.deepEqual(claim, { kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: true })
      assert.equal((await keys.claim(request({ key: 'done' }))).kind, 'replay')
    })
  })
