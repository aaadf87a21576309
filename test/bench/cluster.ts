import { type KafkaInstance, startKafka } from '../backends/kafka.ts'
import { startMongo } from '../backends/mongo.ts'
import { startRedis } from '../backends/redis.ts'
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/cluster.ts'
import { type ServiceName, serviceNames } from '../cluster/member.ts'
import { operatorToken } from '../support/standalone.ts'
import type { Contestant } from './contestant.ts'
import { access } from './postrider.ts'
import { cpuMs, memoryMb } from './processes.ts'

/** What the cluster stands on: its CPU is told apart, it is none of ours. */
export const backendNames = ['MongoDB', 'Kafka', 'Redis'] as const

type Instance = Pick<KafkaInstance, 'address' | 'pid'>

export type ClusterContestant = Contestant & { cluster: Cluster }

/** One of each service: what a mail costs, without what it costs that its batches are shared out. */
const oneOfEach = Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<ServiceName, number>

/** New and empty ones, from the jars. */
const startBackends = async (stack: AsyncDisposableStack): Promise<Record<(typeof backendNames)[number], Instance>> => {
  const [MongoDB, Kafka, Redis] = await Promise.all([startMongo(), startKafka(), startRedis()])
  for (const one of [MongoDB, Kafka, Redis]) stack.use(one)
  return { MongoDB, Kafka, Redis }
}

/** Every service its own process, with back ends of its own and a workspace freed of limits. */
export const startClusterContestant = async (
  sinkPort: number,
  more: Pick<ClusterOptions, 'replicas' | 'flags' | 'env'> = {},
): Promise<ClusterContestant> => {
  const stack = new AsyncDisposableStack()
  try {
    const backends = await startBackends(stack)
    const begun = performance.now()
    const cluster = stack.use(
      await startCluster({
        ...more,
        replicas: { ...oneOfEach, ...more.replicas },
        backends: { mongodb: backends.MongoDB.address, kafka: backends.Kafka.address, redis: backends.Redis.address },
        env: { POSTRIDER_ROUTE: `smtp://127.0.0.1:${sinkPort}`, POSTRIDER_OPERATOR_TOKEN: operatorToken, ...more.env },
      }),
    )
    const readyMs = performance.now() - begun
    const ofService = (service: ServiceName): number =>
      cluster.of(service).reduce((sum, member) => sum + cpuMs(member.pid()), 0)
    return {
      name: 'the cluster',
      cluster,
      target: { protocol: 'http', port: portOf(cluster), ...(await access(cluster.url)) },
      queues: true,
      readyMs,
      cpuMs: () => serviceNames.reduce((sum, service) => sum + ofService(service), 0),
      cpuMsByPart: () =>
        Object.fromEntries([
          ...serviceNames.map((service) => [service, ofService(service)]),
          ...backendNames.map((name) => [name, cpuMs(backends[name].pid)]),
        ]),
      memoryMb: () => memoryOf(cluster),
      close: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

/** Of a gateway itself: the tests' stand-in for an ingress would only share our cores. */
const portOf = (cluster: Cluster): number => cluster.of('gateway')[0]?.port ?? 0

const memoryOf = ({ members }: Cluster): { rss: number; peak: number } => {
  const each = members.map((member) => memoryMb(member.pid()))
  return {
    rss: each.reduce((sum, { rss }) => sum + rss, 0),
    peak: each.reduce((sum, { peak }) => sum + peak, 0),
  }
}
