import { randomBytes } from 'node:crypto'
import { clusterConfigs } from '@postrider/standalone/clusterConfigs.ts'
import { freePort } from '../support/freePort.ts'
import { root } from '../support/project.ts'
import { openFront } from './front.ts'
import { type Member, makeMember, type ServiceName, serviceNames } from './member.ts'

/** Addresses of what a cluster stands on. */
export type Backends = { mongodb: string; kafka: string; redis: string }

export type ClusterOptions = {
  backends: Backends
  /** How many processes of a service; two gateways, two intakes, three dispatchers where nothing is said. */
  replicas?: Partial<Record<ServiceName, number>>
  /** Beside what the cluster needs; where a service's own differs it wins. */
  env?: Record<string, string>
  envOf?: Partial<Record<ServiceName, Record<string, string>>>
  /** For one process alone, whatever its service reads. */
  envOfMember?: (service: ServiceName, number: number) => Record<string, string>
  /** For Node, beside what every process has. */
  flags?: readonly string[]
  /** Of the front; 0: a free one. */
  port?: number
  /** Folder of the project whose programs run; ours where nothing is said. */
  tree?: string
}

export type Cluster = AsyncDisposable & {
  /** Of the front, which spreads connections over the gateways. */
  url: string
  /** Of the records, with the database that is this cluster's own. */
  mongodbUrl: string
  /** What all processes are told alike, back ends and peers among it. */
  env: Record<string, string>
  members: readonly Member[]
  of(service: ServiceName): Member[]
}

const usual: Record<ServiceName, number> = { accounts: 1, templates: 1, quota: 1, intake: 2, dispatcher: 3, gateway: 2 }

type Placed = { service: ServiceName; number: number; port: number | null; opsPort: number }

/** A free port, another at each call: nobody listens on those given out until all processes start. */
const differentPorts = (): (() => Promise<number>) => {
  const given = new Set<number>()
  const next = async (): Promise<number> => {
    const port = await freePort()
    if (given.has(port)) return next()
    given.add(port)
    return port
  }
  return next
}

const place = async (replicas: Record<ServiceName, number>): Promise<Placed[]> => {
  const placed: Placed[] = []
  const nextPort = differentPorts()
  for (const service of serviceNames) {
    for (let number = 1; number <= replicas[service]; number++) {
      const port = service === 'dispatcher' ? null : await nextPort()
      placed.push({ service, number, port, opsPort: await nextPort() })
    }
  }
  return placed
}

/** The URL with its database replaced, so that many clusters can share one server. */
const withDatabase = (url: string, database: string): string => {
  const [base = '', query] = url.split('?')
  const server = base.replace(/^(\w+(?:\+srv)?:\/\/[^/]+).*$/, '$1')
  return `${server}/${database}${query === undefined ? '' : `?${query}`}`
}

const peersOf = (placed: readonly Placed[], service: ServiceName): string =>
  placed.flatMap((one) => (one.service === service ? [`127.0.0.1:${one.port}`] : [])).join(',')

/** What of this a service reads; of anything else it would say that it doesn't know it. */
const readBy = (service: ServiceName, env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name in clusterConfigs[service].shape || name.startsWith('OTEL_')),
  )

const settings = (
  placed: readonly Placed[],
  { backends }: ClusterOptions,
  publicUrl: string,
): Record<string, string> & { MONGODB_URL: string } => {
  const run = randomBytes(4).toString('hex')
  const secret = (): string => randomBytes(24).toString('hex')
  return {
    MONGODB_URL: withDatabase(backends.mongodb, `postrider_${run}`),
    KAFKA_BROKERS: backends.kafka,
    KAFKA_TOPIC_PREFIX: `${run}.`,
    KAFKA_REPLICATION: '1',
    REDIS_URL: backends.redis,
    POSTRIDER_ACCOUNTS: peersOf(placed, 'accounts'),
    POSTRIDER_TEMPLATES: peersOf(placed, 'templates'),
    POSTRIDER_QUOTA: peersOf(placed, 'quota'),
    POSTRIDER_INTAKE: peersOf(placed, 'intake'),
    POSTRIDER_WIRE_TOKEN: secret(),
    POSTRIDER_SECRET: secret(),
    POSTRIDER_PUBLIC_URL: publicUrl,
  }
}

/**
 * Starts every service as processes of its own on this machine and waits until all are ready. Disposing of it stops
 * them, those that take requests first.
 */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const stack = new AsyncDisposableStack()
  try {
    const placed = await place({ ...usual, ...options.replicas })
    const gateways = placed.flatMap(({ service, port }) => (service === 'gateway' && port !== null ? [port] : []))
    const front = await openFront({ port: options.port ?? 0, gateways })
    const known = settings(placed, options, front.url)
    const members = placed.map(({ service, number, port, opsPort }) => {
      const ports = { METRICS_PORT: String(opsPort), ...(port !== null && { PORT: String(port) }) }
      const env = {
        ...readBy(service, { ...known, ...ports, ...options.env, ...options.envOf?.[service] }),
        ...options.envOfMember?.(service, number),
      }
      const { flags = [], tree = root } = options
      return makeMember({ service, number, port, opsPort, env, flags, tree })
    })
    stack.defer(async () => {
      for (const service of serviceNames.toReversed()) {
        await Promise.all(members.filter((one) => one.service === service).map((one) => one.stop()))
      }
    })
    stack.use(front)
    await Promise.all(members.map((member) => member.start()))
    return {
      url: front.url,
      mongodbUrl: known.MONGODB_URL,
      env: known,
      members,
      of: (service) => members.filter((member) => member.service === service),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
