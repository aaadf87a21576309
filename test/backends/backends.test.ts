import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Redis } from 'ioredis'
import { Kafka, logLevel } from 'kafkajs'
import { MongoClient } from 'mongodb'
import { until } from '../support/until.ts'
import { needsOwnBackends, useBackend } from './backends.ts'
import { startKafka } from './kafka.ts'
import { hasBroker } from './kafkaSettings.ts'
import { startMongo } from './mongo.ts'
import { startRedis } from './redis.ts'

/** What is asked of a back end that was just killed must fail soon, for the test to go on. */
const openMongo = (url: string): MongoClient =>
  new MongoClient(url, { serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 2_000 })

const openRedis = (url: string): Redis => {
  const redis = new Redis(url, { commandTimeout: 1_000, maxRetriesPerRequest: 0, retryStrategy: () => 50 })
  // Told by the commands that fail.
  redis.on('error', () => undefined)
  return redis
}

describe('the back ends that suites share', () => {
  const mongodb = useBackend('mongodb')
  const kafka = useBackend('kafka')
  const redis = useBackend('redis')

  it('MongoDB answers its driver', async () => {
    const client = openMongo(mongodb())
    try {
      const db = client.db(`postrider_backends_${process.pid}`)
      await db.collection<{ _id: string }>('c').insertOne({ _id: 'a' }, { writeConcern: { w: 'majority' } })
      assert.equal(await db.collection('c').countDocuments(), 1)
      await db.dropDatabase()
    } finally {
      await client.close()
    }
  })

  it('Kafka answers its driver', async () => {
    assert.equal(await hasBroker(kafka().split(',')[0] ?? ''), true)
  })

  it('Redis answers its driver', async () => {
    const client = openRedis(redis())
    assert.equal(await client.ping(), 'PONG')
    client.disconnect()
  })
})

describe('back ends of a suite’s own', function () {
  this.timeout(60_000)
  needsOwnBackends()
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-backends-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('MongoDB with a folder has all that it answered for after kill -9, and its indexes agree', async () => {
    await using server = await startMongo({ keep: folder })
    const client = openMongo(server.address)
    try {
      type Doc = { _id: string; key: number; n: number }
      const docs = client.db('kept').collection<Doc>('c')
      await docs.createIndex({ key: 1 }, { unique: true })
      const answered: string[] = []
      let wanted = 0
      const write = async (): Promise<void> => {
        for (;;) {
          const n = wanted++
          await docs.insertOne({ _id: `d${n}`, key: n, n: 0 })
          answered.push(`d${n}`)
        }
      }
      const writers = Promise.allSettled(Array.from({ length: 8 }, write))
      await until('enough is answered', () => answered.length >= 300 || undefined)
      await server.kill9()
      await writers
      await server.restart()

      const kept = await docs.find().toArray()
      const ids = new Set(kept.map(({ _id }) => _id))
      assert.deepEqual(
        answered.filter((id) => !ids.has(id)),
        [],
      )
      for (const { _id, key } of kept.slice(-20)) {
        assert.equal((await docs.findOneAndUpdate({ key, n: 0 }, { $inc: { n: 1 } }))?._id, _id)
        await assert.rejects(docs.insertOne({ _id: `${_id}b`, key, n: 0 }), { code: 11_000 })
      }
    } finally {
      await client.close()
    }
  })

  it('MongoDB without a folder is empty after a restart, under the same address', async () => {
    await using server = await startMongo()
    const { address, pid } = server
    const client = openMongo(address)
    try {
      const docs = client.db('forgotten').collection('c')
      await docs.insertOne({})
      await server.restart()
      assert.equal(await docs.countDocuments(), 0)
      assert.equal(server.address, address)
      assert.notEqual(server.pid, pid)
    } finally {
      await client.close()
    }
  })

  it('Redis answers nothing while paused, goes on when resumed, and is empty after a restart', async () => {
    await using server = await startRedis()
    const client = openRedis(server.address)
    try {
      await client.set('a', '1')
      server.pause()
      await assert.rejects(client.get('a'), /timed out/)
      server.resume()
      assert.equal(await client.get('a'), '1')
      await server.kill9()
      await server.restart()
      assert.equal(await until('Redis is reached', () => client.dbsize().catch(() => undefined)), 0)
    } finally {
      client.disconnect()
    }
  })

  it('Kafka has its topics after kill -9, and none after a wipe', async () => {
    await using server = await startKafka()
    const admin = new Kafka({ brokers: [server.address], logLevel: logLevel.NOTHING }).admin()
    try {
      await admin.connect()
      await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 2 }], waitForLeaders: true })
      await server.kill9()
      await server.restart()
      assert.deepEqual(await admin.listTopics(), ['kept'])
      await server.wipe()
      assert.deepEqual(await admin.listTopics(), [])
    } finally {
      await admin.disconnect()
    }
  })

  it('a process that dies by kill -9 leaves none behind, even a paused one', async () => {
    const script = `
      const { startRedis } = await import(${JSON.stringify(import.meta.resolve('./redis.ts'))})
      const servers = [await startRedis(), await startRedis()]
      servers[0].pause()
      console.log(servers.map(({ pid }) => pid).join())
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    for (const pid of line.trim().split(',').map(Number)) await until('it is gone', () => isGone(pid) || undefined)
  })
})

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
