import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Instance } from '../../backends/instance.ts'
import { type KafkaInstance, startKafka } from '../../backends/kafka.ts'
import { startMongo } from '../../backends/mongo.ts'
import { startRedis } from '../../backends/redis.ts'
import { freePort } from '../../support/freePort.ts'
import { type TcpProxy, tcpProxy } from '../../support/tcpProxy.ts'

/** A back end of our own and the wire that leads to it; services know the wire's address alone. */
export type Hurtable<Server extends Instance = Instance> = { server: Server; wire: TcpProxy }

export type Hurtables = AsyncDisposable & {
  /** Its data are in files: kill -9 loses nothing that it answered. */
  mongo: Hurtable
  kafka: Hurtable<KafkaInstance>
  redis: Hurtable
}

const openMongo = async (open: AsyncDisposableStack): Promise<Hurtable> => {
  const keep = await mkdtemp(join(tmpdir(), 'postrider-faults-mongo-'))
  open.defer(() => rm(keep, { recursive: true, force: true }))
  const server = open.use(await startMongo({ folder: keep }))
  return { server, wire: open.use(await tcpProxy({ to: server.address })) }
}

/** Kafka tells its clients where to come to, so the wire is there first. */
const openKafka = async (open: AsyncDisposableStack): Promise<Hurtable<KafkaInstance>> => {
  const port = await freePort()
  const wire = open.use(await tcpProxy({ to: `127.0.0.1:${port}` }))
  return { server: open.use(await startKafka({ port, advertised: wire.address })), wire }
}

const openRedis = async (open: AsyncDisposableStack): Promise<Hurtable> => {
  const server = open.use(await startRedis())
  return { server, wire: open.use(await tcpProxy({ to: server.address })) }
}

/** Starts what a cluster stands on, each behind a wire that can be broken. */
export const startHurtables = async (): Promise<Hurtables> => {
  const open = new AsyncDisposableStack()
  try {
    const [mongo, kafka, redis] = await Promise.all([openMongo(open), openKafka(open), openRedis(open)])
    return { mongo, kafka, redis, [Symbol.asyncDispose]: () => open.disposeAsync() }
  } catch (thrown) {
    await open.disposeAsync()
    throw thrown
  }
}
