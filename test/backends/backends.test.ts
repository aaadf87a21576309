import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { quietIdleTimers } from '@postrider/adapters/kafka/idleTimers.ts'
import { Redis } from 'ioredis'
import { Kafka, logLevel } from 'kafkajs'
import { MongoClient } from 'mongodb'
import { until } from '../support/until.ts'
import { needsOwnBackends, useBackend } from './backends.ts'
import { startKafka } from './kafka.ts'
import { hasBroker } from './kafkaSettings.ts'
import { startMongo } from './mongo.ts'
import { startRedis } from './redis.ts'

// The timeouts are short, because calls to a killed back end must fail soon.
const openMongo = (url: string): MongoClient =>
  new MongoClient(url, { serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 2_000 })

const openRedis = (url: string, limits: { commandTimeout?: number } = {}): Redis => {
  const redis = new Redis(url, { ...limits, maxRetriesPerRequest: 0, retryStrategy: () => 50 })
  // The failed commands report the error too.
  redis.on('error', () => undefined)
  return redis
}

describe('shared back ends', () => {
  const mongodb = useBackend('mongodb')
  const kafka = useBackend('kafka')
  const redis = useBackend('redis')

  it('MongoDB stores a document', async () => {
    const client = new MongoClient(mongodb())
    try {
      const db = client.db(`postrider_backends_${process.pid}`)
      await db.collection<{ _id: string }>('c').insertOne({ _id: 'a' }, { writeConcern: { w: 'majority' } })
      assert.equal(await db.collection('c').countDocuments(), 1)
      await db.dropDatabase()
    } finally {
      await client.close()
    }
  })

  it('Kafka lists its broker', async () => {
    assert.equal(await hasBroker(kafka().split(',')[0] ?? ''), true)
  })

  it('Redis responds to PING', async () => {
    const client = openRedis(redis())
    assert.equal(await client.ping(), 'PONG')
    client.disconnect()
  })
})

describe('back ends of one suite', () => {
  needsOwnBackends()
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-backends-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('MongoDB with a folder loses no acknowledged write in kill -9, and its indexes match', async () => {
    await using server = await startMongo({ folder })
    const client = openMongo(server.address)
    try {
      type Doc = { _id: string; key: number; n: number }
      const docs = client.db('durable').collection<Doc>('c')
      await docs.createIndex({ key: 1 }, { unique: true })
      const acknowledged: string[] = []
      let next = 0
      const write = async (): Promise<void> => {
        for (;;) {
          const n = next++
          await docs.insertOne({ _id: `d${n}`, key: n, n: 0 })
          acknowledged.push(`d${n}`)
        }
      }
      const writers = Promise.allSettled(Array.from({ length: 8 }, write))
      await until('300 writes are acknowledged', () => acknowledged.length >= 300 || undefined)
      await server.kill9()
      await writers
      await server.restart()

      const stored = await docs.find().toArray()
      const ids = new Set(stored.map(({ _id }) => _id))
      assert.deepEqual(
        acknowledged.filter((id) => !ids.has(id)),
        [],
      )
      for (const { _id, key } of stored.slice(-20)) {
        assert.equal((await docs.findOneAndUpdate({ key, n: 0 }, { $inc: { n: 1 } }))?._id, _id)
        await assert.rejects(docs.insertOne({ _id: `${_id}b`, key, n: 0 }), { code: 11_000 })
      }
    } finally {
      await client.close()
    }
  })

  it('MongoDB without a folder is empty after a restart at the same address', async () => {
    await using server = await startMongo()
    const { address, pid } = server
    const client = openMongo(address)
    try {
      const docs = client.db('volatile').collection('c')
      await docs.insertOne({})
      await server.restart()
      assert.equal(await docs.countDocuments(), 0)
      assert.equal(server.address, address)
      assert.notEqual(server.pid, pid)
    } finally {
      await client.close()
    }
  })

  it('Redis does not respond while paused, responds when resumed, and is empty after a restart', async () => {
    await using server = await startRedis()
    const client = openRedis(server.address)
    // Only the command that is to be late has a limit: on a busy machine each other one can be late too.
    const impatient = openRedis(server.address, { commandTimeout: 1_000 })
    try {
      await client.set('a', '1')
      await until('the other client is connected', () => impatient.ping().catch(() => undefined))
      server.pause()
      await assert.rejects(impatient.get('a'), /timed out/)
      server.resume()
      assert.equal(await client.get('a'), '1')
      await server.kill9()
      await server.restart()
      assert.equal(await until('Redis responds', () => client.dbsize().catch(() => undefined)), 0)
    } finally {
      for (const one of [client, impatient]) one.disconnect()
    }
  })

  it('Kafka has its topics after kill -9, and no topics after a wipe', async () => {
    await using server = await startKafka()
    quietIdleTimers({ warn: () => {} })
    const admin = new Kafka({ brokers: [server.address], logLevel: logLevel.NOTHING }).admin()
    try {
      await admin.connect()
      await admin.createTopics({ topics: [{ topic: 'durable', numPartitions: 2 }], waitForLeaders: true })
      await server.kill9()
      await server.restart()
      assert.deepEqual(await admin.listTopics(), ['durable'])
      await server.wipe()
      assert.deepEqual(await admin.listTopics(), [])
    } finally {
      await admin.disconnect()
    }
  })

  it('end when kill -9 ends the process that started them, even while they are paused', async () => {
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
    for (const pid of line.trim().split(',').map(Number)) await until('it has ended', () => hasEnded(pid) || undefined)
  })
})

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
