import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { addressOf, kafkaClients } from '@postrider/adapters/kafka/client.ts'
import { makeTopics } from '@postrider/adapters/kafka/topics.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { Config } from '@postrider/prepare/config.ts'
import { useBackend } from '../backends/backends.ts'
import { runPrepare } from '../cluster/program.ts'
import { freePort } from '../support/freePort.ts'

describe('prepare program', function prepareSuite() {
  const mongodb = useBackend('mongodb')
  const kafka = useBackend('kafka')

  it('creates every index and topic and exits with 0, even when it runs again', async () => {
    const name = `prepared_${randomBytes(4).toString('hex')}`
    const url = new URL(mongodb())
    url.pathname = name
    const env = { MONGODB_URL: url.href, KAFKA_BROKERS: kafka(), KAFKA_TOPIC_PREFIX: `${name}.`, KAFKA_PARTITIONS: '3' }
    for (const _ of ['first', 'again']) {
      const { code, output } = await runPrepare(env)
      assert.equal(code, 0, output)
    }
    await using mongo = await connectMongo({ url: url.href, name: 'test' })
    for (const [collection, wanted] of Object.entries(allIndexes)) {
      const made = await mongo.db.collection(collection).indexes()
      const missing = wanted.filter(({ key }) => !made.some((one) => JSON.stringify(one.key) === JSON.stringify(key)))
      assert.deepEqual(missing, [], collection)
    }
    await mongo.db.dropDatabase()
    const client = kafkaClients({ brokers: [kafka()], name: 'test', log: makeLog('test', 'silent') })()
    const admin = client.admin()
    await admin.connect()
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${name}.`)).sort()
    assert.deepEqual(
      topics,
      ['due.marketing', 'due.transactional', 'events', 'parked'].map((topic) => `${name}.postrider.${topic}`),
    )
    await admin.deleteTopics({ topics })
    await admin.disconnect()
  })

  it('waits for an unavailable or unsuitable store until the deadline', async () => {
    const port = await freePort()
    const log = makeLog('test', 'silent')
    const away = { MONGODB_URL: `mongodb://127.0.0.1:${port}`, KAFKA_BROKERS: `127.0.0.1:${port}` }
    const silence = { maxMs: 1_000, elapsedMs: () => performance.now() }
    const wait = { log, stopping: new AbortController().signal, silence }
    const topics = (over: object) => {
      const config = Config.parse({ ...away, ...over })
      const newClient = kafkaClients({ ...addressOf('test', config), log })
      return retryUntilAvailable('Kafka', wait, () => makeTopics({ client: newClient(), config, log }))
    }
    const mongo = retryUntilAvailable('MongoDB', wait, () => connectMongo({ url: away.MONGODB_URL, name: 'test' }))
    const ends = async (waited: Promise<unknown>, what: string, reason: RegExp) => {
      await assert.rejects(waited, ({ message, cause }: Error) => {
        assert.equal(message, `${what} did not become available within 1 s.`)
        assert.match(String((cause as Error).message), reason)
        return true
      })
    }
    const tooMany = { KAFKA_BROKERS: kafka(), KAFKA_REPLICATION: '3', KAFKA_TOPIC_PREFIX: 'toomany.' }
    await Promise.all([
      ends(mongo, 'MongoDB', /ECONNREFUSED/),
      ends(topics({}), 'Kafka', /ECONNREFUSED/),
      ends(topics(tooMany), 'Kafka', /Replication-factor is invalid/),
    ])
  })

  it('exits with 2 and prints every invalid variable', async () => {
    const { code, output } = await runPrepare({ KAFKA_SASL: 'plain' })
    assert.equal(code, 2)
    for (const name of ['MONGODB_URL', 'KAFKA_BROKERS', 'KAFKA_SASL']) assert.match(output, new RegExp(`  ${name}: `))
  })
})
