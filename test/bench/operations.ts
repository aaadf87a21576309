// `node test/bench/operations.ts [mails]` prints the operations and bytes of one email on each back end, the gRPC calls
// and CPU time. docs/capacity.md contains a result. One process of each service; the message of the bench, from a live
// key, without an Idempotency-Key. Proxies in front of the back ends count the operations.
import { setTimeout as pause } from 'node:timers/promises'
import { BSON, MongoClient } from 'mongodb'
import { startKafka } from '../backends/kafka.ts'
import { startMongo } from '../backends/mongo.ts'
import { startRedis } from '../backends/redis.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { connect } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { operatorToken } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { gatewayPort, oneOfEach, serviceCpuMs } from './cluster.ts'
import {
  type CountingProxy,
  type Framing,
  kafkaFraming,
  mongoFraming,
  redisFraming,
  startCountingProxy,
  type TrafficCounts,
} from './countingProxy.ts'
import { memoryMb, runLoad } from './processes.ts'
import { type Sink, startSink } from './sink.ts'

const mails = Number(process.argv[2] ?? 3_000)
const idleMs = 20_000

const hostAndPort = (address: string): { host: string; port: number } => {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`)
  return { host: hostname, port: Number(port) }
}

type Proxies = Record<'MongoDB' | 'Kafka' | 'Redis', CountingProxy>

type Reading = {
  at: number
  traffic: Record<string, TrafficCounts>
  grpc: Record<string, number>
  cpu: Record<string, number>
}

const sampleLine = /^postrider_grpc_client_duration_seconds_count\{service="([^"]+)",method="([^"]+)"[^}]*\} (\d+)$/gm

const grpcCalls = async ({ members }: Cluster): Promise<Record<string, number>> => {
  const calls: Record<string, number> = {}
  for (const { opsUrl } of members) {
    const text = await (await fetch(`${opsUrl}/metrics`)).text()
    for (const [, service = '', method = '', count] of text.matchAll(sampleLine)) {
      const name = `${service.split('.').at(-1)}/${method}`
      calls[name] = (calls[name] ?? 0) + Number(count)
    }
  }
  return calls
}

const read = async (cluster: Cluster, proxies: Proxies): Promise<Reading> => ({
  at: performance.now(),
  traffic: Object.fromEntries(Object.entries(proxies).map(([name, proxy]) => [name, proxy.counts()])),
  grpc: await grpcCalls(cluster),
  cpu: serviceCpuMs(cluster),
})

/** Returns all numbers of a reading by name. */
const flat = ({ traffic, grpc, cpu }: Reading): Map<string, number> =>
  new Map([
    ...Object.entries(traffic).flatMap(([name, { bytesIn, bytesOut, requests }]): [string, number][] => [
      [`${name}: bytes sent`, bytesIn],
      [`${name}: bytes received`, bytesOut],
      ...Object.entries(requests).map(([request, count]): [string, number] => [`${name}: ${request}`, count]),
    ]),
    ...Object.entries(grpc).map(([name, count]): [string, number] => [`gRPC: ${name}`, count]),
    ...Object.entries(cpu).map(([name, ms]): [string, number] => [`CPU-ms: ${name}`, ms]),
  ])

/** Returns the differences of two readings, divided by `units`. */
const between = (before: Reading, after: Reading, units: number): Map<string, number> => {
  const old = flat(before)
  return new Map([...flat(after)].map(([name, value]) => [name, (value - (old.get(name) ?? 0)) / units]))
}

const show = (value: number | undefined): string =>
  value === undefined || value < 0.0005 ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

const documentBytes = async (url: string): Promise<string[]> => {
  const client = await new MongoClient(url).connect()
  try {
    const names = ['emails', 'contents', 'ledger_lines', 'ledger_months']
    return await Promise.all(
      names.map(async (name) => {
        const found = await client.db().collection(name).find().limit(500).toArray()
        const bytes = found.reduce((sum, one) => sum + BSON.calculateObjectSize(one), 0) / Math.max(found.length, 1)
        return `| \`${name}\` | ${show(bytes)} |`
      }),
    )
  } finally {
    await client.close()
  }
}

