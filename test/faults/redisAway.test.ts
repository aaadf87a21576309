import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { testRig } from '@postrider/accounts/testRig.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import type { Redis } from '@postrider/adapters/redis/connect.ts'
import { redisLimiter } from '@postrider/adapters/redis/limiter.ts'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import { pino } from 'pino'
import { needsOwnBackends } from '../backends/backends.ts'
import type { Instance } from '../backends/instance.ts'
import { startRedis } from '../backends/redis.ts'
import { quietRedis } from '../contract/redis.ts'
import { settlesImmediately } from '../support/cost.ts'
import { until } from '../support/until.ts'

/** Returns a new bucket. The rate is too low to refill it during a test, so the burst is admitted. */
const newBucket = () => ({ key: `ws_1/${randomUUID()}`, rate: 0.001, burst: 10 })
const replicas = 2

/** Longer than in a gateway, so that a busy machine does not look like an outage of Redis. */
const longReplyMs = 1_000

/** Opens one of two limiters that share their buckets in Redis. */
const openReplica = async (url: string, replyMs = longReplyMs) => {
  const redis = await quietRedis(url)
  let degraded = false
  let local = 0
  const limiter = redisLimiter({
    redis,
    local: memoryLimiter(),
    replicas,
    onDegraded: (is) => {
      degraded = is
    },
    onLocal: () => local++,
    log: pino({ level: 'silent' }),
    replyMs: () => replyMs,
    probeEveryMs: 50,
  })
  const untilRedisDecides = () => until('Redis decides', () => (degraded ? undefined : true))
  /** Takes from another bucket until the limiter no longer waits for Redis. */
  const untilDegraded = () =>
    until('the limiter decides without Redis', async () => {
      await limiter.take([{ key: 'ws_2/key_2', rate: 1_000, burst: 1_000 }], 1, 0)
      return degraded ? true : undefined
    })
  return {
    limiter,
    /** Returns how many requests it has decided without Redis. */
    local: () => local,
    untilRedisDecides,
    untilDegraded,
    [Symbol.asyncDispose]: async () => {
      await limiter[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

type Replica = Awaited<ReturnType<typeof openReplica>>

/**
 * Makes 30 requests at each replica.
 * @returns the numbers of those that were admitted, of those that waited, and of those that were decided without Redis
 */
const thirtyEach = async (both: readonly Replica[], bucket: RateBucket) => {
  let [admitted, waited] = [0, 0]
  const decided = () => both.reduce((sum, { local }) => sum + local(), 0)
  const before = decided()
  for (const { limiter } of both) {
    for (let request = 0; request < 30; request++) {
      const take = async () => {
        if ((await limiter.take([bucket], 1, 0)).admitted) admitted++
      }
      if (!(await settlesImmediately(take))) waited++
    }
  }
  return { admitted, waited, local: decided() - before }
}

/**
 * Returns how many of 30 requests at each replica were admitted, or undefined if Redis did not decide all of them: on a
 * busy machine it can need more than a second for one.
 */
const admittedByRedis = async (both: readonly Replica[], bucket: RateBucket): Promise<number | undefined> => {
  const { admitted, local } = await thirtyEach(both, bucket)
  return local === 0 ? admitted : undefined
}

/** Runs commands on a separate connection. */
const command = async (server: Instance, work: (redis: Redis) => Promise<unknown>): Promise<void> => {
  await using redis = await quietRedis(server.address)
  await work(redis)
}

type Fault = {
  name: string
  begin: (server: Instance) => unknown
  end: (server: Instance) => unknown
  /** The number of requests that Redis admits afterwards. The buckets were empty before the fault. */
  after: number
}

const faults: Fault[] = [
  { name: 'is paused', begin: (server) => server.pause(), end: (server) => server.resume(), after: 0 },
  { name: 'is killed', begin: (server) => server.kill9(), end: (server) => server.restart(), after: 10 },
  { name: 'is stopped', begin: (server) => server.stop(), end: (server) => server.restart(), after: 10 },
  {
    name: 'became a read-only replica',
    begin: (server) => command(server, ({ client }) => client.replicaof('127.0.0.1', 1)),
    end: (server) => command(server, ({ client }) => client.replicaof('NO', 'ONE')),
    after: 0,
  },
]

describe('rate limits during a Redis outage (I22)', function redisAway() {
  needsOwnBackends()

  for (const { name, begin, end, after } of faults) {
    it(`are divided between the replicas while Redis ${name}, and shared again afterwards`, async () => {
      await using server = await startRedis()
      await using one = await openReplica(server.address)
      await using other = await openReplica(server.address)
      const both = [one, other]
      const untilRedisDecides = () => Promise.all(both.map((replica) => replica.untilRedisDecides()))
      const outage = async (): Promise<number | undefined> => {
        const bucket = newBucket()
        await untilRedisDecides()
        const before = await admittedByRedis(both, bucket)
        if (before === undefined) return undefined
        assert.equal(before, bucket.burst)

        await begin(server)
        await Promise.all(both.map((replica) => replica.untilDegraded()))
        const { admitted, waited } = await thirtyEach(both, bucket)
        assert.equal(admitted, bucket.burst)
        assert.ok(waited <= 3, `${waited} requests waited for Redis`)

        await end(server)
        await untilRedisDecides()
        return admittedByRedis(both, bucket)
      }
      assert.equal(await until('Redis decides before and after the fault', outage), after)
    })
  }

  it('admit one additional burst after a flush', async () => {
    await using server = await startRedis()
    await using one = await openReplica(server.address)
    await using other = await openReplica(server.address)
    const both = [one, other]
    const flush = async (): Promise<[number, number] | undefined> => {
      const bucket = newBucket()
      const before = await admittedByRedis(both, bucket)
      await command(server, ({ client }) => client.flushall())
      await command(server, ({ client }) => client.script('FLUSH'))
      const after = await admittedByRedis(both, bucket)
      return before === undefined || after === undefined ? undefined : [before, after]
    }
    assert.deepEqual(await until('Redis decides before and after the flush', flush), [10, 10])
  })

  it('are not degraded by a stall of this process', async () => {
    await using server = await startRedis()
    const replyMs = 100
    await using one = await openReplica(server.address, replyMs)
    const stalled = async (): Promise<number | undefined> => {
      const bucket = newBucket()
      const localBefore = one.local()
      // Redis has the script after this call, so the next one takes one round trip.
      await one.limiter.take([bucket], 0, 0)
      if (one.local() > localBefore) return undefined
      const taking = one.limiter.take([bucket], 1, 0)
      const started = performance.now()
      while (performance.now() - started < 10 * replyMs);
      const { remaining } = await taking
      // A busy machine can stop Redis for as long. A stall that degrades the limiter does so each time.
      return one.local() > localBefore ? undefined : remaining
    }
    assert.equal(await until('Redis decides although this process stalls', stalled), 9)
  })

  it('limits of logins and sign-ups still apply while Redis is unavailable', async () => {
    await using server = await startRedis()
    await using replica = await openReplica(server.address)
    const { service, owner } = testRig({ limiter: replica.limiter })
    await server.kill9()
    const outcomes = async (attempt: (count: number) => Promise<unknown>): Promise<string[]> => {
      const seen = new Set<string>()
      for (let count = 0; count < 12; count++) {
        seen.add(
          await attempt(count).then(
            () => 'done',
            ({ code }) => code,
          ),
        )
      }
      return [...seen]
    }
    const credentials = { email: 'eve@example.com', password: 'wrong horse battery', client_address: '203.0.113.9' }
    assert.deepEqual(await outcomes((count) => owner(`user${count}@example.com`)), ['done', 'rate_limited'])
    assert.deepEqual(await outcomes(() => service.LogIn(credentials)), ['unauthenticated', 'rate_limited'])
  })
})
