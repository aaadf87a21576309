import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Redis } from '@postrider/adapters/redis/connect.ts'
import { MongoClient } from 'mongodb'
import { plainKafka } from '../contract/kafka.ts'
import { quietRedis } from '../contract/redis.ts'
import { root } from './project.ts'
import { unusedSpace } from './sqlitePages.ts'
import type { Standalone } from './standalone.ts'
import type { System } from './suite.ts'

/** Stored and printed data, as bytes in Latin-1, by location: a file, a collection, a topic, Redis, the logs. */
export type Everything = Map<string, string>

/** Returns all that the processes of a system have stored and printed. */
export const everythingOf = async ({ standalone, cluster }: System): Promise<Everything> => {
  if (standalone) return ofOneProcess(standalone)
  if (!cluster) throw new Error('the stores of a service that was running already are not known')
  const { MONGODB_URL = '', KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', REDIS_URL = '' } = cluster.env
  const logs = cluster.members.map((one) => [`log of ${one.service}-${one.number}`, one.output()] as const)
  const stored = [
    ...(await collections(MONGODB_URL)),
    ...(await topics(KAFKA_BROKERS.split(','), KAFKA_TOPIC_PREFIX)),
    ['redis', await redisValues(REDIS_URL)] as const,
  ]
  return new Map([...logs, ...stored])
}

/**
 * The files of the data directory, a backup as docs/one-machine.md makes it, and the log. Of the database, without the
 * unused space of its pages, where SQLite leaves former copies of rows that it moved: that page states it, and the
 * backup has none of them.
 */
const ofOneProcess = async ({ data, output }: Standalone): Promise<Everything> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-backup-'))
  try {
    const page = readFileSync(join(root, 'docs/one-machine.md'), 'utf8')
    const commands = (/^```sh\n(.*?)^```$/ms.exec(page)?.[1] ?? '')
      .replaceAll('/opt/postrider', root)
      .replaceAll('/var/lib/postrider', data)
      .replaceAll('/var/backups/postrider', folder)
    await promisify(execFile)('bash', ['-e', '-c', commands])
    const files = (name: string, directory: string) =>
      globSync('**', { cwd: directory, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const bytes = readFileSync(join(entry.parentPath, entry.name))
          const location = `${name} ${entry.name}`
          if (location === 'data postrider.db') for (const [from, to] of unusedSpace(bytes)) bytes.fill(0, from, to)
          return [location, bytes.toString('latin1')] as const
        })
    return new Map([...files('data', data), ...files('backup', folder), ['log', output()]])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const collections = async (url: string): Promise<Everything> => {
  const client = await new MongoClient(url, { raw: true, serverSelectionTimeoutMS: 120_000 }).connect()
  try {
    const db = client.db()
    const found: Everything = new Map()
    for (const { name } of await db.listCollections({}, { raw: false }).toArray()) {
      const documents = (await db.collection(name).find().toArray()) as unknown as Buffer[]
      found.set(`collection ${name}`, documents.map((bytes) => bytes.toString('latin1')).join('\n'))
    }
    return found
  } finally {
    await client.close()
  }
}

/** Reads the topics from their first record to those that were there when it began. */
const topics = async (brokers: readonly string[], prefix: string): Promise<Everything> => {
  const kafka = plainKafka(brokers)
  const admin = kafka.admin()
  await admin.connect()
  const names = (await admin.listTopics()).filter((name) => name.startsWith(prefix))
  const found: Everything = new Map(names.map((name) => [`topic ${name.slice(prefix.length)}`, '']))
  const unread = new Map<string, number>()
  for (const topic of names)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) unread.set(`${topic} ${partition}`, Number(high))
  await admin.disconnect()
  const all = Promise.withResolvers<void>()
  if (unread.size === 0) all.resolve()
  const consumer = kafka.consumer({ groupId: `${prefix}everything-${Date.now()}` })
  await consumer.connect()
  await consumer.subscribe({ topics: names, fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      const location = `topic ${topic.slice(prefix.length)}`
      const headers = Object.values(message.headers ?? {}).map(String)
      const parts = [message.key, message.value, ...headers].map((part) => part?.toString('latin1') ?? '')
      found.set(location, [found.get(location), ...parts].join('\n'))
      const high = unread.get(`${topic} ${partition}`)
      if (high !== undefined && Number(message.offset) >= high - 1) unread.delete(`${topic} ${partition}`)
      if (unread.size === 0) all.resolve()
    },
  })
  await all.promise
  await consumer.disconnect()
  return found
}

/** Every key with its value. */
const redisValues = async (url: string): Promise<string> => {
  const redis: Redis = await quietRedis(url)
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.client.get(key),
    hash: (key) => redis.client.hgetall(key),
    list: (key) => redis.client.lrange(key, 0, -1),
    set: (key) => redis.client.smembers(key),
    zset: (key) => redis.client.zrange(key, '0', '-1'),
    stream: (key) => redis.client.xrange(key, '-', '+'),
  }
  try {
    const found: string[] = []
    for await (const keys of redis.client.scanStream({ count: 1_000 })) {
      for (const key of keys as string[]) {
        found.push(key, JSON.stringify(await read[await redis.client.type(key)]?.(key)))
      }
    }
    return found.join('\n')
  } finally {
    await redis[Symbol.asyncDispose]()
  }
}

/** Returns a word as it can be stored: as it is, in hexadecimal, and in base64 after any number of bytes. */
const formsOf = (word: string): string[] => [
  word,
  Buffer.from(word).toString('hex'),
  ...[0, 1, 2].map((shift) =>
    Buffer.from('\0'.repeat(shift) + word)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  ),
]

/** Returns the locations that contain a word in any case and form. Long values in base64 are broken into lines. */
export const locationsOf = (everything: Everything, word: string): string[] => {
  const forms = formsOf(word).map((form) => form.toLowerCase())
  return [...everything]
    .filter(([, text]) => {
      const lower = text.toLowerCase()
      return forms.some((form) => lower.includes(form))
    })
    .map(([location]) => location)
    .toSorted()
}
