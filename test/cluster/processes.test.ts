import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import process from 'node:process'
import { useBackend } from '../backends/backends.ts'
import { freePort } from '../support/freePort.ts'
import { tcpProxy } from '../support/tcpProxy.ts'
import { until } from '../support/until.ts'
import { type ServiceName, serviceNames } from './member.ts'
import { type Program, runProgram, startProgram } from './program.ts'

type Run = Program & { service: ServiceName }

const mainOf = (service: ServiceName): string => `services/${service}/main.ts`

const start = async (service: ServiceName, env: Record<string, string>): Promise<Run> => ({
  ...(await startProgram(mainOf(service), env)),
  service,
})

const linesOf = (output: string): Record<string, unknown>[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))

const token = 'a-token-of-the-tests-that-is-long-enough'
/** A valid configuration whose addresses are not reachable. */
const unreachable = {
  POSTRIDER_WIRE_TOKEN: token,
  POSTRIDER_SECRET: token,
  POSTRIDER_PUBLIC_URL: 'http://localhost:8080',
  POSTRIDER_ACCOUNTS: '127.0.0.1:9',
  POSTRIDER_TEMPLATES: '127.0.0.1:9',
  POSTRIDER_QUOTA: '127.0.0.1:9',
  POSTRIDER_INTAKE: '127.0.0.1:9',
  POSTRIDER_DOMAINS: '127.0.0.1:9',
  POSTRIDER_WEBHOOKS: '127.0.0.1:9',
  MONGODB_URL: 'mongodb://127.0.0.1:9',
  KAFKA_BROKERS: '127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
}

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

describe('processes that start without a store', () => {
  const backends = (['mongodb', 'kafka', 'redis'] as const).map((name) => [name, useBackend(name)] as const)

  it('keep running, report what is missing, can be stopped, and become ready when it is available', async () => {
    const [mongodb = '', kafka = '', redis = ''] = backends.map(([, address]) => address())
    await using stack = new AsyncDisposableStack()
    const proxy = stack.use(await tcpProxy({ to: mongodb }))
    await proxy.cut()
    const ports = new Map<string, string>()
    for (const service of serviceNames) {
      for (const kind of ['PORT', 'METRICS_PORT']) ports.set(`${service} ${kind}`, String(await freePort()))
    }
    const portOf = (service: ServiceName, kind = 'PORT'): string => ports.get(`${service} ${kind}`) ?? ''
    const peers = Object.fromEntries(
      (['accounts', 'templates', 'quota', 'domains', 'webhooks', 'intake'] as const).map((one) => [
        `POSTRIDER_${one.toUpperCase()}`,
        `127.0.0.1:${portOf(one)}`,
      ]),
    )
    const env = { ...unreachable, ...peers, MONGODB_URL: proxy.address, KAFKA_BROKERS: kafka, REDIS_URL: redis }
    const begin = async (service: ServiceName): Promise<Run> => {
      const ports = { PORT: portOf(service), METRICS_PORT: portOf(service, 'METRICS_PORT') }
      return start(service, { ...env, ...ports, KAFKA_TOPIC_PREFIX: 'alone.' })
    }
    const end = async (run: Run): Promise<number | null> => {
      if (!run.hasEnded()) process.kill(run.pid, 'SIGTERM')
      return run.ended
    }
    const probe = async (service: ServiceName, path: string) => {
      const answer = await fetch(`http://127.0.0.1:${portOf(service, 'METRICS_PORT')}${path}`).catch(() => undefined)
      const body = (await answer?.json()) as { checks: Record<string, string> } | undefined
      return answer && body && { code: answer.status, checks: body.checks }
    }

    const runs = await Promise.all(serviceNames.map(begin))
    for (const run of runs) stack.defer(async () => void (await end(run)))
    for (const { service, output } of runs) {
      const dependency = service === 'gateway' ? 'postrider.accounts.v1.Accounts' : 'mongodb'
      const look = async () => {
        const found = await probe(service, '/readyz')
        return found?.checks[dependency] === undefined ? undefined : found
      }
      const { code, checks } = await until(`${service} answers`, look)
      assert.equal(code, 503)
      // Accounts listens only when it has its store.
      assert.match(
        checks[dependency] ?? '',
        service === 'gateway' ? /connect ECONNREFUSED/ : /^not connected yet$/,
        service,
      )
      assert.equal((await probe(service, '/livez'))?.code, 200)
      const logged = () => (output().includes('dependency unavailable, retrying') ? true : undefined)
      if (service !== 'gateway') await until(`${service} logs that it waits`, logged)
    }

    const [accounts] = runs
    assert.ok(accounts)
    // The store is still unavailable.
    assert.equal(await end(accounts), 0, accounts.output())
    const restarted = await begin('accounts')
    stack.defer(async () => void (await end(restarted)))

    await proxy.heal()
    for (const service of serviceNames) {
      const look = async () => ((await probe(service, '/readyz'))?.code === 200 ? true : undefined)
      await until(`${service} is ready`, look)
    }
    for (const run of [restarted, ...runs.slice(1)].toReversed()) assert.equal(await end(run), 0, run.output())
    for (const { service, output } of [restarted, ...runs.slice(1)]) {
      const logged = (msg: string) => linesOf(output()).find((line) => line['msg'] === msg)
      const port = Number(portOf(service))
      const address = { gateway: ['url', `http://localhost:${port}`], dispatcher: [] }[String(service)] ?? [
        'grpc_port',
        port,
      ]
      const started = logged('started') ?? assert.fail(output())
      assert.deepEqual([started['composition'], started[String(address[0])]], ['cluster', address[1]], service)
      assert.match(String(started['version']), /^\d+\.\d+\.\d+/)
      assert.equal(logged('stopping')?.['reason'], 'SIGTERM', service)
      assert.equal(typeof logged('stopped')?.['duration_ms'], 'number', service)
    }
  })
})
