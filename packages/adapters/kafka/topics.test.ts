import assert from 'node:assert/strict'
import { refusalIn } from './topics.ts'

const typed = (message: string, type: string): Error => Object.assign(new Error(message), { type })

/** Errors as kafkajs wraps them: those of several topics, and the last one of its retries. */
const aggregate = (...errors: Error[]): Error => Object.assign(new Error('Topic creation errors'), { errors })
const wrapped = (cause: Error): Error => new Error('gave up', { cause })

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
