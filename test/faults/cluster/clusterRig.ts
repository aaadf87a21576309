import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import { type Cluster, startCluster } from '../../cluster/cluster.ts'
import type { Member } from '../../cluster/member.ts'
import { type Client, connect } from '../../support/client.ts'
import { type SmtpSink, sinkScript, smtpSink } from '../../support/smtpSink.ts'
import { operatorToken } from '../../support/standalone.ts'
import { until } from '../../support/until.ts'
import { type ProxiedBackends, startProxiedBackends } from './proxiedBackends.ts'
import { openRound, type Round } from './round.ts'

/** A cluster in which tests cause faults, a sink that is not affected, and a round for each kind of fault. */
export type ClusterRig = AsyncDisposable &
  Pick<ProxiedBackends, 'mongo' | 'kafka' | 'redis'> & {
    cluster: Cluster
    client: Client
    sink: SmtpSink
    /** The database, without the proxy. */
    db: Db
    rounds: readonly Round[]
    /** Returns the longest time in milliseconds in which a gateway responded to a probe that calls no other process. */
    slowestProbeMs(): number
    /** Creates a tenant with its own journal. The test ids of its emails begin with the name. */
    round(name: string): Promise<Round>
    /** Waits until every process runs and is ready. */
    untilReady(): Promise<void>
    /** Ends all faults that a failed test may have left. */
    repair(): Promise<void>
    /** Writes the output of every process to a file. @returns the folder of the files */
    storeLogs(): Promise<string>
  }

export const topicPrefix = 'faults.'
const database = 'postrider'

const replicas = { gateway: 2, intake: 2, dispatcher: 3, accounts: 2, quota: 2, templates: 1 }

const nameOf = ({ service, number }: Member): string => `${service}-${number}`

const notReady = async (members: readonly Member[]): Promise<string[]> => {
  const ready = await Promise.all(members.map(async (member) => member.running() && (await member.ready())))
  return members.filter((_, index) => !ready[index]).map(nameOf)
}

const probeEveryMs = 250

/**
 * Measures how late gateways respond because the machine is busy. A probe of a gateway that was killed does not count.
 */
const probeGateways = (cluster: Cluster): Disposable & { slowestMs(): number } => {
  let slowestMs = 0
  let stopped = false
  const probe = async ({ opsUrl }: Member): Promise<void> => {
    while (!stopped) {
      const since = performance.now()
      const answered = await fetch(`${opsUrl}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (answered) slowestMs = Math.max(slowestMs, performance.now() - since)
      await pause(probeEveryMs)
    }
  }
  for (const gateway of cluster.of('gateway')) void probe(gateway)
  return {
    slowestMs: () => slowestMs,
    [Symbol.dispose]: () => {
      stopped = true
    },
  }
}

const storeLogs = async (members: readonly Member[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-faults-logs-'))
  await Promise.all(members.map((member) => writeFile(join(folder, `${nameOf(member)}.jsonl`), member.output())))
  return folder
}

export const openClusterRig = async (): Promise<ClusterRig> => {
  const open = new AsyncDisposableStack()
  try {
    const { mongo, kafka, redis } = open.use(await startProxiedBackends())
    // A delayed reply makes it likely that a fault is between final dot and reply.
    const rules = sinkScript([{ at: 'dot', every: 2, delayMs: 25 }])
    const sink = open.use(await smtpSink({ script: rules }))
    const backends = { mongodb: mongo.proxy.address, kafka: kafka.proxy.address, redis: redis.proxy.address }
    const env = {
      MONGODB_URL: `${mongo.proxy.address}/${database}`,
      KAFKA_TOPIC_PREFIX: topicPrefix,
      POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
      POSTRIDER_OPERATOR_TOKEN: operatorToken,
      POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      POSTRIDER_WEBHOOK_ALLOW: '127.0.0.0/8',
    }
    const cluster = open.use(await startCluster({ backends, replicas, env }))
    const client = connect(cluster.url, operatorToken)
    open.defer(() => client.close())
    const mongoClient = new MongoClient(mongo.server.address)
    open.defer(() => mongoClient.close())
    const db = mongoClient.db(database)
    const rounds: Round[] = []
    const probes = open.use(probeGateways(cluster))
    return {
      mongo,
      kafka,
      redis,
      cluster,
      client,
      sink,
      db,
      rounds,
      slowestProbeMs: probes.slowestMs,
      round: async (name) => {
        const round = await openRound({ name, client, sink, db })
        open.use(round)
        rounds.push(round)
        return round
      },
      untilReady: async () => {
        let missing: string[] = []
        const check = async () => {
          missing = await notReady(cluster.members)
          return missing.length === 0 ? true : undefined
        }
        await until('every process is ready', check).catch((reason: Error) => {
          throw new Error(`${reason.message}; not ready: ${missing.join(', ')}`)
        })
      },
      repair: async () => {
        for (const { server, proxy } of [mongo, kafka, redis]) {
          proxy.latency(0)
          await Promise.all([proxy.heal(), server.restart()])
        }
        for (const member of cluster.members) {
          member.resume()
          if (!member.running()) await member.start()
        }
      },
      storeLogs: () => storeLogs(cluster.members),
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  } catch (thrown) {
    await open.disposeAsync()
    throw thrown
  }
}
