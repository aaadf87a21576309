import assert from 'node:assert/strict'
import { refusalIn } from './refusal.ts'

const typed = (message: string, type: string): Error => Object.assign(new Error(message), { type })

/** As the client wraps what came of several topics, and then of its retries. */
const aggregate = (...errors: Error[]): Error => Object.assign(new Error('Topic creation errors'), { errors })
const wrapped = (cause: Error): Error => new Error('gave up', { cause })

describe('a failure of Kafka', () => {
  it('is a refusal where a login or a right is wrong, however it is wrapped', () => {
    const login = Object.assign(new Error('SASL failed'), { name: 'KafkaJSSASLAuthenticationError' })
    const right = typed('Topic authorization failed', 'TOPIC_AUTHORIZATION_FAILED')
    for (const refusal of [login, right]) {
      for (const thrown of [refusal, wrapped(refusal), aggregate(new Error('other'), refusal)])
        assert.equal(refusalIn(thrown), refusal)
    }
  })

  it('is none where it may pass', () => {
    const away = new Error('connect ECONNREFUSED')
    const few = typed('Replication-factor is invalid', 'INVALID_REPLICATION_FACTOR')
    for (const thrown of [wrapped(wrapped(away)), aggregate(few)]) assert.equal(refusalIn(thrown), null)
  })
})
