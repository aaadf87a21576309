import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Instance } from '../../backends/instance.ts'
import { type KafkaInstance, startKafka } from '../../backends/kafka.ts'
import { startMongo } from '../../backends/mongo.ts'
import { startRedis } from '../../backends/redis.ts'
import { freePort } from '../../support/freePort.ts'
import { type TcpProxy, tcpProxy } from '../../support/tcpProxy.ts'

/** A back end of this suite and the proxy in front of it. Services only have the address of the proxy. */
export type ProxiedBackend<Server extends Instance = Instance> = { server: Server; proxy: TcpProxy }

export type ProxiedBackends = AsyncDisposable & {
  /** Its data are in files: kill -9 loses no acknowledged write. */
  mongo: ProxiedBackend
  kafka: ProxiedBackend<KafkaInstance>
  redis: ProxiedBackend
}

const openMongo = async (open: AsyncDisposableStack): Promise<ProxiedBackend> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-faults-mongo-'))
  open.defer(() => rm(folder, { recursive: true, force: true }))
  const server = open.use(await startMongo({ folder }))
  return { server, proxy: open.use(await tcpProxy({ to: server.address })) }
}

/** Kafka sends its address to clients, so the proxy starts first. */
const openKafka = async (open: AsyncDisposableStack): Promise<ProxiedBackend<KafkaInstance>> => {
  const port = await freePort()
  const proxy = open.use(await tcpProxy({ to: `127.0.0.1:${port}` }))
  return { server: open.use(await startKafka({ port, advertised: proxy.address })), proxy }
}

const openRedis = async (open: AsyncDisposableStack): Promise<ProxiedBackend> => {
  const server = open.use(await startRedis())
  return { server, proxy: open.use(await tcpProxy({ to: server.address })) }
}

/** Starts the back ends of a cluster, each behind a proxy that can fail. */
export const startProxiedBackends = async (): Promise<ProxiedBackends> => {
  const open = new AsyncDisposableStack()
  try {
    const [mongo, kafka, redis] = await Promise.all([openMongo(open), openKafka(open), openRedis(open)])
    return { mongo, kafka, redis, [Symbol.asyncDispose]: () => open.disposeAsync() }
  } catch (thrown) {
    await open.disposeAsync()
    throw thrown
  }
}
