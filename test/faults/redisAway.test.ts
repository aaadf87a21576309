import assert from 'node:assert/strict'
import { testRig } from '@postrider/accounts/testRig.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import type { Redis } from '@postrider/adapters/redis/connect.ts'
import { redisLimiter } from '@postrider/adapters/redis/limiter.ts'
import { pino } from 'pino'
import { needsOwnBackends } from '../backends/backends.ts'
import type { Instance } from '../backends/instance.ts'
import { startRedis } from '../backends/redis.ts'
import { quietRedis } from '../contract/redis.ts'
import { settlesAtOnce } from '../support/cost.ts'
import { until } from '../support/until.ts'

/** The rate is too low to refill the bucket during a test, so the burst is admitted. */
const bucket = { key: 'ws_1/key_1', rate: 0.001, burst: 10 }
const replicas = 2

/** Longer than in a gateway, so that a busy machine does not look like an outage of Redis. */
const longReplyMs = 1_000

/** Opens one of two limiters that share their buckets in Redis. */
const openReplica = async (url: string, replyMs = longReplyMs) => {
  const redis = await quietRedis(url)
  let degraded = false
  const limiter = redisLimiter({
    redis,
    local: memoryLimiter(),
    replicas,
    onDegraded: (is) => {
      degraded = is
    },
    log: pino({ level: 'silent' }),
    replyMs,
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
    untilRedisDecides,
    untilDegraded,
    [Symbol.asyncDispose]: async () => {
      await limiter[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

type Replica = Awaited<ReturnType<typeof openReplica>>

/** Makes 30 requests at each replica. @returns the numbers of those that were admitted and of those that waited */
const thirtyEach = async (both: readonly Replica[]): Promise<{ admitted: number; waited: number }> => {
  let [admitted, waited] = [0, 0]
  for (const { limiter } of both) {
    for (let request = 0; request < 30; request++) {
      const take = async () => {
        if ((await limiter.take([bucket], 1, 0)).admitted) admitted++
      }
      if (!(await settlesAtOnce(take))) waited++
    }
  }
  return { admitted, waited }
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
      assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)

      await begin(server)
      await Promise.all([one.untilDegraded(), other.untilDegraded()])
      const { admitted, waited } = await thirtyEach([one, other])
      assert.equal(admitted, bucket.burst)
      assert.ok(waited <= 3, `${waited} requests waited for Redis`)

      await end(server)
      await one.untilRedisDecides()
      await other.untilRedisDecides()
      assert.equal((await thirtyEach([one, other])).admitted, after)
    })
  }

  it('admit one additional burst after a flush', async () => {
    await using server = await startRedis()
    await using one = await openReplica(server.address)
    await using other = await openReplica(server.address)
    assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)
    await command(server, ({ client }) => client.flushall())
    await command(server, ({ client }) => client.script('FLUSH'))
    assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)
  })

  it('are not degraded by a stall of this process', async () => {
    await using server = await startRedis()
    const replyMs = 100
    await using one = await openReplica(server.address, replyMs)
    // Redis has the script after this call, so the next one takes one round trip.
    await until('Redis responds in time', async () => {
      const { remaining } = await one.limiter.take([bucket], 0, 0)
      return remaining === bucket.burst || undefined
    })
    const taking = one.limiter.take([bucket], 1, 0)
    const started = performance.now()
    while (performance.now() - started < 10 * replyMs);
    assert.equal((await taking).remaining, 9)
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
