import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../support/until.ts'
import { startProgram } from './program.ts'

const token = 'a-token-of-the-tests-that-is-long-enough'

/** Every dependency is a name that does not resolve; the last part of a name selects the error. */
const dependencies = {
  MONGODB_URL: 'mongodb://mongodb.silent:27017/db',
  KAFKA_BROKERS: 'kafka-0.missing:9092,kafka-1.again:9092',
  REDIS_URL: 'redis://redis.again:6379',
  POSTRIDER_ACCOUNTS: 'accounts.missing:50051',
  POSTRIDER_TEMPLATES: 'templates.missing:50051',
  POSTRIDER_QUOTA: 'quota.again:50051',
  POSTRIDER_INTAKE: 'intake.silent:50051',
  POSTRIDER_DOMAINS: 'domains.missing:50051',
  POSTRIDER_WEBHOOKS: 'webhooks.missing:50051',
  POSTRIDER_ROUTE: 'smtp://relay.missing:587',
}

const lines = {
  mongodb: ['MONGODB_URL', 'mongodb.silent', 'timeout'],
  kafka: ['KAFKA_BROKERS', 'kafka-0.missing', 'ENOTFOUND'],
  otherKafka: ['KAFKA_BROKERS', 'kafka-1.again', 'EAI_AGAIN'],
  redis: ['REDIS_URL', 'redis.again', 'EAI_AGAIN'],
  accounts: ['POSTRIDER_ACCOUNTS', 'accounts.missing', 'ENOTFOUND'],
  templates: ['POSTRIDER_TEMPLATES', 'templates.missing', 'ENOTFOUND'],
  quota: ['POSTRIDER_QUOTA', 'quota.again', 'EAI_AGAIN'],
  intake: ['POSTRIDER_INTAKE', 'intake.silent', 'timeout'],
  domains: ['POSTRIDER_DOMAINS', 'domains.missing', 'ENOTFOUND'],
  webhooks: ['POSTRIDER_WEBHOOKS', 'webhooks.missing', 'ENOTFOUND'],
  route: ['POSTRIDER_ROUTE', 'relay.missing', 'ENOTFOUND'],
  collector: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector.missing', 'ENOTFOUND'],
} as const

type Case = { process: string; expected: readonly (keyof typeof lines)[]; code: number; env?: Record<string, string> }

const cases: readonly Case[] = [
  // First: it ends by itself after a minute.
  { process: 'prepare', expected: ['mongodb', 'kafka', 'otherKafka'], code: 1 },
  { process: 'accounts', expected: ['mongodb', 'redis', 'intake'], code: 0 },
  { process: 'templates', expected: ['mongodb'], code: 0 },
  { process: 'quota', expected: ['mongodb'], code: 0 },
  { process: 'domains', expected: ['mongodb'], code: 0 },
  { process: 'webhooks', expected: ['mongodb', 'kafka', 'otherKafka'], code: 0 },
  { process: 'intake', expected: ['mongodb', 'kafka', 'otherKafka', 'templates', 'quota'], code: 0 },
  {
    process: 'dispatcher',
    expected: ['mongodb', 'kafka', 'otherKafka', 'route', 'collector'],
    code: 0,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.missing:4318' },
  },
  {
    process: 'gateway',
    expected: ['redis', 'accounts', 'templates', 'quota', 'domains', 'webhooks', 'intake'],
    code: 0,
  },
]

describe('process whose dependencies have names that do not resolve', () => {
  /** Starts a process with names that do not resolve. `remove` kills it, if it still runs, and removes its folder. */
  const start = async ({ process: name, env }: Case) => {
    const folder = await mkdtempDisposable(join(tmpdir(), 'names-'))
    const pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const program = await startProgram(`services/${name}/main.ts`, {
      ...dependencies,
      ...env,
      POSTRIDER_WIRE_TOKEN: token,
      POSTRIDER_SECRET: token,
      POSTRIDER_PUBLIC_URL: 'http://localhost:8080',
      PORT: '0',
      METRICS_PORT: '0',
      TEST_PIPE: pipe,
      NODE_OPTIONS: `--import=${new URL('../support/brokenNames.ts', import.meta.url).href}`,
    })
    const remove = async (): Promise<void> => {
      if (!program.hasEnded()) process.kill(program.pid, 'SIGKILL')
      await program.ended
      await folder.remove()
    }
    return { program, remove }
  }

  // They run at the same time, because each waits for seconds until its lookups end.
  const running = new Map<string, Awaited<ReturnType<typeof start>>>()
  before(async () => {
    await Promise.all(cases.map(async (one) => running.set(one.process, await start(one))))
  })
  after(() => Promise.all([...running.values()].map(({ remove }) => remove())))

  // A name server that does not answer once delayed the end for half a minute, and no line named the cause. The lookup
  // of this test never ends, so the process ends only if it does not wait for it.
  for (const { process: name, expected, code } of cases)
    it(`${name} logs each name with its variable and the error, and ends with ${code} when it is stopped`, async () => {
      const { program } = running.get(name) ?? assert.fail(`${name} was not started`)
      const logged = (): string[] =>
        program
          .output()
          .split('\n')
          .filter((line) => line.includes('"msg":"name does not resolve"') && line.endsWith('}'))
          .map((line) => {
            const { variable, name: host, error } = JSON.parse(line)
            return [variable, host, error].join(' ')
          })
      const wanted = expected.map((one) => lines[one].join(' '))
      const allLogged = () => (wanted.every((one) => logged().includes(one)) ? true : undefined)
      await until(`${name} logs ${wanted.join(', ')}`, allLogged).catch((thrown: Error) => {
        throw new Error(`${thrown.message}\n${program.output()}`)
      })
      assert.deepEqual(new Set(logged()), new Set(wanted))
      process.kill(program.pid, 'SIGTERM')
      assert.equal(await program.ended, code, program.output())
      assert.doesNotMatch(program.output(), /"level":"error"/)
    })
})
