import assert from 'node:assert/strict'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import type { Redis } from '@postrider/adapters/redis/connect.ts'
import { limiterConformance } from '@postrider/ports/limiter.conformance.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { useBackend } from '../backends/backends.ts'
import { limiterIn, newPrefix, quietRedis, removeTestKeys } from './redis.ts'

const isLong = process.env['POSTRIDER_LONG'] === '1'

/**
 * Random schedules for the algorithm, and those for its script in Redis, which cost ten times the CPU. A script that
 * loses a debt, a digit or a part of a batch fails in the first 50.
 */
const schedules = isLong ? { memory: 100_000, redis: 100_000 } : { memory: 10_000, redis: 2_000 }

describe('limiters', () => {
  limiterConformance('memory', () => memoryLimiter(), schedules.memory)
})

describe('shared limiters', function sharedLimiters() {
  const address = useBackend('redis')
  const opened: Redis[] = []
  before(async () => {
    opened.push(await quietRedis(address()), await quietRedis(address()))
  })
  after(async () => {
    for (const redis of opened.slice(0, 1)) await removeTestKeys(redis)
    for (const redis of opened) await redis[Symbol.asyncDispose]()
  })
  const open = (which: number, prefix: string, clock?: 'caller'): Limiter => {
    const redis = opened[which] ?? assert.fail('no connection outside of tests')
    return limiterIn(redis, prefix, clock)
  }

  limiterConformance('Redis', () => open(0, newPrefix(), 'caller'), schedules.redis)

  describe('Redis limiter with the server clock', () => {
    it('admits burst + rate × time to 50 clients of two processes, and not less', async () => {
      const prefix = newPrefix()
      const limiters = [open(0, prefix), open(1, prefix)]
      // A bucket that is full loses refill. This one is only full again after a stall of 10 s.
      const key = { key: 'ws_1/key_1', rate: 100, burst: 1_000 }
      const buckets = [key, { key: 'ws_1/workspace', rate: 300, burst: 3_000 }]
      const within = (ms: number): number => key.burst + (key.rate * ms) / 1_000
      const started = performance.now()
      let [admitted, filledAt, emptyAt] = [0, 0, 0]
      const client = async (limiter: Limiter): Promise<void> => {
        while (emptyAt - started < 1_000) {
          const sentAt = performance.now()
          const { admitted: isAdmitted } = await limiter.take(buckets, 1, 0)
          filledAt ||= performance.now()
          if (isAdmitted) admitted++
          else emptyAt = Math.max(emptyAt, sentAt)
        }
      }
      await Promise.all(Array.from({ length: 50 }, (_, at) => client(limiters[at % 2] ?? assert.fail())))
      const max = within(performance.now() - started)
      // The bucket was full until the first response and had less than one request left at the last refusal. The clocks
      // of the server and of the test may differ by one request more.
      const min = within(emptyAt - filledAt) - 2
      assert.ok(min <= admitted && admitted <= max, `${admitted}, not ${min} to ${max}`)
    })

    it('admits a single retry after retryAfterMs', async () => {
      const limiter = open(0, newPrefix())
      const buckets = [{ key: 'ws_1/key_1', rate: 20, burst: 1 }]
      for (let round = 0; round < 5; round++) {
        let since = performance.now()
        assert.equal((await limiter.take(buckets, 1, 0)).admitted, true)
        const refused = async (): Promise<number> => {
          const began = performance.now()
          const { admitted, retryAfterMs } = await limiter.take(buckets, 1, 0)
          if (!admitted) return retryAfterMs
          // On a stalled machine the bucket refills before the next request.
          assert.ok(performance.now() - since >= 50)
          since = began
          return refused()
        }
        // Timers may fire up to a millisecond early.
        await pause((await refused()) + 1)
      }
    })

    it('stores a bucket until it is full again', async () => {
      const [prefix, client] = [newPrefix(), (opened[0] ?? assert.fail()).client]
      const since = performance.now()
      await open(0, prefix).take([{ key: 'ws_1/key_1', rate: 0.1, burst: 9 }], 3, 0)
      const leftMs = await client.pttl(`${prefix}{ws_1}/key_1`)
      const passedMs = performance.now() - since
      assert.ok(leftMs > 29_000 - passedMs && leftMs <= 30_000, `${leftMs} ms left`)
    })

    it('sends the script again after the server lost it', async () => {
      const [limiter, client] = [open(0, newPrefix()), (opened[0] ?? assert.fail()).client]
      const buckets = [{ key: 'ws_1/key_1', rate: 0.01, burst: 1 }]
      assert.equal((await limiter.take(buckets, 1, 0)).admitted, true)
      await client.script('FLUSH')
      assert.equal((await limiter.take(buckets, 1, 0)).admitted, false)
    })
  })
})
