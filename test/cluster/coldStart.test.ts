import assert from 'node:assert/strict'
import process from 'node:process'
import { useBackend } from '../backends/backends.ts'
import { printedSeed, seeded } from '../faults/random.ts'
import { freePort } from '../support/freePort.ts'
import { tcpProxy } from '../support/tcpProxy.ts'
import { until } from '../support/until.ts'
import { type ServiceName, serviceNames } from './member.ts'
import { startProgram } from './program.ts'

const token = 'a-token-of-the-tests-that-is-long-enough'
const backendNames = ['mongodb', 'kafka', 'redis'] as const

type Line = { level: string; msg: string; time: string }

const linesOf = (output: string): Line[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Line] : []))

/** After this time a wait is a warning. A machine that is too busy for this test reaches it. */
const coldStartMs = 60_000

/** Returns the lines above info, except warnings of a wait that lasted longer than a cold start. */
const severeIn = (lines: readonly Line[]): Line[] => {
  const [first] = lines
  const lateAt = Date.parse(first?.time ?? '') + coldStartMs
  return lines.filter(({ level, time }) => level !== 'info' && !(level === 'warn' && Date.parse(time) >= lateAt))
}

describe('cold start of a cluster', () => {
  const addresses = Object.fromEntries(backendNames.map((name) => [name, useBackend(name)]))

  // Intake once logged errors until quota was there, and each process warned of a store that was still starting.
  it('logs nothing above info while services and back ends appear in a random order', async () => {
    const random = seeded(printedSeed())
    const shuffled = <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => [random(), item] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, item]) => item)
    await using stack = new AsyncDisposableStack()
    const proxies = new Map<string, Awaited<ReturnType<typeof tcpProxy>>>()
    for (const name of backendNames) {
      const proxy = stack.use(await tcpProxy({ to: addresses[name]?.() ?? '' }))
      await proxy.cut()
      proxies.set(name, proxy)
    }
    const ports = new Map<string, number>()
    for (const service of serviceNames)
      for (const kind of ['PORT', 'METRICS_PORT']) ports.set(`${service} ${kind}`, await freePort())
    const portOf = (service: string, kind: string): string => String(ports.get(`${service} ${kind}`))
    const peer = (service: ServiceName) => [
      `POSTRIDER_${service.toUpperCase()}`,
      `127.0.0.1:${portOf(service, 'PORT')}`,
    ]
    const run = Math.floor(random() * 2 ** 31).toString(36)
    const env = {
      ...Object.fromEntries(serviceNames.map(peer)),
      MONGODB_URL: `${proxies.get('mongodb')?.address.replace(/\/+$/, '')}/cold_${run}`,
      KAFKA_BROKERS: proxies.get('kafka')?.address ?? '',
      KAFKA_TOPIC_PREFIX: `cold${run}.`,
      REDIS_URL: proxies.get('redis')?.address ?? '',
      POSTRIDER_WIRE_TOKEN_GATEWAY: `${token}-gateway`,
      POSTRIDER_WIRE_TOKEN_INTAKE: `${token}-intake`,
      POSTRIDER_WIRE_TOKEN_ACCOUNTS: `${token}-accounts`,
      POSTRIDER_SECRET: token,
      POSTRIDER_PUBLIC_URL: 'http://localhost:8080',
    }
    const started = await Promise.all(
      shuffled(serviceNames).map(async (service) => {
        const own = { PORT: portOf(service, 'PORT'), METRICS_PORT: portOf(service, 'METRICS_PORT') }
        const program = await startProgram(`services/${service}/main.ts`, { ...env, ...own })
        stack.defer(async () => {
          if (!program.hasEnded()) process.kill(program.pid, 'SIGTERM')
          await program.ended
        })
        return { service, ...program }
      }),
    )
    for (const { service, output } of started) {
      const message = service === 'gateway' ? 'redis.away' : 'dependency unavailable, retrying'
      const waits = () => (output().includes(message) ? true : undefined)
      await until(`${service} waits`, waits)
    }
    for (const name of shuffled(backendNames)) await proxies.get(name)?.heal()
    for (const { service, output } of started) {
      const url = `http://127.0.0.1:${portOf(service, 'METRICS_PORT')}/readyz`
      const isReady = async () => ((await fetch(url).catch(() => null))?.status === 200 ? true : undefined)
      await until(`${service} is ready`, isReady).catch((thrown: Error) => {
        throw new Error(`${thrown.message}\n${output()}`)
      })
    }
    for (const { service, output } of started) {
      assert.deepEqual(severeIn(linesOf(output())), [], service)
    }
  })
})
