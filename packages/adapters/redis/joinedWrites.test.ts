import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fakeRedis, inOrder } from '../../../test/support/fakeRedis.ts'
import { connectRedis } from './connect.ts'
import { joinedWrites } from './joinedWrites.ts'

/** Returns the function that joins writes, and what it logged. */
const withLog = () => {
  const warnings: unknown[][] = []
  return { joinWrites: joinedWrites({ warn: (...line: unknown[]) => void warnings.push(line) } as never), warnings }
}

describe('joined writes of ioredis', () => {
  it('are those of promises that settle together', async () => {
    const { joinWrites, warnings } = withLog()
    const writes: string[] = []
    const stream = new Writable({
      writev: (chunks, done) => {
        writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
        done()
      },
    })
    const write = (text: string): void => {
      joinWrites({ stream })
      stream.write(text)
    }
    await Promise.resolve()
    write('a')
    await Promise.resolve()
    write('b')
    assert.deepEqual(writes, [])
    await new Promise((resolve) => process.nextTick(resolve))
    assert.deepEqual(writes, ['ab'])
    write('c')
    await new Promise((resolve) => process.nextTick(resolve))
    assert.deepEqual([writes, warnings], [['ab', 'c'], []])
  })

  it('fit the clients of the installed version, without a warning', async () => {
    await using server = await fakeRedis(inOrder)
    const log = { info: () => {}, warn: () => {} }
    await using redis = await connectRedis({ url: server.url, name: 'test', log })
    const { joinWrites, warnings } = withLog()
    joinWrites(redis.client)
    assert.equal(redis.client.stream.writableCorked, 1)
    assert.deepEqual(warnings, [])
  })

  for (const [what, client, reason] of [
    ['no stream', {}, 'a client has no member stream'],
    ['an object without methods there', { stream: {} }, 'the stream of a client has no cork'],
    ['null there', { stream: null }, 'the stream of a client has no cork'],
    [
      'a stream that does not count there',
      { stream: { cork() {}, uncork() {} } },
      'the stream of a client has no cork',
    ],
  ] as const)
    it(`are left out with one warning by a version whose clients have ${what}`, () => {
      const { joinWrites, warnings } = withLog()
      for (let n = 0; n < 2; n++) joinWrites(client)
      assert.deepEqual(warnings, [
        [{ library: 'ioredis', reason }, 'patch does not fit this version, running unpatched'],
      ])
    })

  it('were checked against the pinned version', () => {
    const checkedVersion = '6.0.0'
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    assert.equal(
      manifest.dependencies['ioredis'],
      checkedVersion,
      `joinedWrites.ts was checked against ${checkedVersion}; review \`stream\` in built/Redis.js before changing the version`,
    )
  })
})
