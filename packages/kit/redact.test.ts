import assert from 'node:assert/strict'
import { redactor } from './redact.ts'

describe('redactor', () => {
  const cases: [name: string, value: string, text: string, expected: string][] = [
    ['REDIS_URL', 'redis://:p%23ssword@host:1', 'ENOTFOUND p%23ssword', 'ENOTFOUND ***'],
    ['REDIS_URL', 'redis://:p%23ssword@host:1', 'the login p#ssword', 'the login ***'],
    ['REDIS_URL', 'redis://:p%23ssword@host:1', "input: 'redis://:p%23ssword@host:1'", "input: '***'"],
    ['REDIS_URL', 'redis://host:6379', 'no response from redis://host:6379', 'no response from redis://host:6379'],
    ['MONGODB_URL', 'mongodb://ada:secret1@host/db', 'ada, secret1, host', 'ada, ***, host'],
    ['MONGODB_URL', 'mongodb://h/?tlsCertificateKeyFilePassword=secret1', 'bad secret1', 'bad ***'],
    ['POSTRIDER_WIRE_TOKEN', 'first-token, other-token', 'Bearer other-token', 'Bearer ***'],
    ['KAFKA_PASSWORD', 'secret1', 'PLAIN secret1', 'PLAIN ***'],
    // Schemes and white space around a URL are read like this too, and its password was not found then.
    ['POSTRIDER_ROUTE', 'SMTPS://ada:secret1@host', 'AUTH secret1', 'AUTH ***'],
    ['REDIS_URL', ' redis://:secret1@host:1\n', 'WRONGPASS secret1', 'WRONGPASS ***'],
    ['POSTRIDER_ROUTE', 'mailbox:', 'use mailbox:', 'use mailbox:'],
    ['KAFKA_USERNAME', 'postrider', 'at /srv/postrider/main.ts', 'at /srv/postrider/main.ts'],
    ['POSTRIDER_SENDER', 'mail@host', 'mail@host', 'mail@host'],
    // A short text would also be found inside ordinary words.
    ['KAFKA_PASSWORD', 'e', 'refused', 'refused'],
  ]
  for (const [name, value, text, expected] of cases)
    it(`turns "${text}" into "${expected}" for ${name}=${value}`, () => {
      assert.equal(redactor({ [name]: value })(text), expected)
    })
})
