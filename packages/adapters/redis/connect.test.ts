import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { fakeRedis, inOrder } from '../../../test/support/fakeRedis.ts'
import { until } from '../../../test/support/until.ts'
import { connectRedis, repliedWithin } from './connect.ts'

const quiet = { info: () => {}, warn: () => {} }

describe('Redis connection', () => {
  it('sends user and password of the URL and the name of the process', async () => {
    const received: string[] = []
    await using server = await fakeRedis((command) => {
      received.push(command.join(' '))
      return inOrder(command)
    })
    const url = server.url.replace('//', '//ada:p%40ss%2Fword@')
    await using _ = await connectRedis({ url, name: 'gateway', log: quiet })
    assert.ok(received.includes('auth ada p@ss/word'), received.join(', '))
    assert.ok(received.includes('client setname gateway'), received.join(', '))
  })

  it('connects over TLS for rediss:', async () => {
    await using server = await fakeRedis(inOrder)
    const url = server.url.replace('redis:', 'rediss:')
    await using redis = await connectRedis({ url, name: 'gateway', log: quiet })
    await assert.rejects(redis.ping(), { code: 'unavailable' })
  })

  it('logs an outage once, and its end once', async () => {
    const lines: string[] = []
    const log = {
      info: (first: unknown, line = '') => lines.push(typeof first === 'string' ? first : line),
      warn: (_: unknown, line = '') => lines.push(line),
    }
    await using server = await fakeRedis(inOrder)
    await using redis = await connectRedis({ url: server.url, name: 'gateway', log })
    await redis.ping()
    let greetings = 0
    server.act(([command = '']) => {
      if (command === 'hello') greetings++
      return '-LOADING Redis is loading the dataset in memory'
    })
    server.cut()
    await until('three reconnects', () => (greetings >= 3 ? true : undefined))
    server.act(inOrder)
    await until('it is back', () => (lines.length >= 3 ? true : undefined))
    assert.deepEqual(lines, ['redis.connected', 'redis.away', 'redis.connected'])
  })
})

describe('time limit of Redis', () => {
  // On a busy machine a process without a core for 50 ms applied its own limits although the reply of Redis had
  // arrived.
  it('is not exceeded because this process stalls once or twice', async () => {
    const answering = async (): Promise<string> => {
      for (let stall = 0; stall < 2; stall++) {
        await nextIteration()
        const since = performance.now()
        while (performance.now() - since < 60);
      }
      await nextIteration()
      return 'answer'
    }
    assert.equal(await repliedWithin(50, answering()), 'answer')
  })

  it('is exceeded if no reply arrives', async () => {
    await assert.rejects(repliedWithin(5, new Promise(() => {})), /no response within 5 ms/)
  })
})