type System = { cluster: Cluster; proxies: Proxies; mongodbUrl: string; sink: Sink }

/** Starts separate back ends, each behind a counting proxy, and one process of each service. */
const startSystem = async (stack: AsyncDisposableStack): Promise<System> => {
  const [mongo, redis] = await Promise.all([startMongo({ jvm: 'throughput' }), startRedis()])
  stack.use(mongo)
  stack.use(redis)
  const proxy = async (to: { host: string; port: number }, framing: Framing): Promise<CountingProxy> =>
    stack.use(await startCountingProxy({ to, framing }))
  const kafkaPort = await freePort()
  const proxies: Proxies = {
    MongoDB: await proxy(hostAndPort(mongo.address), mongoFraming),
    Kafka: await proxy({ host: '127.0.0.1', port: kafkaPort }, kafkaFraming),
    Redis: await proxy(hostAndPort(redis.address), redisFraming),
  }
  stack.use(await startKafka({ port: kafkaPort, advertised: proxies.Kafka.address }))
  const sink = stack.use(await startSink())
  const backends = {
    mongodb: `mongodb://${proxies.MongoDB.address}`,
    kafka: proxies.Kafka.address,
    redis: `redis://${proxies.Redis.address}`,
  }
  const env = { POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`, POSTRIDER_OPERATOR_TOKEN: operatorToken }
  const cluster = stack.use(await startCluster({ replicas: oneOfEach, backends, env }))
  return { cluster, proxies, sink, mongodbUrl: `${mongo.address}${new URL(cluster.mongodbUrl).pathname}` }
}

/** Returns a live key with limits that are counted and never reached. */
const liveKey = async (url: string): Promise<string> => {
  const client = connect(url, operatorToken)
  const { api } = await client.tenant({ monthly: 1_000_000_000, daily: 1_000_000_000, rate: 100_000, burst: 100_000 })
  client.close()
  return api.key
}

/** Returns a function that sends `count` emails, waits until all are delivered, and returns the numbers per email. */
const sender = async ({ cluster, proxies, sink }: System) => {
  const target = {
    protocol: 'http',
    port: gatewayPort(cluster),
    path: '/api/v1/emails',
    authorization: `Bearer ${await liveKey(cluster.url)}`,
  } as const
  let first = 1
  return async (connections: number, count: number): Promise<Map<string, number>> => {
    const before = await read(cluster, proxies)
    const { accepted, refused } = await runLoad({ ...target, connections, count, first })
    if (accepted !== count)
      throw new Error(`${count - accepted} of ${count} sends were refused: ${JSON.stringify(refused)}`)
    first += count
    await until(`${count} emails are delivered`, () => sink.received() >= first - 1 || undefined, 120_000)
    // Kafka offsets and outcomes are written shortly after delivery.
    await pause(2_000)
    return between(before, await read(cluster, proxies), count)
  }
}

const main = async (): Promise<void> => {
  await using stack = new AsyncDisposableStack()
  const system = await startSystem(stack)
  const { cluster, proxies, mongodbUrl } = system
  const send = await sender(system)
  await send(16, 300)
  const together = await send(64, mails)
  const alone = await send(1, Math.ceil(mails / 10))
  const before = await read(cluster, proxies)
  await pause(idleMs)
  const after = await read(cluster, proxies)
  const idle = between(before, after, (after.at - before.at) / 1_000)

  const names = [...new Set([...together.keys(), ...alone.keys(), ...idle.keys()])].sort()
  const rows = names
    .map((name) => [name, show(alone.get(name)), show(together.get(name)), show(idle.get(name))])
    .filter(([, ...values]) => values.some((value) => value !== '–'))
  const memory = cluster.members.map(({ service, pid }) => `${service} ${Math.round(memoryMb(pid()).rss)}`)
  console.log(`| | per email, one at a time | per email, 64 at a time | idle, per second |
|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

| stored per delivered mail | bytes (BSON) |
|---|---|
${(await documentBytes(mongodbUrl)).join('\n')}

Memory, MiB: ${memory.join(', ')}`)
}

await main()
