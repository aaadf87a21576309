import assert from 'node:assert/strict'
import { redactor } from './redact.ts'

describe('redactor', () => {
  const cases: [name: string, value: string, text: string, expected: string][] = [
    ['REDIS_URL', 'redis://:p%23ssword@host:1', 'ENOTFOUND p%23ssword', 'ENOTFOUND ***'],
    ['REDIS_URL', 'redis://:p%23ssword@host:1', 'the login p#ssword', 'the login ***'],
    ['REDIS_URL', 'redis://:p%23ssword@host:1', "input: 'redis://:p%23ssword@host:1'", "input: '***'"],
    ['REDIS_URL', 'redis://host:6379', 'no answer from redis://host:6379', 'no answer from redis://host:6379'],
    ['MONGODB_URL', 'mongodb://ada:secret1@host/db', 'ada, secret1, host', 'ada, ***, host'],
    ['MONGODB_URL', 'mongodb://h/?tlsCertificateKeyFilePassword=secret1', 'bad secret1', 'bad ***'],
    ['POSTRIDER_WIRE_TOKEN', 'first-token, other-token', 'Bearer other-token', 'Bearer ***'],
    ['KAFKA_PASSWORD', 'secret1', 'PLAIN secret1', 'PLAIN ***'],
    ['POSTRIDER_SENDER', 'mail@host', 'mail@host', 'mail@host'],
    // A short text would also be found inside ordinary words.
    ['KAFKA_PASSWORD', 'e', 'refused', 'refused'],
  ]
  for (const [name, value, text, expected] of cases)
    it(`turns "${text}" into "${expected}" for ${name}=${value}`, () => {
      assert.equal(redactor({ [name]: value })(text), expected)
    })
})
