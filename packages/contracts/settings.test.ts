import assert from 'node:assert/strict'
import { z } from 'zod'
import * as settings from './settings.ts'

const faultsOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('settings', () => {
  const token = 'a-token-of-at-least-thirty-two-characters'
  const wire = z.object(settings.wire).superRefine(settings.allWireFiles)
  const kafka = z.object(settings.kafka).superRefine(settings.wholeKafkaLogin)

  it('the wire has mutual TLS with all three files, or none', () => {
    assert.deepEqual(faultsOf(wire, { POSTRIDER_WIRE_TOKEN: token }), [])
    const all = { POSTRIDER_WIRE_CA: 'ca', POSTRIDER_WIRE_CERT: 'cert', POSTRIDER_WIRE_KEY: 'key' }
    assert.deepEqual(faultsOf(wire, { POSTRIDER_WIRE_TOKEN: token, ...all }), [])
    assert.deepEqual(faultsOf(wire, { POSTRIDER_WIRE_TOKEN: token, POSTRIDER_WIRE_KEY: 'key' }), [
      'POSTRIDER_WIRE_CA: needs POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY beside it: all three or none',
    ])
  })

  it('tokens that are wrong or missing are told by what they must be', () => {
    const wrong = 'must be one token, or several with commas between, each of at least 32 characters and no white space'
    for (const text of ['short', 'short,', ',', `${token},`, `${token},short`, `${token} ${token}`])
      assert.deepEqual(faultsOf(wire, { POSTRIDER_WIRE_TOKEN: text }), [`POSTRIDER_WIRE_TOKEN: ${wrong}`])
    const missing = ['POSTRIDER_WIRE_TOKEN: must be set, with at least 32 characters']
    assert.deepEqual(faultsOf(wire, {}), missing)
  })

  it('a token that is being changed stands beside the next one', () => {
    const next = 'another-one-of-at-least-thirty-two-characters'
    for (const both of [`${token},${next}`, `${token}, ${next}\n`]) {
      assert.deepEqual(wire.parse({ POSTRIDER_WIRE_TOKEN: both }).POSTRIDER_WIRE_TOKEN, [token, next])
    }
  })

  it('Kafka is logged in to with all three, or not at all', () => {
    const login = { KAFKA_SASL: 'plain', KAFKA_USERNAME: 'ada', KAFKA_PASSWORD: 'secret' }
    assert.deepEqual(faultsOf(kafka, { KAFKA_BROKERS: 'kafka:9092' }), [])
    assert.deepEqual(faultsOf(kafka, { KAFKA_BROKERS: 'kafka:9092', ...login }), [])
    const { KAFKA_PASSWORD: _, ...part } = login
    assert.deepEqual(faultsOf(kafka, { KAFKA_BROKERS: 'kafka:9092', ...part }), [
      'KAFKA_SASL: a login needs KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD: all three or none',
    ])
  })

  const addresses: [text: string, right: boolean][] = [
    ['intake:50051', true],
    ['intake-0.intake:50051, intake-1.intake:50051', true],
    ['[::1]:50051', true],
    ['intake', false],
    ['intake:0', false],
    ['http://intake:50051', false],
    [',', false],
    ['', false],
  ]
  for (const [text, right] of addresses) {
    it(`“${text}” is ${right ? 'an' : 'no'} address of a service`, () => {
      const faults = faultsOf(settings.peers.intake.POSTRIDER_INTAKE, text)
      assert.deepEqual(faults, right ? [] : [': must be host:port, comma-separated, such as intake:50051'])
    })
  }

  it('a store that is missing is told with an example', () => {
    const told = ': must be set, such as mongodb://user:password@host:27017/postrider'
    assert.deepEqual(faultsOf(settings.mongo.MONGODB_URL, undefined), [told])
  })
})
