import assert from 'node:assert/strict'
import { fakeRedis, inOrder } from '../../../test/support/fakeRedis.ts'
import { until } from '../../../test/support/until.ts'
import { connectRedis } from './connect.ts'

const quiet = { info: () => {}, warn: () => {} }

describe('a connection with Redis', () => {
  it('shows the user and password of its address, and its name', async () => {
    const said: string[] = []
    await using server = await fakeRedis((command) => {
      said.push(command.join(' '))
      return inOrder(command)
    })
    const url = server.url.replace('//', '//ada:p%40ss%2Fword@')
    await using _ = await connectRedis({ url, name: 'gateway', log: quiet })
    assert.ok(said.includes('auth ada p@ss/word'), said.join(', '))
    assert.ok(said.includes('client setname gateway'), said.join(', '))
  })

  it('speaks TLS where the address says so', async () => {
    await using server = await fakeRedis(inOrder)
    await using redis = await connectRedis({
      url: server.url.replace('redis:', 'rediss:'),
      name: 'gateway',
      log: quiet,
    })
    await assert.rejects(redis.ping(), { code: 'unavailable' })
  })

  it('tells once that it is lost, and once that it is back', async () => {
    const told: string[] = []
    const log = {
      info: (line: string) => told.push(line),
      warn: (_: unknown, line = '') => told.push(line),
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
    await until('it was tried three times', () => (greetings >= 3 ? true : undefined))
    server.act(inOrder)
    await until('it is back', () => (told.length >= 3 ? true : undefined))
    assert.deepEqual(told, ['redis.connected', 'redis.away: tried again until it answers', 'redis.connected'])
  })
})
