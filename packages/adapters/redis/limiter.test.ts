import assert from 'node:assert/strict'
import { settlesImmediately } from '../../../test/support/cost.ts'
import { answering, type FakeReply, fakeRedis, inOrder } from '../../../test/support/fakeRedis.ts'
import { until } from '../../../test/support/until.ts'
import { memoryLimiter } from '../memory/limiter.ts'
import { connectRedis } from './connect.ts'
import { redisLimiter } from './limiter.ts'

/** Shared by two replicas, so in degraded mode this one admits a burst of 2. */
const bucket = { key: 'ws_1/key_1', rate: 2, burst: 4 }

/** The local limiter's time stands still, so the number it admits is exact. */
const now = 1_000_000

/**
 * Ends a test that hangs. On a busy machine the limit of the product is exceeded, and then the local limiter decides.
 */
const patient = (): number => 60_000

/** @param replyMs returns the maximum wait for one response; absent: that of the product, for a server that is gone */
const rig = async (url: string, replyMs?: () => number) => {
  const degraded: boolean[] = []
  const local = { count: 0 }
  const lines: string[] = []
  const log = {
    info: (first: unknown, line = '') => lines.push(typeof first === 'string' ? first : line),
    warn: (_: unknown, line = '') => lines.push(line),
  } as unknown as Parameters<typeof connectRedis>[0]['log']
  const redis = await connectRedis({ url, name: 'test', log })
  /** Requests sent to Redis, without probes. */
  const sent = { count: 0 }
  const evalsha = redis.client.evalsha.bind(redis.client)
  Object.assign(redis.client, {
    evalsha: (...args: Parameters<typeof evalsha>) => {
      if (args.some((arg) => String(arg).includes('{ws_1}'))) sent.count++
      return evalsha(...args)
    },
  })
  const limiter = redisLimiter({
    redis,
    local: memoryLimiter(),
    replicas: 2,
    onDegraded: (is) => degraded.push(is),
    onLocal: () => local.count++,
    log,
    probeEveryMs: 20,
    ...(replyMs !== undefined && { replyMs }),
  })
  return {
    take: (cost = 1) => limiter.take([bucket], cost, now),
    check: limiter.check,
    degraded,
    local,
    sent,
    lines,
    redis,
    [Symbol.asyncDispose]: async () => {
      await limiter[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

type Rig = Awaited<ReturnType<typeof rig>>

/** Fails until degraded mode begins. */
const degrade = async (limiter: Rig): Promise<void> => {
  for (let call = 0; call < 3; call++) await limiter.take(0)
  assert.deepEqual(limiter.degraded, [true])
}

const failing: Record<string, FakeReply> = {
  'is loading': answering('-LOADING Redis is loading the dataset in memory'),
  'is read-only': answering("-READONLY You can't write against a read only replica."),
  'is read-only, as reported by the script': answering(
    "-ERR Error running script: @user_script: 26: -READONLY You can't write against a read only replica.",
  ),
  'is out of memory': answering("-OOM command not allowed when used memory > 'maxmemory'."),
  hangs: answering(null),
}

describe('Redis limiter', () => {
  for (const [how, answer] of Object.entries(failing)) {
    it(`uses this replica's share while Redis ${how}, and Redis again afterwards`, async () => {
      await using server = await fakeRedis(inOrder)
      // Only requests to a server that hangs may be late.
      const state = { isHanging: false }
      await using limiter = await rig(server.url, () => (state.isHanging ? 50 : patient()))
      assert.equal((await limiter.take()).remaining, 3)
      await limiter.check()
      server.act(answer)
      state.isHanging = how === 'hangs'
      await degrade(limiter)

      limiter.sent.count = 0
      const verdicts: Awaited<ReturnType<Rig['take']>>[] = []
      const all = async () => {
        for (let n = 0; n < 100; n++) verdicts.push(await limiter.take())
      }
      assert.ok(await settlesImmediately(all), 'a take waited')
      assert.equal(verdicts.filter(({ admitted }) => admitted).length, 2)
      assert.deepEqual(verdicts[2], {
        admitted: false,
        tightest: bucket,
        remaining: 0,
        resetMs: 2_000,
        retryAfterMs: 1_000,
      })
      assert.equal(limiter.sent.count, 0, 'no request waits for Redis')
      // The three that began degraded mode count too.
      assert.equal(limiter.local.count, 3 + verdicts.length)
      await assert.rejects(limiter.check())

      server.act(inOrder)
      state.isHanging = false
      await until('Redis decides again', () => (limiter.degraded.length > 1 ? true : undefined))
      assert.deepEqual(limiter.degraded, [true, false])
      assert.equal((await limiter.take()).remaining, 3)
      assert.equal(limiter.local.count, 3 + verdicts.length)
    })
  }

  // Regression: it failed on a busy machine, where some responses came after the limit of the product.
  it('sends requests that come together in one write', async () => {
    await using server = await fakeRedis(inOrder)
    await using limiter = await rig(server.url, patient)
    await limiter.take()
    const { stream } = limiter.redis.client
    const writes: string[] = []
    for (const name of ['_write', '_writev'] as const) {
      const write = stream[name]?.bind(stream) ?? assert.fail(name)
      Object.assign(stream, {
        [name]: (...args: never) => {
          writes.push(name)
          return (write as (...args: never) => void)(...args)
        },
      })
    }
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.take()))
    assert.ok(verdicts.every(({ remaining }) => remaining === 3))
    assert.equal(limiter.sent.count, 51)
    assert.deepEqual(writes, ['_writev'])
  })

  it('lets Redis decide even if the client is of a version whose commands cannot be joined, with one warning', async () => {
    const warnings: unknown[] = []
    const client = { status: 'ready', evalsha: async () => [0] }
    await using limiter = redisLimiter({
      redis: { client } as never,
      local: { take: () => assert.fail('decided here') } as never,
      replicas: 1,
      onDegraded: () => {},
      log: { info: () => {}, warn: (fields: { library: string }) => void warnings.push(fields.library) } as never,
    })
    for (let call = 0; call < 2; call++) assert.equal((await limiter.take([bucket], 1, now)).remaining, 3)
    assert.deepEqual(warnings, ['ioredis'])
  })

  it('counts failures of concurrent requests as one', async () => {
    await using server = await fakeRedis(inOrder)
    await using limiter = await rig(server.url)
    server.act(answering(null))
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.take()))
    assert.equal(verdicts.filter(({ admitted }) => admitted).length, 2)
    assert.deepEqual(limiter.degraded, [])
  })

  it('decides a request itself when the connection is cut, and does not repeat it', async () => {
    await using server = await fakeRedis(inOrder)
    await using limiter = await rig(server.url, patient)
    let received = 0
    const counting =
      (answer: FakeReply): FakeReply =>
      (command) => {
        if (command[0] === 'evalsha') received++
        return answer(command)
      }
    server.act(counting(answering(null)))
    const taking = limiter.take()
    await until('Redis has the request', () => (received === 1 ? true : undefined))
    server.cut()
    server.act(counting(inOrder))
    assert.equal((await taking).remaining, 1)
    await until('the connection is back', () => (limiter.redis.client.status === 'ready' ? true : undefined))
    assert.equal(received, 1)
    assert.equal((await limiter.take()).remaining, 3)
  })

  it('starts in degraded mode if Redis is unavailable, and logs that once', async () => {
    const gone = await fakeRedis(inOrder)
    await gone[Symbol.asyncDispose]()
    await using limiter = await rig(gone.url)
    await degrade(limiter)
    assert.equal((await limiter.take()).remaining, 1)
    await assert.rejects(limiter.redis.ping(), { code: 'unavailable' })
    await until('both are logged', () => (limiter.lines.length >= 2 ? true : undefined))
    assert.deepEqual(limiter.lines, ['redis.away', 'limiter.degraded'])
  })

  it('admits one at a time if the burst is smaller than the number of replicas', async () => {
    await using server = await fakeRedis(answering('-LOADING'))
    const log = { info: () => {}, warn: () => {} }
    await using redis = await connectRedis({ url: server.url, name: 'test', log })
    await using limiter = redisLimiter({ redis, local: memoryLimiter(), replicas: 10, onDegraded: () => {}, log })
    assert.equal((await limiter.take([bucket], 1, now)).admitted, true)
    assert.equal((await limiter.take([bucket], 1, now)).retryAfterMs, 5_000)
  })
})
