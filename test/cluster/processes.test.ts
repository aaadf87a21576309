import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { useBackend } from '../backends/backends.ts'
import { type ServiceName, serviceNames } from './member.ts'
import { runProgram } from './program.ts'
import { mainOf, unreachable } from './unreachable.ts'

const mustBeSet = {
  wireToken: 'POSTRIDER_WIRE_TOKEN: must be set, with at least 32 characters',
  secret: 'POSTRIDER_SECRET: must be set, with at least 32 characters',
  mongo: 'MONGODB_URL: must be set, such as mongodb://user:password@host:27017/postrider',
  kafka: 'KAFKA_BROKERS: must be set, such as kafka:9092',
  redis: 'REDIS_URL: must be set, such as redis://:password@host:6379',
  publicUrl: 'POSTRIDER_PUBLIC_URL: must be set, such as https://mail.example.com',
  accounts: 'POSTRIDER_ACCOUNTS: must be set, such as accounts:50051',
  templates: 'POSTRIDER_TEMPLATES: must be set, such as templates:50051',
  quota: 'POSTRIDER_QUOTA: must be set, such as quota:50051',
  intake: 'POSTRIDER_INTAKE: must be set, such as intake:50051',
  domains: 'POSTRIDER_DOMAINS: must be set, such as domains:50051',
  webhooks: 'POSTRIDER_WEBHOOKS: must be set, such as webhooks:50051',
}

const missing: Record<ServiceName, (keyof typeof mustBeSet)[]> = {
  accounts: ['wireToken', 'intake', 'mongo', 'redis', 'publicUrl', 'secret'],
  templates: ['wireToken', 'mongo'],
  quota: ['wireToken', 'mongo'],
  domains: ['wireToken', 'mongo', 'secret'],
  webhooks: ['wireToken', 'mongo', 'kafka', 'secret'],
  intake: ['wireToken', 'templates', 'quota', 'mongo', 'kafka'],
  dispatcher: ['mongo', 'kafka'],
  gateway: [
    'wireToken',
    'accounts',
    'templates',
    'quota',
    'intake',
    'domains',
    'webhooks',
    'redis',
    'publicUrl',
    'secret',
  ],
}

describe('configuration of a process', () => {
  for (const service of serviceNames) {
    it(`makes ${service} end with 2 and name all required variables if none is set`, async () => {
      const { code, output } = await runProgram(mainOf(service), {})
      const errors = missing[service].map((name) => `  ${mustBeSet[name]}\n`)
      const head = `invalid configuration (${errors.length} errors); see docs/config.md`
      assert.equal(output, `${service}: ${head}\n${errors.join('')}`)
      assert.equal(code, 2)
    })
  }

  it('is reported with invalid variables, invalid combinations and variables without effect together', async () => {
    const { code, output } = await runProgram(mainOf('intake'), {
      ...unreachable,
      PORT: 'high',
      MONGODB_URL: 'postgres://db',
      KAFKA_BROKERS: 'kafka',
      KAFKA_USERNAME: 'ada',
      POSTRIDER_WIRE_CA: '/etc/ca.pem',
      POSTRIDER_MAX_MESAGE_MIB: '20',
    })
    const lines = output.split('\n').filter((line) => line !== '')
    const expected = [
      /^intake: unknown variable POSTRIDER_ACCOUNTS /,
      /^intake: unknown variable POSTRIDER_MAX_MESAGE_MIB has no effect/,
      /5 errors/,
      /PORT: must be a port number/,
      /MONGODB_URL: must be such as mongodb:/,
      /KAFKA_BROKERS: must be host:port/,
      /KAFKA_SASL: a login needs/,
      /POSTRIDER_WIRE_CA: needs/,
    ]
    for (const pattern of expected)
      assert.ok(
        lines.some((line) => pattern.test(line)),
        `${pattern} in\n${output}`,
      )
    assert.equal(code, 2)
  })
})

describe('process whose port is in use', () => {
  const mongodb = useBackend('mongodb')
  const occupant = createServer()
  let port = ''

  before(async () => {
    await new Promise<void>((listening) => occupant.listen(0, '0.0.0.0', listening))
    port = String((occupant.address() as { port: number }).port)
  })
  after(() => occupant.close())

  for (const [service, variable] of [
    ['quota', 'METRICS_PORT'],
    ['quota', 'PORT'],
    ['gateway', 'PORT'],
  ] as const) {
    it(`${service} reports its ${variable} and ends with 1`, async () => {
      const env = { ...unreachable, MONGODB_URL: mongodb(), METRICS_PORT: '0', LOG_LEVEL: 'error', [variable]: port }
      const { code, output } = await runProgram(mainOf(service), env)
      const message = `Port ${port} is in use; choose another with ${variable}, or ${variable}=0 for a free one.`
      assert.ok(output.includes(`${service}: ${message}\n`), output)
      assert.equal(code, 1)
    })
  }
})
