import { fileURLToPath } from 'node:url'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Db } from 'mongodb'
import { clusterBackends, whyNoCluster } from '../backends/backends.ts'
import { type Client, connect } from '../support/client.ts'
import { warningsOf } from '../support/failureLogs.ts'
import { waitForMidnight } from '../support/midnight.ts'
import { skip } from '../support/skip.ts'
import { type SinkScript, type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { operatorToken } from '../support/standalone.ts'
import { type Cluster, outputsOf, startCluster } from './cluster.ts'
import { type ServiceName, serviceNames } from './member.ts'

/** The time limit of the first suite: a fresh machine downloads the back ends first. */
const startMs = 400_000

/** The cluster that the suites of this folder share, with several processes of each service, and an SMTP server. */
export type Shared = {
  cluster: Cluster
  /** Uses the front, as users do. */
  client: Client
  /** A client for each gateway, which uses its port. */
  gateways: Client[]
  sink: SmtpSink
  /** Sets the responses of the sink until the end of the test. */
  script(reply: SinkScript): void
  records: Db
  /** The URL of the Redis database of the rate limits, which only this cluster uses. */
  redisUrl: string
}

const replicas: Record<ServiceName, number> = {
  accounts: 2,
  templates: 2,
  quota: 2,
  domains: 2,
  webhooks: 2,
  intake: 2,
  dispatcher: 3,
  gateway: 4,
}

const minuteMs = 60_000

/**
 * Returns the clock error of a process. Most services have one process 4 min ahead and one behind; see `wrongClock.ts`.
 */
export const clockErrorMs = (service: ServiceName, number: number): number => {
  const sign = serviceNames.indexOf(service) % 2 === 0 ? 1 : -1
  return number > 2 ? 0 : 4 * minuteMs * (number === 1 ? sign : -sign)
}

/** Returns the clock error after SIGUSR2, which exceeds the limit for a ready process. */
const jumpErrorMs = (service: ServiceName, number: number): number =>
  (clockErrorMs(service, number) < 0 ? 10 : -10) * minuteMs

const wrongClock = `--import=${fileURLToPath(new URL('wrongClock.ts', import.meta.url))}`

/** A Redis database that other programs are unlikely to use, because one of the tests flushes it. */
const redisDatabase = 13

const start = async (): Promise<(Shared & AsyncDisposable) | null> => {
  const backends = await clusterBackends()
  if (backends === null) return null
  await using stack = new AsyncDisposableStack()
  let reply: SinkScript = () => null
  const sink = stack.use(await smtpSink({ script: (event) => reply(event) }))
  const redisUrl = `${backends.redis.replace(/\/\d*$/, '')}/${redisDatabase}`
  const cluster = stack.use(
    await startCluster({
      backends: { ...backends, redis: redisUrl },
      replicas,
      flags: [wrongClock],
      env: {
        POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
        POSTRIDER_OPERATOR_TOKEN: operatorToken,
        POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
        POSTRIDER_REPLICAS: '4',
        POSTRIDER_WEBHOOK_ALLOW: '127.0.0.0/8',
      },
      envOfMember: (service, number) => ({
        WRONG_CLOCK_MS: String(clockErrorMs(service, number)),
        WRONG_CLOCK_JUMP_MS: String(jumpErrorMs(service, number)),
      }),
    }),
  )
  const mongo = stack.use(await connectMongo({ url: cluster.mongodbUrl, name: 'tests' }))
  const client = connect(cluster.url, operatorToken)
  const gateways = cluster.of('gateway').map(({ port }) => connect(`http://localhost:${port}`, operatorToken))
  stack.defer(() => {
    for (const one of [client, ...gateways]) one.close()
  })
  const moved = stack.move()
  return {
    cluster,
    client,
    gateways,
    sink,
    script: (next) => {
      reply = next
    },
    records: mongo.db,
    redisUrl,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

// All files of this folder share the cluster, because a cluster per file would cost more than the tests.
let shared: ReturnType<typeof start> | undefined

after(async function stopShared() {
  const system = await shared?.catch(() => null)
  await system?.[Symbol.asyncDispose]()
})

/**
 * Provides the cluster to the tests of the `describe` that calls it, or skips them if its back ends are not available.
 */
export const useCluster = (): (() => Shared) => {
  let system: Shared | null = null
  before(async function startShared() {
    this.timeout(startMs)
    shared ??= start()
    system = await shared
    if (system === null) skip(this, whyNoCluster)
    await waitForMidnight()
  })
  beforeEach(waitForMidnight)
  afterEach(async function repairAfterFailure() {
    system?.script(() => null)
    if (this.currentTest?.state !== 'failed' || system === null) return
    console.log(warningsOf(outputsOf(system.cluster)))
    // A failed test must not cause failures of the following ones.
    this.timeout(startMs)
    for (const member of system.cluster.members) {
      member.resume()
      if (!member.running()) await member.start()
    }
  })
  return () => {
    if (system === null) throw new Error('the cluster is only available inside tests')
    return system
  }
}
