import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../support/until.ts'
import { serviceNames } from './member.ts'
import { runProgram, startProgram } from './program.ts'

const canary = 'canary7-of-thirty-two-characters-and-more'
const programs = [...serviceNames, 'prepare', 'standalone']
const mainOf = (name: string): string => `services/${name}/main.ts`

/** Values that are wrong in ways that drivers and libraries report with their text. */
const malformed = {
  MONGODB_URL: `mongodb://user:${canary}#x@127.0.0.1:9`,
  REDIS_URL: `redis://:${canary}#x@127.0.0.1:9`,
  KAFKA_BROKERS: `${canary}@127.0.0.1:9`,
  KAFKA_SASL: canary,
  KAFKA_PASSWORD: canary,
  POSTRIDER_ROUTE: `smtp://user:${canary}/x@127.0.0.1:9`,
  POSTRIDER_WIRE_TOKEN: `${canary} x`,
  POSTRIDER_WIRE_KEY: canary,
  POSTRIDER_SECRET: canary.slice(0, 9),
  POSTRIDER_OPERATOR_TOKEN: canary.slice(0, 9),
  POSTRIDER_TRUSTED_PROXIES: canary,
  POSTRIDER_SENDER: canary,
  POSTRIDER_PUBLIC_URL: canary,
  POSTRIDER_SIGNUP: canary,
  LOG_LEVEL: canary,
  PORT: canary,
  METRICS_PORT: canary,
}

/** Values that are right, of back ends that do not respond. */
const unreachable = {
  MONGODB_URL: `mongodb://user:${canary}@127.0.0.1:9/db?authSource=admin`,
  REDIS_URL: `redis://user:${canary}@127.0.0.1:9`,
  KAFKA_BROKERS: '127.0.0.1:9',
  KAFKA_SASL: 'plain',
  KAFKA_USERNAME: 'user',
  KAFKA_PASSWORD: canary,
  POSTRIDER_ROUTE: `smtp://user:${canary}@127.0.0.1:9?tls=unverified`,
  POSTRIDER_WIRE_TOKEN: canary,
  POSTRIDER_SECRET: canary,
  POSTRIDER_OPERATOR_TOKEN: canary,
  POSTRIDER_PUBLIC_URL: 'http://localhost:8080',
  POSTRIDER_ACCOUNTS: '127.0.0.1:9',
  POSTRIDER_TEMPLATES: '127.0.0.1:9',
  POSTRIDER_QUOTA: '127.0.0.1:9',
  POSTRIDER_DOMAINS: '127.0.0.1:9',
  POSTRIDER_WEBHOOKS: '127.0.0.1:9',
  POSTRIDER_INTAKE: '127.0.0.1:9',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${canary}@127.0.0.1:9`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary},${canary}`,
  LOG_LEVEL: 'trace',
  PORT: '0',
  METRICS_PORT: '0',
}

describe('secrets in the environment of a process', () => {
  for (const name of programs)
    it(`are not printed by ${name} when its variables are malformed`, async () => {
      const { code, output } = await runProgram(mainOf(name), malformed)
      assert.equal(code, 2, output)
      assert.ok(!output.includes(canary.slice(0, 7)), output)
    })

  // These four use every driver.
  for (const name of ['gateway', 'intake', 'dispatcher', 'standalone'])
    it(`are not printed by ${name} when its back ends do not respond`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'postrider-secrets-'))
      const program = await startProgram(mainOf(name), { ...unreachable, POSTRIDER_DATA: folder })
      const isStarted = () => /dependency unavailable|"metrics_url"|is ready at/.test(program.output()) || undefined
      await until(`${name} has started`, async () => isStarted() ?? (program.hasEnded() ? true : undefined))
      if (!program.hasEnded()) process.kill(program.pid, 'SIGTERM')
      await program.ended
      await rm(folder, { recursive: true, force: true })
      assert.ok(isStarted(), program.output())
      assert.ok(!program.output().includes(canary), program.output())
    })

  const files: [name: string, env: (folder: string) => Record<string, string>, expected: RegExp][] = [
    [
      'a key in place of its file',
      () => ({ POSTRIDER_WIRE_KEY: canary }),
      /POSTRIDER_WIRE_KEY: .*cannot be read \(ENOENT\)/,
    ],
    ['a file that is not PEM', (folder) => ({ POSTRIDER_WIRE_KEY: join(folder, 'key.pem') }), /not valid PEM/],
  ]
  for (const [what, env, expected] of files)
    it(`are not printed for ${what}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'postrider-secrets-'))
      await writeFile(join(folder, 'key.pem'), canary)
      const pem = join(import.meta.dirname, '../support/tls/cert.pem')
      const tls = { POSTRIDER_WIRE_CA: pem, POSTRIDER_WIRE_CERT: pem, ...env(folder) }
      const { code, output } = await runProgram(mainOf('gateway'), { ...unreachable, ...tls })
      await rm(folder, { recursive: true, force: true })
      assert.equal(code, 1)
      assert.match(output, expected)
      assert.ok(!output.includes(canary), output)
    })

  it('are not printed for an option that the MongoDB driver refuses', async () => {
    const url = `mongodb://user:${canary}@127.0.0.1:9/db?notAnOption=${canary}`
    const { code, output } = await runProgram(mainOf('quota'), { ...unreachable, MONGODB_URL: url })
    assert.equal(code, 1)
    assert.match(output, /MONGODB_URL: the MongoDB driver refuses it; check the option notAnOption\./i)
    assert.ok(!output.includes(canary), output)
  })
})
