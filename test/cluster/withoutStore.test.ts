import assert from 'node:assert/strict'
import process from 'node:process'
import { useBackend } from '../backends/backends.ts'
import { freePort } from '../support/freePort.ts'
import { tcpProxy } from '../support/tcpProxy.ts'
import { until } from '../support/until.ts'
import { type ServiceName, serviceNames } from './member.ts'
import { type Program, startProgram } from './program.ts'
import { mainOf, unreachable } from './unreachable.ts'

type Run = Program & { service: ServiceName }

const start = async (service: ServiceName, env: Record<string, string>): Promise<Run> => ({
  ...(await startProgram(mainOf(service), env)),
  service,
})

const linesOf = (output: string): Record<string, unknown>[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))

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
      const response = await fetch(`http://127.0.0.1:${portOf(service, 'METRICS_PORT')}${path}`).catch(() => undefined)
      const body = (await response?.json()) as { checks: Record<string, string> } | undefined
      return response && body && { code: response.status, checks: body.checks }
    }

    const runs = await Promise.all(serviceNames.map(begin))
    for (const run of runs) stack.defer(async () => void (await end(run)))
    for (const { service, output } of runs) {
      const dependency = service === 'gateway' ? 'postrider.accounts.v1.Accounts' : 'mongodb'
      const check = async () => {
        const found = await probe(service, '/readyz')
        return found?.checks[dependency] === undefined ? undefined : found
      }
      const { code, checks } = await until(`${service} responds`, check)
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
      const check = async () => ((await probe(service, '/readyz'))?.code === 200 ? true : undefined)
      await until(`${service} is ready`, check)
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
