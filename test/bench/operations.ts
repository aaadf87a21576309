// `node test/bench/operations.ts [mails]`: what a mail asks of each back end and over gRPC, counted on the wire; docs/capacity.md
// keeps what it printed. One of each service; the same message as the bench's, from a live key, without an Idempotency-Key.
import { setTimeout as pause } from 'node:timers/promises'
import { BSON, MongoClient } from 'mongodb'
import { startKafka } from '../backends/kafka.ts'
import { startMongo } from '../backends/mongo.ts'
import { startRedis } from '../backends/redis.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { serviceNames } from '../cluster/member.ts'
import { connect } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { operatorToken } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { cpuMs, memoryMb, runLoad } from './processes.ts'
import { type Sink, startSink } from './sink.ts'
import {
  type Counted,
  type Framing,
  kafkaFraming,
  mongoFraming,
  redisFraming,
  type WireTap,
  wireTap,
} from './wireTap.ts'

const mails = Number(process.argv[2] ?? 3_000)
const idleMs = 20_000

const hostAndPort = (address: string): { host: string; port: number } => {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`)
  return { host: hostname, port: Number(port) }
}

type Taps = Record<'MongoDB' | 'Kafka' | 'Redis', WireTap>
type Reading = { at: number; taps: Record<string, Counted>; grpc: Record<string, number>; cpu: Record<string, number> }

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

const read = async (cluster: Cluster, taps: Taps): Promise<Reading> => ({
  at: performance.now(),
  taps: Object.fromEntries(Object.entries(taps).map(([name, tap]) => [name, tap.counted()])),
  grpc: await grpcCalls(cluster),
  cpu: Object.fromEntries(
    serviceNames.map((name) => [name, cluster.of(name).reduce((sum, one) => sum + cpuMs(one.pid()), 0)]),
  ),
})

/** All numbers of a reading by name. */
const flat = ({ taps, grpc, cpu }: Reading): Map<string, number> =>
  new Map([
    ...Object.entries(taps).flatMap(([name, { bytesIn, bytesOut, requests }]): [string, number][] => [
      [`${name}: bytes to it`, bytesIn],
      [`${name}: bytes from it`, bytesOut],
      ...Object.entries(requests).map(([request, count]): [string, number] => [`${name}: ${request}`, count]),
    ]),
    ...Object.entries(grpc).map(([name, count]): [string, number] => [`gRPC: ${name}`, count]),
    ...Object.entries(cpu).map(([name, ms]): [string, number] => [`CPU-ms: ${name}`, ms]),
  ])

/** What came between two readings, for each unit of something. */
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

type Under = { cluster: Cluster; taps: Taps; mongodbUrl: string; sink: Sink }

/** Back ends of its own, each behind a wire that counts, and one process of each service. */
const startUnderTaps = async (stack: AsyncDisposableStack): Promise<Under> => {
  const [mongo, redis] = await Promise.all([startMongo(), startRedis()])
  stack.use(mongo)
  stack.use(redis)
  const tap = async (to: { host: string; port: number }, framing: Framing): Promise<WireTap> =>
    stack.use(await wireTap({ to, port: await freePort(), framing }))
  const kafkaPort = await freePort()
  const taps: Taps = {
    MongoDB: await tap(hostAndPort(mongo.address), mongoFraming),
    Kafka: await tap({ host: '127.0.0.1', port: kafkaPort }, kafkaFraming),
    Redis: await tap(hostAndPort(redis.address), redisFraming),
  }
  stack.use(await startKafka({ port: kafkaPort, advertised: taps.Kafka.address }))
  const sink = await startSink()
  stack.defer(sink.close)
  const backends = {
    mongodb: `mongodb://${taps.MongoDB.address}`,
    kafka: taps.Kafka.address,
    redis: `redis://${taps.Redis.address}`,
  }
  const replicas = Object.fromEntries(serviceNames.map((name) => [name, 1]))
  const env = { POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`, POSTRIDER_OPERATOR_TOKEN: operatorToken }
  const cluster = stack.use(await startCluster({ replicas, backends, env }))
  return { cluster, taps, sink, mongodbUrl: `${mongo.address}${new URL(cluster.mongodbUrl).pathname}` }
}

/** A key whose limits are counted and never reached. */
const liveKey = async (url: string): Promise<string> => {
  const client = connect(url, operatorToken)
  const { api } = await client.tenant({ monthly: 1_000_000_000, daily: 1_000_000_000, rate: 100_000, burst: 100_000 })
  client.close()
  return api.key
}

/** Sends so many, waits until all are delivered, and tells what each took. */
const sender = async ({ cluster, taps, sink }: Under) => {
  const port = cluster.of('gateway')[0]?.port ?? 0
  const target = {
    protocol: 'http',
    port,
    path: '/api/v1/emails',
    authorization: `Bearer ${await liveKey(cluster.url)}`,
  } as const
  let first = 1
  return async (connections: number, count: number): Promise<Map<string, number>> => {
    const before = await read(cluster, taps)
    const { accepted, refused } = await runLoad({ ...target, connections, count, first })
    if (accepted !== count) throw new Error(`of ${count} sends some were refused: ${JSON.stringify(refused)}`)
    first += count
    await until(`${count} are delivered`, () => sink.taken() >= first - 1 || undefined, 120_000)
    // Offsets are committed, and outcomes written, a moment later.
    await pause(2_000)
    return between(before, await read(cluster, taps), count)
  }
}

const main = async (): Promise<void> => {
  await using stack = new AsyncDisposableStack()
  const under = await startUnderTaps(stack)
  const { cluster, taps, mongodbUrl } = under
  const send = await sender(under)
  await send(16, 300)
  const together = await send(64, mails)
  const alone = await send(1, Math.ceil(mails / 10))
  const before = await read(cluster, taps)
  await pause(idleMs)
  const after = await read(cluster, taps)
  const idle = between(before, after, (after.at - before.at) / 1_000)

  const names = [...new Set([...together.keys(), ...alone.keys(), ...idle.keys()])].sort()
  const rows = names
    .map((name) => [name, show(alone.get(name)), show(together.get(name)), show(idle.get(name))])
    .filter(([, ...values]) => values.some((value) => value !== '–'))
  const memory = cluster.members.map(({ service, pid }) => `${service} ${Math.round(memoryMb(pid()).rss)}`)
  console.log(`| | a mail, 1 connection | a mail, 64 connections | idle, a second |
|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

| document, delivered | bytes |
|---|---|
${(await documentBytes(mongodbUrl)).join('\n')}

Memory, MiB: ${memory.join(', ')}`)
}

await main()
