import assert from 'node:assert/strict'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import fc from 'fast-check'
import type { Limiter } from './limiter.ts'

const bucket = (over: Partial<RateBucket> = {}): RateBucket => ({ key: 'key_1', rate: 10, burst: 20, ...over })

/** Schedules that run concurrently, each with its own limiter, so that a remote store is used fully. */
const concurrency = 50

/**
 * Declares the tests that every limiter must pass. The limiter's clock is the `now` of each call.
 * @param runs number of random schedules
 */
export const limiterConformance = (adapter: string, open: () => Limiter, runs: number) =>
  describe(`limiter in ${adapter}`, () => {
    it('admits the burst of a full bucket immediately, then returns when the next request is admitted', async () => {
      const limiter = open()
      for (let left = 19; left >= 0; left--) {
        const verdict = await limiter.take([bucket()], 1, 1_000)
        assert.equal(verdict.admitted, true)
        assert.equal(verdict.remaining, left)
        assert.equal(verdict.resetMs, (20 - left) * 100)
        assert.equal(verdict.retryAfterMs, 0)
      }
      const refused = await limiter.take([bucket()], 1, 1_000)
      assert.deepEqual(refused, {
        admitted: false,
        tightest: bucket(),
        remaining: 0,
        resetMs: 2_000,
        retryAfterMs: 100,
      })
      assert.equal((await limiter.take([bucket()], 1, 1_099)).admitted, false)
      assert.equal((await limiter.take([bucket()], 1, 1_100)).admitted, true)
    })

    it('takes from every bucket or from none', async () => {
      const limiter = open()
      const [wide, narrow] = [bucket({ key: 'ws_1/workspace', burst: 3 }), bucket({ key: 'ws_1/key_1', burst: 1 })]
      assert.equal((await limiter.take([wide, narrow], 1, 0)).admitted, true)
      const refused = await limiter.take([wide, narrow], 1, 0)
      assert.equal(refused.admitted, false)
      assert.deepEqual(refused.tightest, narrow)
      assert.equal((await limiter.take([wide], 1, 0)).remaining, 1, 'the refusal took nothing')
    })

    it('admits a batch when one request would be admitted, and then refuses requests until its debt is paid', async () => {
      const limiter = open()
      assert.equal((await limiter.take([bucket()], 100, 0)).admitted, true)
      const refused = await limiter.take([bucket()], 1, 0)
      assert.equal(refused.remaining, 0)
      assert.equal(refused.retryAfterMs, 8_100)
      assert.equal((await limiter.take([bucket()], 1, 8_100)).admitted, true)
    })

    it('takes nothing for a cost of 0', async () => {
      const limiter = open()
      assert.equal((await limiter.take([bucket({ burst: 1 })], 0, 0)).remaining, 1)
      assert.equal((await limiter.take([bucket({ burst: 1 })], 1, 0)).admitted, true)
      assert.equal((await limiter.take([bucket({ burst: 1 })], 0, 0)).admitted, false)
    })

    it('limits each key separately', async () => {
      const limiter = open()
      await limiter.take([bucket({ burst: 1 })], 1, 0)
      assert.equal((await limiter.take([bucket({ key: 'key_2', burst: 1 })], 1, 0)).admitted, true)
    })

    it('limits by several rates of one client: the wait grows with each that is used up', async () => {
      const limiter = open()
      const tiers = [
        { key: 'c/0', rate: 1, burst: 2 },
        { key: 'c/1', rate: 1 / 60, burst: 4 },
      ]
      const waits: number[] = []
      let [now, taken] = [0, 0]
      while (taken < 6) {
        const { admitted, retryAfterMs } = await limiter.take(tiers, 1, now)
        if (admitted) taken += 1
        else waits.push(retryAfterMs)
        now += retryAfterMs
      }
      assert.deepEqual(waits, [1_000, 1_000, 58_000, 60_000])
    })

    it('remembers for 90 days that a slow bucket is not full', async () => {
      const limiter = open()
      const day = 86_400_000
      const slow = bucket({ key: 'account/network', rate: 1_000 / (90 * day), burst: 2 })
      const isFull = async (now: number) => (await limiter.take([slow], 0, now)).resetMs === 0
      assert.equal(await isFull(0), true)
      await limiter.take([slow], 1, 0)
      assert.equal(await isFull(89 * day), false)
      assert.equal(await isFull(90 * day + 1), true)
    })

    it('neither blocks nor admits more when the clock is set back an hour', async () => {
      const limiter = open()
      const [two, now] = [bucket({ burst: 2 }), 10_000_000]
      await limiter.take([two], 2, now)
      assert.equal((await limiter.take([two], 1, now - 3_600_000)).retryAfterMs, 100)
      assert.equal((await limiter.take([two], 1, now - 3_600_000 + 100)).admitted, true)
      assert.equal((await limiter.take([two], 1, now - 3_600_000 + 100)).admitted, false)
    })

    it('never admits more than burst + rate × time and one batch, and admits a retry after Retry-After', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(schedule, { minLength: concurrency, maxLength: concurrency }), async (plans) => {
          await Promise.all(plans.map((plan) => runSchedule(open(), plan)))
        }),
        { numRuns: Math.ceil(runs / concurrency), verbose: 0 },
      )
    })
  })

type Plan = { rate: number; burst: number; batch: number; steps: { waitMs: number; cost: number }[] }

const schedule: fc.Arbitrary<Plan> = fc
  .record({
    // From 30 per hour, the limit of sign-ups, to more than any key has.
    rate: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(30 / 3_600, 5 / 60, 1 / 3, 7.5)),
    burst: fc.integer({ min: 1, max: 50 }),
    batch: fc.integer({ min: 1, max: 100 }),
  })
  .chain((limits) =>
    fc.record({
      rate: fc.constant(limits.rate),
      burst: fc.constant(limits.burst),
      batch: fc.constant(limits.batch),
      steps: fc.array(
        fc.record({
          waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: Math.ceil(3_000 / limits.rate) })),
          cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: limits.batch })),
        }),
        { maxLength: 60, size: 'max' },
      ),
    }),
  )

/** Runs a schedule and compares it with an exact model: the bucket's level as a fraction, refilled by the rate. */
const runSchedule = async (limiter: Limiter, { rate, burst, batch, steps }: Plan): Promise<void> => {
  const only = bucket({ rate, burst })
  let [now, level, admitted] = [1_700_000_000_000, burst, 0]
  const start = now
  for (const { waitMs, cost } of steps) {
    now += waitMs
    level = Math.min(level + (rate * waitMs) / 1_000, burst)
    const verdict = await limiter.take([only], cost, now)
    // An interval is rounded up to whole microseconds, so the limiter may refuse what the model just admits.
    const slack = 1e-6 * rate * (burst + batch + (rate * (now - start)) / 1_000) + 1e-9
    if (verdict.admitted) {
      assert.ok(level >= 1 - slack, `admitted at a level of ${level}`)
      level -= cost
      admitted += cost
    } else {
      assert.ok(level < 1 + slack, `refused at a level of ${level}`)
      const probe = await limiter.take([only], 0, now + verdict.retryAfterMs)
      assert.equal(probe.admitted, true, 'a single retry is admitted')
      now += verdict.retryAfterMs
      level = Math.min(level + (rate * verdict.retryAfterMs) / 1_000, burst)
    }
    assert.ok(admitted <= burst + (rate * (now - start)) / 1_000 + batch, `${admitted} admitted`)
  }
}
