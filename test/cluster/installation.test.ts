import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { claimDatabase } from '@postrider/adapters/mongo/client/installation.ts'
import { useBackend } from '../backends/backends.ts'
import { runProgram } from './program.ts'

const first = 'mail/postrider'
const second = 'other/postrider'

describe('database of an installation', () => {
  const mongodb = useBackend('mongodb')

  /** Opens an empty database, which is dropped at the end. */
  const emptyDatabase = async () => {
    const url = new URL(mongodb())
    url.pathname = `owned_${randomBytes(4).toString('hex')}`
    const mongo = await connectMongo({ url: url.href, name: 'test' })
    const claim = (name?: string, takeOver: 'on' | 'off' = 'off') =>
      claimDatabase(mongo.db, { POSTRIDER_INSTALLATION: name, POSTRIDER_INSTALLATION_TAKE_OVER: takeOver })
    const close = async (): Promise<void> => {
      await mongo.db.dropDatabase()
      await mongo[Symbol.asyncDispose]()
    }
    return { url: url.href, db: mongo.db, claim, [Symbol.asyncDispose]: close }
  }

  it('belongs to the first installation, even when it starts again', async () => {
    await using database = await emptyDatabase()
    await database.claim(first)
    await database.claim(first)
    await assert.rejects(database.claim(second), ({ code, message }: { code: string; message: string }) => {
      assert.equal(code, 'conflict')
      for (const part of [first, second, 'POSTRIDER_INSTALLATION_TAKE_OVER=on', 'installation.takeOver=true'])
        assert.ok(message.includes(part), message)
      return true
    })
    await database.claim(first)
  })

  it('belongs to the last installation that took it over', async () => {
    await using database = await emptyDatabase()
    await database.claim(first)
    await database.claim(second, 'on')
    await database.claim(second)
    await assert.rejects(database.claim(first), { code: 'conflict' })
    await database.claim(first, 'on')
    await database.claim(first, 'on')
  })

  it('is neither recorded nor checked by a process without a name', async () => {
    await using database = await emptyDatabase()
    await database.claim()
    assert.equal(await database.db.collection('installation').countDocuments(), 0)
    await database.claim(first)
    await database.claim()
  })

  it('belongs to one of several installations that start together', async () => {
    await using database = await emptyDatabase()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const claims = await Promise.allSettled(names.flatMap((name) => [database.claim(name), database.claim(name)]))
    assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 2)
  })

  it('is left unchanged by the preparation and the services of a second installation, which end with the name of the first', async () => {
    await using database = await emptyDatabase()
    await database.claim(first)
    const env = {
      MONGODB_URL: database.url,
      KAFKA_BROKERS: '127.0.0.1:9',
      POSTRIDER_INSTALLATION: second,
      POSTRIDER_WIRE_TOKEN: 'a-token-of-the-tests-that-is-long-enough',
      PORT: '0',
      METRICS_PORT: '0',
    }
    const message = `The database belongs to the installation ${first}, and this one is ${second}.`
    const names = ['prepare', 'quota', 'dispatcher']
    const ended = await Promise.all(names.map((name) => runProgram(`services/${name}/main.ts`, env)))
    for (const [number, { code, output }] of ended.entries()) {
      // Operators find the reason by the name at the start of the line; lines of the log follow it.
      const reasons = output.split('\n').filter((line) => line.startsWith(`${names[number]}: `))
      assert.ok(
        reasons.some((line) => line.includes(message)),
        output,
      )
      assert.equal(code, 1, output)
    }
    const collections = (await database.db.listCollections().toArray()).map(({ name }) => name)
    assert.deepEqual(collections, ['installation'])
  })
})
