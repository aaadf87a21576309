import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import type { BackendName } from './choose.ts'
import { hasBroker, kafkaSettings } from './kafkaSettings.ts'

/** A back end in a container; removed with its data when disposed, or by testcontainers' reaper when we are gone. */
export type Contained = AsyncDisposable & { address: string; what: string }

const startMs = 120_000

const mongodb = async (): Promise<Contained> => {
  const image = 'mongo:8'
  const container = await new GenericContainer(image)
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .withStartupTimeout(startMs)
    .start()
  // A replica set, as in production: only there do majorities and retryable writes exist.
  const { exitCode, output } = await container.exec([
    'mongosh',
    '--quiet',
    '--eval',
    'rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] });' +
      'while (!db.hello().isWritablePrimary) sleep(50)',
  ])
  if (exitCode !== 0) {
    await container.stop()
    throw new Error(`${image} makes no replica set: ${output}`)
  }
  const address = `mongodb://${container.getHost()}:${container.getMappedPort(27_017)}/?directConnection=true`
  return { address, what: `container ${image}`, [Symbol.asyncDispose]: async () => void (await container.stop()) }
}

const kafka = async (): Promise<Contained> => {
  const image = 'apache/kafka:4.1.1'
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime
  const port = await freePort()
  const address = `${host}:${port}`
  const settings = kafkaSettings({ host: '0.0.0.0', port: 9_092, controllerPort: 9_093, address })
  const environment = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
  )
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    // Kafka names its own address to clients, so the port outside must be known before it starts.
    .withExposedPorts({ container: 9_092, host: port })
    .withStartupTimeout(startMs)
    .start()
  await until(`${image} answers`, () => hasBroker(address), startMs)
  return { address, what: `container ${image}`, [Symbol.asyncDispose]: async () => void (await container.stop()) }
}

const redis = async (): Promise<Contained> => {
  const image = 'redis:7'
  const container = await new GenericContainer(image).withExposedPorts(6_379).withStartupTimeout(startMs).start()
  const address = `redis://${container.getHost()}:${container.getMappedPort(6_379)}`
  return { address, what: `container ${image}`, [Symbol.asyncDispose]: async () => void (await container.stop()) }
}

export const startContainer: Record<BackendName, () => Promise<Contained>> = { mongodb, kafka, redis }
