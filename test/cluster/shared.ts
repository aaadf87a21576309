import { fileURLToPath } from 'node:url'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Db } from 'mongodb'
import { clusterBackends, whyNoCluster } from '../backends/backends.ts'
import { type Client, connect } from '../support/client.ts'
import { skip } from '../support/skip.ts'
import { type SinkScript, type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { operatorToken } from '../support/standalone.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ServiceName, serviceNames } from './member.ts'

/** How long the first suite waits for all of it: a fresh machine fetches the back ends first. */
const startMs = 400_000

/** What the suites of this folder share: one cluster, several processes of each service, and a server to send to. */
export type Shared = {
  cluster: Cluster
  /** Comes by the front, as users do. */
  client: Client
  /** Each asks one gateway alone, by its own port. */
  gateways: Client[]
  sink: SmtpSink
  /** What the sink answers until the end of the test, where not the usual. */
  script(answer: SinkScript): void
  records: Db
  /** Of the rate limits; the database in it is this cluster's own. */
  redisUrl: string
}

const replicas: Record<ServiceName, number> = {
  accounts: 2,
  templates: 2,
  quota: 2,
  intake: 2,
  dispatcher: 3,
  gateway: 4,
}

const minuteMs = 60_000

/** How far off the wall clock of a process is: of most services one is 4 minutes ahead, one behind; see `wrongClock.ts`. */
export const wrongBy = (service: ServiceName, number: number): number => {
  const sign = serviceNames.indexOf(service) % 2 === 0 ? 1 : -1
  return number > 2 ? 0 : 4 * minuteMs * (number === 1 ? sign : -sign)
}

/** After SIGUSR2: as far off as nobody may be that works. */
const jumpsTo = (service: ServiceName, number: number): number => (wrongBy(service, number) < 0 ? 10 : -10) * minuteMs

const wrongClock = `--import=${fileURLToPath(new URL('wrongClock.ts', import.meta.url))}`

/** A database of Redis that nobody else is likely to use: its keys are all lost in one of the tests. */
const redisDatabase = 13

const start = async (): Promise<(Shared & AsyncDisposable) | null> => {
  const backends = await clusterBackends()
  if (backends === null) return null
  await using stack = new AsyncDisposableStack()
  let answer: SinkScript = () => null
  const sink = stack.use(await smtpSink({ script: (event) => answer(event) }))
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
      },
      envOfMember: (service, number) => ({
        WRONG_CLOCK_MS: String(wrongBy(service, number)),
        WRONG_CLOCK_JUMP_MS: String(jumpsTo(service, number)),
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
      answer = next
    },
    records: mongo.db,
    redisUrl,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

// The one cluster of all files of this folder: a cluster a file would cost more than the tests do.
let shared: ReturnType<typeof start> | undefined

after(async function stopShared() {
  this.timeout(60_000)
  const system = await shared?.catch(() => null)
  await system?.[Symbol.asyncDispose]()
})

/** To be called in a `describe`: gives its tests the shared cluster; they are skipped where its back ends can't be had. */
export const useCluster = (): (() => Shared) => {
  let system: Shared | null = null
  before(async function startShared() {
    this.timeout(startMs)
    shared ??= start()
    system = await shared
    if (system === null) skip(this, whyNoCluster)
  })
  afterEach(async function mendAfterFailure() {
    system?.script(() => null)
    if (this.currentTest?.state !== 'failed' || system === null) return
    // A test that failed midway must not fail those that follow.
    this.timeout(startMs)
    for (const member of system.cluster.members) {
      member.resume()
      if (!member.running()) await member.start()
    }
  })
  return () => {
    if (system === null) throw new Error('the cluster is there inside of tests only')
    return system
  }
}
