import { randomBytes } from 'node:crypto'
import { clusterConfigs } from '@postrider/standalone/config.ts'
import { freePort } from '../support/freePort.ts'
import { root } from '../support/project.ts'
import { openFront } from './front.ts'
import { type Member, makeMember, type ServiceName, serviceNames } from './member.ts'

/** Addresses of the back ends of a cluster. */
export type Backends = { mongodb: string; kafka: string; redis: string }

export type ClusterOptions = {
  backends: Backends
  /** The number of processes of a service. Default: two gateways, two intakes, three dispatchers, one of each other. */
  replicas?: Partial<Record<ServiceName, number>>
  /** Additional variables for all services that read them. `envOf` overrides them for one service. */
  env?: Record<string, string>
  envOf?: Partial<Record<ServiceName, Record<string, string>>>
  /** Additional variables for one process, even if its service does not read them. */
  envOfMember?: (service: ServiceName, number: number) => Record<string, string>
  /** Whether each caller has its own wire token, or all share one, which the last release needs. Default: each. */
  wireTokens?: 'each' | 'shared'
  /** Additional flags for Node. */
  flags?: readonly string[]
  /** The address that the front listens on. Default: localhost */
  host?: string
  /** The port of the front. 0 selects a free one. */
  port?: number
  /** Receives what a process prints; `name` is such as `gateway-1`. */
  print?: (name: string, text: string) => void
  /** Called when a process is ready for the first time. */
  onReady?: (member: Member, ready: number, total: number) => void
  /** Folder of the project whose programs run. Default: this project. */
  tree?: string
}

export type Cluster = AsyncDisposable & {
  /** The URL of the front, which distributes connections to the gateways. */
  url: string
  /** The URL of MongoDB with the database of this cluster. */
  mongodbUrl: string
  /** The variables that all processes share, including back ends and peers. */
  env: Record<string, string>
  members: readonly Member[]
  of(service: ServiceName): Member[]
}

const defaultReplicas: Record<ServiceName, number> = {
  accounts: 1,
  templates: 1,
  quota: 1,
  domains: 1,
  webhooks: 1,
  intake: 2,
  dispatcher: 3,
  gateway: 2,
}

type PlannedProcess = { service: ServiceName; number: number; port: number | null; opsPort: number }

/**
 * Returns a function that returns a different free port at each call. The ports remain free until all processes start.
 */
const differentPorts = (): (() => Promise<number>) => {
  const used = new Set<number>()
  const next = async (): Promise<number> => {
    const port = await freePort()
    if (used.has(port)) return next()
    used.add(port)
    return port
  }
  return next
}

const plan = async (replicas: Record<ServiceName, number>): Promise<PlannedProcess[]> => {
  const planned: PlannedProcess[] = []
  const nextPort = differentPorts()
  for (const service of serviceNames) {
    for (let number = 1; number <= replicas[service]; number++) {
      const port = service === 'dispatcher' ? null : await nextPort()
      planned.push({ service, number, port, opsPort: await nextPort() })
    }
  }
  return planned
}

/** Returns the URL with another database, so that many clusters can share one server. */
const withDatabase = (url: string, database: string): string => {
  const [base = '', query] = url.split('?')
  const server = base.replace(/^(\w+(?:\+srv)?:\/\/[^/]+).*$/, '$1')
  return `${server}/${database}${query === undefined ? '' : `?${query}`}`
}

const peersOf = (planned: readonly PlannedProcess[], service: ServiceName): string =>
  planned.flatMap((one) => (one.service === service ? [`127.0.0.1:${one.port}`] : [])).join(',')

/** Returns the variables that a service reads. It would warn about others. */
const readBy = (service: ServiceName, env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name in clusterConfigs[service].shape || name.startsWith('OTEL_')),
  )

const settings = (
  planned: readonly PlannedProcess[],
  { backends, wireTokens = 'each' }: ClusterOptions,
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
    POSTRIDER_ACCOUNTS: peersOf(planned, 'accounts'),
    POSTRIDER_TEMPLATES: peersOf(planned, 'templates'),
    POSTRIDER_QUOTA: peersOf(planned, 'quota'),
    POSTRIDER_DOMAINS: peersOf(planned, 'domains'),
    POSTRIDER_WEBHOOKS: peersOf(planned, 'webhooks'),
    POSTRIDER_INTAKE: peersOf(planned, 'intake'),
    ...(wireTokens === 'shared'
      ? { POSTRIDER_WIRE_TOKEN: secret() }
      : {
          POSTRIDER_WIRE_TOKEN_GATEWAY: secret(),
          POSTRIDER_WIRE_TOKEN_INTAKE: secret(),
          POSTRIDER_WIRE_TOKEN_ACCOUNTS: secret(),
        }),
    POSTRIDER_SECRET: secret(),
    POSTRIDER_PUBLIC_URL: publicUrl,
  }
}

/**
 * Starts the processes of all services on this machine and waits until they are ready. Disposing stops them, gateways
 * first.
 */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const stack = new AsyncDisposableStack()
  try {
    const planned = await plan({ ...defaultReplicas, ...options.replicas })
    const gateways = planned.flatMap(({ service, port }) => (service === 'gateway' && port !== null ? [port] : []))
    const front = await openFront({ host: options.host, port: options.port ?? 0, gateways })
    const shared = settings(planned, options, front.url)
    const members = planned.map(({ service, number, port, opsPort }) => {
      const ports = { METRICS_PORT: String(opsPort), ...(port !== null && { PORT: String(port) }) }
      const env = {
        ...readBy(service, { ...shared, ...ports, ...options.env, ...options.envOf?.[service] }),
        ...options.envOfMember?.(service, number),
      }
      const { flags = [], tree = root, print } = options
      const printed = print && ((text: string): void => print(`${service}-${number}`, text))
      return makeMember({ service, number, port, opsPort, env, flags, tree, print: printed })
    })
    stack.defer(async () => {
      for (const service of serviceNames.toReversed()) {
        await Promise.all(members.filter((one) => one.service === service).map((one) => one.stop()))
      }
    })
    stack.use(front)
    let ready = 0
    const begin = async (member: Member): Promise<void> => {
      await member.start()
      ready += 1
      options.onReady?.(member, ready, members.length)
    }
    await Promise.all(members.map(begin))
    return {
      url: front.url,
      mongodbUrl: shared.MONGODB_URL,
      env: shared,
      members,
      of: (service) => members.filter((member) => member.service === service),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

/** Returns everything that each process has printed. */
export const outputsOf = ({ members }: Cluster): { name: string; output: string }[] =>
  members.map((member) => ({ name: `${member.service}-${member.number}`, output: member.output() }))
