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

/** Too slow to come back within a test, so what is admitted is the burst. */
const bucket = { key: 'ws_1/key_1', rate: 0.001, burst: 10 }
const replicas = 2

/** More patient than a gateway is, so that a busy machine is no silence. */
const answerMs = 250

/** One of two processes that share their limits in Redis. */
const openReplica = async (url: string) => {
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
    answerMs,
    probeEveryMs: 50,
  })
  const redisDecides = () => until('Redis decides', () => (degraded ? undefined : true), 15_000)
  /** What takes from another bucket, until nobody waits for Redis any more. */
  const redisIsGivenUp = () =>
    until('this process limits by itself', async () => {
      await limiter.take([{ key: 'ws_2/key_2', rate: 1_000, burst: 1_000 }], 1, 0)
      return degraded ? true : undefined
    })
  return {
    limiter,
    redisDecides,
    redisIsGivenUp,
    [Symbol.asyncDispose]: async () => {
      await limiter[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

type Replica = Awaited<ReturnType<typeof openReplica>>

/** How many of thirty requests at each replica are admitted, and how many had to wait. */
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

/** Over a connection of its own. */
const tell = async (server: Instance, work: (redis: Redis) => Promise<unknown>): Promise<void> => {
  await using redis = await quietRedis(server.address)
  await work(redis)
}

type Fault = {
  name: string
  begin: (server: Instance) => unknown
  end: (server: Instance) => unknown
  /** What is admitted afterwards, by a Redis whose buckets were empty. */
  after: number
}

const faults: Fault[] = [
  { name: 'is paused', begin: (server) => server.pause(), end: (server) => server.resume(), after: 0 },
  { name: 'is killed', begin: (server) => server.kill9(), end: (server) => server.restart(), after: 10 },
  { name: 'is stopped', begin: (server) => server.stop(), end: (server) => server.restart(), after: 10 },
  {
    name: 'became a replica that may only be read',
    begin: (server) => tell(server, ({ client }) => client.replicaof('127.0.0.1', 1)),
    end: (server) => tell(server, ({ client }) => client.replicaof('NO', 'ONE')),
    after: 0,
  },
]

describe('Redis away (I22)', function redisAway() {
  this.timeout(60_000)
  needsOwnBackends()

  for (const { name, begin, end, after } of faults) {
    it(`a Redis that ${name} leaves the replicas their shares, and decides again by itself`, async () => {
      await using server = await startRedis()
      await using one = await openReplica(server.address)
      await using other = await openReplica(server.address)
      assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)

      await begin(server)
      await one.redisIsGivenUp()
      await other.redisIsGivenUp()
      const { admitted, waited } = await thirtyEach([one, other])
      assert.equal(admitted, bucket.burst)
      assert.ok(waited <= 3, `${waited} requests waited for Redis`)

      await end(server)
      await one.redisDecides()
      await other.redisDecides()
      assert.equal((await thirtyEach([one, other])).admitted, after)
    })
  }

  it('a flush gives away one burst', async () => {
    await using server = await startRedis()
    await using one = await openReplica(server.address)
    await using other = await openReplica(server.address)
    assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)
    await tell(server, ({ client }) => client.flushall())
    await tell(server, ({ client }) => client.script('FLUSH'))
    assert.equal((await thirtyEach([one, other])).admitted, bucket.burst)
  })

  it('a stall of our own is not taken for a silence of Redis', async () => {
    await using server = await startRedis()
    await using one = await openReplica(server.address)
    // The script is known from here on, so the answer takes one way there and back.
    await one.limiter.take([bucket], 0, 0)
    const taking = one.limiter.take([bucket], 1, 0)
    const started = performance.now()
    while (performance.now() - started < 2 * answerMs);
    assert.equal((await taking).remaining, 9)
  })

  it('log-ins and sign-ups are limited all the same', async () => {
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
