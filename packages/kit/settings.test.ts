import assert from 'node:assert/strict'
import { z } from 'zod'
import * as backend from './backendSettings.ts'
import * as peer from './peerSettings.ts'
import * as settings from './settings.ts'

const errorsOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('settings', () => {
  const token = 'a-token-of-at-least-thirty-two-characters'
  const security = z
    .object({ ...peer.peerSecurity, ...peer.callerTokens.gateway, ...peer.callerTokens.intake })
    .superRefine(peer.allTlsFiles)
    .superRefine(peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_INTAKE'))
  const kafka = z.object(backend.kafka).superRefine(backend.wholeKafkaLogin)

  it('require all three files of mutual TLS or none', () => {
    assert.deepEqual(errorsOf(security, { POSTRIDER_WIRE_TOKEN: token }), [])
    const all = { POSTRIDER_WIRE_CA: 'ca', POSTRIDER_WIRE_CERT: 'cert', POSTRIDER_WIRE_KEY: 'key' }
    assert.deepEqual(errorsOf(security, { POSTRIDER_WIRE_TOKEN: token, ...all }), [])
    assert.deepEqual(errorsOf(security, { POSTRIDER_WIRE_TOKEN: token, POSTRIDER_WIRE_KEY: 'key' }), [
      'POSTRIDER_WIRE_CA: needs POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY: set all three or none',
    ])
  })

  it('report a wrong or missing token by its required form', () => {
    const wrong =
      'must be one token, or several separated by commas, each of at least 32 characters of ASCII and no white space'
    for (const text of ['short', 'short,', ',', `${token},`, `${token},short`, `${token} ${token}`, `${token}ä`])
      assert.deepEqual(errorsOf(security, { POSTRIDER_WIRE_TOKEN: text }), [`POSTRIDER_WIRE_TOKEN: ${wrong}`])
  })

  const own = { POSTRIDER_WIRE_TOKEN_GATEWAY: token, POSTRIDER_WIRE_TOKEN_INTAKE: token }
  const files = { POSTRIDER_WIRE_CA: 'ca', POSTRIDER_WIRE_CERT: 'cert', POSTRIDER_WIRE_KEY: 'key' }
  const both = 'POSTRIDER_WIRE_TOKEN_GATEWAY and POSTRIDER_WIRE_TOKEN_INTAKE'
  const identities: [name: string, env: Record<string, string>, errors: string[]][] = [
    ['a shared token', { POSTRIDER_WIRE_TOKEN: token }, []],
    ['a token for each caller', own, []],
    ['a token for each caller and a shared one', { ...own, POSTRIDER_WIRE_TOKEN: token }, []],
    ['certificates', { POSTRIDER_WIRE_IDENTITY: 'certificate', ...files }, []],
    ['nothing', {}, ['POSTRIDER_WIRE_TOKEN: must be set, with at least 32 characters']],
    [
      'a token for one of two callers',
      { POSTRIDER_WIRE_TOKEN_INTAKE: token, POSTRIDER_WIRE_TOKEN: token },
      [`POSTRIDER_WIRE_TOKEN_GATEWAY: must be set too: set ${both}, or none of them`],
    ],
    [
      'certificates without their files',
      { POSTRIDER_WIRE_IDENTITY: 'certificate', POSTRIDER_WIRE_TOKEN: token },
      ['POSTRIDER_WIRE_IDENTITY: certificate needs POSTRIDER_WIRE_CA, POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY'],
    ],
  ]
  for (const [name, env, errors] of identities)
    it(`${errors.length === 0 ? 'accept' : 'reject'} ${name} as the identity of callers`, () => {
      assert.deepEqual(errorsOf(security, env), errors)
    })

  it('accept several tokens, separated by commas', () => {
    const next = 'another-one-of-at-least-thirty-two-characters'
    for (const both of [`${token},${next}`, `${token}, ${next}\n`]) {
      assert.deepEqual(security.parse({ POSTRIDER_WIRE_TOKEN: both }).POSTRIDER_WIRE_TOKEN, [token, next])
    }
  })

  it('require all three variables of the Kafka login or none', () => {
    const login = { KAFKA_SASL: 'plain', KAFKA_USERNAME: 'ada', KAFKA_PASSWORD: 'secret' }
    assert.deepEqual(errorsOf(kafka, { KAFKA_BROKERS: 'kafka:9092' }), [])
    assert.deepEqual(errorsOf(kafka, { KAFKA_BROKERS: 'kafka:9092', ...login }), [])
    const { KAFKA_PASSWORD: _, ...part } = login
    assert.deepEqual(errorsOf(kafka, { KAFKA_BROKERS: 'kafka:9092', ...part }), [
      'KAFKA_SASL: a login needs KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD: set all three or none',
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
    it(`${right ? 'accept' : 'reject'} "${text}" as the address of a service`, () => {
      const errors = errorsOf(peer.peers.intake.POSTRIDER_INTAKE, text)
      assert.deepEqual(errors, right ? [] : [': must be host:port, comma-separated, such as intake:50051'])
    })
  }

  const dnsServers: [text: string, servers: object[] | string][] = [
    ['127.0.0.1:5353', [{ address: '127.0.0.1', port: 5353 }]],
    [
      '[::1]:53, dns.internal:65535',
      [
        { address: '::1', port: 53 },
        { address: 'dns.internal', port: 65_535 },
      ],
    ],
    ['127.0.0.1', ': must be host:port, comma-separated, such as 127.0.0.1:53'],
    ['::1:53', ': must be host:port, comma-separated, such as 127.0.0.1:53'],
    ['dns:0', ': must be host:port, comma-separated, such as 127.0.0.1:53'],
    [',', ': must be host:port, comma-separated, such as 127.0.0.1:53'],
    ['dns:65536', ': must have ports of 1 to 65535'],
  ]
  for (const [text, expected] of dnsServers) {
    it(`${typeof expected === 'string' ? 'reject' : 'accept'} "${text}" as DNS servers`, () => {
      const { POSTRIDER_DNS: schema } = settings.dns
      if (typeof expected === 'string') assert.deepEqual(errorsOf(schema, text), [expected])
      else assert.deepEqual(schema.parse(text), expected)
    })
  }

  it('report a missing URL with an example', () => {
    const expected = ': must be set, such as mongodb://user:password@host:27017/postrider'
    assert.deepEqual(errorsOf(backend.mongo.MONGODB_URL, undefined), [expected])
  })
})
