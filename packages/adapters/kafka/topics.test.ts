import assert from 'node:assert/strict'
import type { Kafka } from 'kafkajs'
import { ensureTopics, notificationTopics, refusalIn, topicNames } from './topics.ts'

const typed = (message: string, type: string): Error => Object.assign(new Error(message), { type })

/** Errors as kafkajs wraps them: those of several topics, and the last one of its retries. */
const aggregate = (...errors: Error[]): Error => Object.assign(new Error('Topic creation errors'), { errors })
const wrapped = (cause: Error): Error => new Error('gave up', { cause })

describe('ensureTopics', () => {
  const names = topicNames('test.')
  const shape = { partitions: 2, replicationFactor: 1 }

  /** Kafka with all topics, whose broker returns an error for the first requests for their metadata. */
  const brokerThatFails = (times: number, type: string) => {
    const calls = { count: 0 }
    const admin = {
      connect: async () => {},
      disconnect: async () => {},
      listTopics: async () =>
        Object.values(names).flatMap((name) => (typeof name === 'string' ? name : Object.values(name))),
      fetchTopicMetadata: async () => {
        if (calls.count++ < times) throw typed('This server does not host this topic-partition', type)
        return { topics: notificationTopics(names).map((name) => ({ name, partitions: [{}, {}] })) }
      },
    }
    return { calls, kafka: { admin: () => admin } as unknown as Kafka }
  }

  // Of processes that start together, one creates the topics. The others failed when they queried a broker too early.
  it('repeats the request for a topic that the broker does not know yet', async () => {
    const { calls, kafka } = brokerThatFails(2, 'UNKNOWN_TOPIC_OR_PARTITION')
    await ensureTopics(kafka, names, shape)
    assert.equal(calls.count, 3)
  })

  it('throws another error immediately', async () => {
    const { calls, kafka } = brokerThatFails(1, 'TOPIC_AUTHORIZATION_FAILED')
    await assert.rejects(ensureTopics(kafka, names, shape), { type: 'TOPIC_AUTHORIZATION_FAILED' })
    assert.equal(calls.count, 1)
  })
})

describe('refusalIn', () => {
  it('returns the error of a wrong login or missing right, however it is wrapped', () => {
    const login = Object.assign(new Error('SASL failed'), { name: 'KafkaJSSASLAuthenticationError' })
    const right = typed('Topic authorization failed', 'TOPIC_AUTHORIZATION_FAILED')
    for (const refusal of [login, right]) {
      for (const thrown of [refusal, wrapped(refusal), aggregate(new Error('other'), refusal)])
        assert.equal(refusalIn(thrown), refusal)
    }
  })

  it('returns null for an error that may pass', () => {
    const away = new Error('connect ECONNREFUSED')
    const few = typed('Replication-factor is invalid', 'INVALID_REPLICATION_FACTOR')
    for (const thrown of [wrapped(wrapped(away)), aggregate(few)]) assert.equal(refusalIn(thrown), null)
  })
})
