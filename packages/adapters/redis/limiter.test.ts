import assert from 'node:assert/strict'
import { settlesAtOnce } from '../../../test/support/cost.ts'
import { answering, type FakeAnswer, fakeRedis, inOrder } from '../../../test/support/fakeRedis.ts'
import { until } from '../../../test/support/until.ts'
import { memoryLimiter } from '../memory/limiter.ts'
import { connectRedis } from './connect.ts'
import { redisLimiter } from './limiter.ts'

/** Two replicas share it, so this one admits 2 at once by itself. */
const bucket = { key: 'ws_1/key_1', rate: 2, burst: 4 }

/** Time stands still for the local limiter, so what it admits is counted and not raced. */
const now = 1_000_000

const rig = async (url: string) => {
  const told: boolean[] = []
  const lines: string[] = []
  const log = { info: (_: unknown, line = '') => lines.push(line), warn: (_: unknown, line = '') => lines.push(line) }
  const redis = await connectRedis({ url, name: 'test', log: log as never })
  const limiter = redisLimiter({
    redis,
    local: memoryLimiter(),
    replicas: 2,
    degraded: (is) => told.push(is),
    log: log as never,
    probeEveryMs: 20,
  })
  return {
    take: (cost = 1) => limiter.take([bucket], cost, now),
    told,
    lines,
    redis,
    [Symbol.asyncDispose]: async () => {
      limiter[Symbol.dispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

type Rig = Awaited<ReturnType<typeof rig>>

/** Fails until nobody asks any more. */
const degrade = async (limiter: Rig): Promise<void> => {
  for (let ask = 0; ask < 3; ask++) await limiter.take(0)
  assert.deepEqual(limiter.told, [true])
}

const failing: Record<string, FakeAnswer> = {
  'says that it is loading': answering('-LOADING Redis is loading the dataset in memory'),
  'may only be read': answering("-READONLY You can't write against a read only replica."),
  'may only be read, told from within the script': answering(
    "-ERR Error running script: @user_script: 26: -READONLY You can't write against a read only replica.",
  ),
  'has no memory left': answering("-OOM command not allowed when used memory > 'maxmemory'."),
  hangs: answering(null),
}

describe('the limiter in Redis', () => {
  for (const [how, answer] of Object.entries(failing)) {
    it(`a Redis that ${how} leaves this replica its share, and decides again once it is in order`, async () => {
      await using server = await fakeRedis(inOrder)
      await using limiter = await rig(server.url)
      assert.equal((await limiter.take()).remaining, 3)
      server.act(answer)
      await degrade(limiter)

      const verdicts: Awaited<ReturnType<Rig['take']>>[] = []
      const all = async () => {
        for (let ask = 0; ask < 100; ask++) verdicts.push(await limiter.take())
      }
      assert.ok(await settlesAtOnce(all), 'a take waited')
      assert.equal(verdicts.filter(({ admitted }) => admitted).length, 2)
      assert.deepEqual(verdicts[2], {
        admitted: false,
        tightest: bucket,
        remaining: 0,
        resetMs: 2_000,
        retryAfterMs: 1_000,
      })

      server.act(inOrder)
      await until('Redis decides again', () => (limiter.told.length > 1 ? true : undefined))
      assert.deepEqual(limiter.told, [true, false])
      assert.equal((await limiter.take()).remaining, 3)
    })
  }

  it('a Redis that hangs costs no request more than one wait, however many ask at once', async () => {
    await using server = await fakeRedis(inOrder)
    await using limiter = await rig(server.url)
    server.act(answering(null))
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.take()))
    assert.equal(verdicts.filter(({ admitted }) => admitted).length, 2)
    assert.deepEqual(limiter.told, [], 'failures at the same time are one failure')
  })

  it('a connection that is cut refuses what was under way at once and repeats none of it', async () => {
    await using server = await fakeRedis(inOrder)
    await using limiter = await rig(server.url)
    let asked = 0
    const counting =
      (answer: FakeAnswer): FakeAnswer =>
      (command) => {
        if (command[0] === 'evalsha') asked++
        return answer(command)
      }
    server.act(counting(answering(null)))
    const taking = limiter.take()
    await until('the ask is there', () => (asked === 1 ? true : undefined))
    server.cut()
    server.act(counting(inOrder))
    assert.equal((await taking).remaining, 1)
    await until('the connection is back', () => (limiter.redis.client.status === 'ready' ? true : undefined))
    assert.equal(asked, 1)
    assert.equal((await limiter.take()).remaining, 3)
  })

  it('a Redis that is away at the start stops nobody, and is told of once', async () => {
    const gone = await fakeRedis(inOrder)
    await gone[Symbol.asyncDispose]()
    await using limiter = await rig(gone.url)
    await degrade(limiter)
    assert.equal((await limiter.take()).remaining, 1)
    await assert.rejects(limiter.redis.ping(), { code: 'unavailable' })
    await until('it was tried again', () => (limiter.lines.length >= 2 ? true : undefined))
    assert.deepEqual(limiter.lines, [
      'redis.away: tried again until it answers',
      'limiter.degraded: this process limits by itself, with its share of the rates',
    ])
  })

  it('a burst smaller than the number of replicas still leaves one at a time', async () => {
    await using server = await fakeRedis(answering('-LOADING'))
    const log = { info: () => {}, warn: () => {} } as never
    await using redis = await connectRedis({ url: server.url, name: 'test', log })
    using limiter = redisLimiter({ redis, local: memoryLimiter(), replicas: 10, degraded: () => {}, log })
    assert.equal((await limiter.take([bucket], 1, now)).admitted, true)
    assert.equal((await limiter.take([bucket], 1, now)).retryAfterMs, 5_000)
  })
})
