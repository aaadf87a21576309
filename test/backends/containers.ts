import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import { hasBroker, kafkaSettings } from './kafkaSettings.ts'

/**
 * A back end in a container. Disposing of it removes the container; if this process is killed, testcontainers' reaper
 * does.
 */
type Contained = AsyncDisposable & { address: string; what: string }

const startMs = 120_000

const mongodb = async (): Promise<Contained> => {
  const image = 'mongo:8'
  const container = await new GenericContainer(image)
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .withStartupTimeout(startMs)
    .start()
  // Majority and retryable writes need a replica set, as in production.
  const { exitCode, output } = await container.exec([
    'mongosh',
    '--quiet',
    '--eval',
    'rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] });' +
      'while (!db.hello().isWritablePrimary) sleep(50)',
  ])
  if (exitCode !== 0) {
    await container.stop()
    throw new Error(`${image} failed to create a replica set: ${output}`)
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
    // Kafka sends its own address to clients, so the outer port must be known before it starts.
    .withExposedPorts({ container: 9_092, host: port })
    .withStartupTimeout(startMs)
    .start()
  await until(`${image} responds`, async () => (await hasBroker(address)) || undefined, startMs)
  return { address, what: `container ${image}`, [Symbol.asyncDispose]: async () => void (await container.stop()) }
}

const redis = async (): Promise<Contained> => {
  const image = 'redis:7'
  const container = await new GenericContainer(image).withExposedPorts(6_379).withStartupTimeout(startMs).start()
  const address = `redis://${container.getHost()}:${container.getMappedPort(6_379)}`
  return { address, what: `container ${image}`, [Symbol.asyncDispose]: async () => void (await container.stop()) }
}

/** Starts a back end in a container, by its name. */
export const startContainer = { mongodb, kafka, redis }
