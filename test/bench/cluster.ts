import { type KafkaInstance, startKafka } from '../backends/kafka.ts'
import { startMongo } from '../backends/mongo.ts'
import { startRedis } from '../backends/redis.ts'
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/cluster.ts'
import { type ServiceName, serviceNames } from '../cluster/member.ts'
import { operatorToken } from '../support/standalone.ts'
import { access, type Contestant } from './contestants.ts'
import { cpuMs, memoryMb } from './processes.ts'

/** Back ends of the cluster. Their CPU time is reported separately. */
export const backendNames = ['MongoDB', 'Kafka', 'Redis'] as const

type Instance = Pick<KafkaInstance, 'address' | 'pid'>

export type ClusterContestant = Contestant & { cluster: Cluster }

/** One process of each service: several would divide the batches, which raises the cost per email. */
export const oneOfEach = Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<ServiceName, number>

/** Starts empty back ends from the jars. */
const startBackends = async (stack: AsyncDisposableStack): Promise<Record<(typeof backendNames)[number], Instance>> => {
  const [MongoDB, Kafka, Redis] = await Promise.all([startMongo({ jvm: 'throughput' }), startKafka(), startRedis()])
  for (const one of [MongoDB, Kafka, Redis]) stack.use(one)
  return { MongoDB, Kafka, Redis }
}

/** Starts separate back ends and each service in a separate process, with a workspace without limits. */
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
    return {
      name: 'the cluster',
      cluster,
      target: { protocol: 'http', port: gatewayPort(cluster), ...(await access(cluster.url)) },
      queues: true,
      readyMs,
      cpuMs: () => Object.values(serviceCpuMs(cluster)).reduce((sum, ms) => sum + ms, 0),
      cpuMsByPart: () => ({
        ...serviceCpuMs(cluster),
        ...Object.fromEntries(backendNames.map((name) => [name, cpuMs(backends[name].pid)])),
      }),
      memoryMb: () => memoryOf(cluster),
      close: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

/** Returns the CPU time used so far by the processes of each service, in milliseconds. */
export const serviceCpuMs = (cluster: Cluster): Record<string, number> =>
  Object.fromEntries(
    serviceNames.map((service) => [service, cluster.of(service).reduce((sum, { pid }) => sum + cpuMs(pid()), 0)]),
  )

/** Returns the port of a gateway. The tests' ingress is bypassed because it would use CPU of the same cores. */
export const gatewayPort = (cluster: Cluster): number => cluster.of('gateway')[0]?.port ?? 0

const memoryOf = ({ members }: Cluster): { rss: number; peak: number } => {
  const each = members.map((member) => memoryMb(member.pid()))
  return {
    rss: each.reduce((sum, { rss }) => sum + rss, 0),
    peak: each.reduce((sum, { peak }) => sum + peak, 0),
  }
}
