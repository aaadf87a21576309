import { quietIdleTimers } from '@postrider/adapters/kafka/idleTimers.ts'
import { Kafka, logLevel } from 'kafkajs'

/** Addresses on which one node of Kafka listens, and the `address` that it sends to its clients. */
export type KafkaAddresses = { host: string; port: number; controllerPort: number; address: string }

/** Returns the settings of one node that is both broker and controller. */
export const kafkaSettings = ({ host, port, controllerPort, address }: KafkaAddresses): Record<string, string> => ({
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  listeners: `PLAINTEXT://${host}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
  'advertised.listeners': `PLAINTEXT://${address}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'inter.broker.listener.name': 'PLAINTEXT',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '4',
  // The first member of a group does not wait for others.
  'group.initial.rebalance.delay.ms': '0',
  // After a kill, the next start is refused until the previous session has expired; the default is 9 s.
  'broker.session.timeout.ms': '2000',
  'broker.heartbeat.interval.ms': '500',
  'auto.create.topics.enable': 'false',
  // Without brokers that follow the metadata, nothing reads the records that mark idle time, twice a second by default.
  'metadata.max.idle.interval.ms': '0',
  // Each idle thread looks for work three times a second; the defaults are 3 for each listener, and 8.
  'num.network.threads': '1',
  'num.io.threads': '2',
})

/** Without it a JVM samples its own counters 20 times a second, for tools that no test uses. */
export const noPerfData = '-XX:-UsePerfData'

/** JVM options for a quick start, at the cost of throughput. */
export const kafkaJvm = [
  '-Xmx384m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  noPerfData,
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
]

/** Returns the settings in the form of `server.properties`. */
export const asProperties = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** A second listener that accepts only logins over TLS. `pemFile` contains its certificate and key. */
export type SecuredListener = { port: number; pemFile: string }

const map = 'listener.security.protocol.map'

/** Returns the settings with a second listener. */
export const withSecuredListener = (
  settings: Record<string, string>,
  { port, pemFile }: SecuredListener,
): Record<string, string> => ({
  ...settings,
  listeners: `${settings['listeners']},SECURED://127.0.0.1:${port}`,
  'advertised.listeners': `${settings['advertised.listeners']},SECURED://127.0.0.1:${port}`,
  [map]: `${settings[map]},SECURED:SASL_SSL`,
  'listener.name.secured.sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'listener.name.secured.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'listener.name.secured.ssl.keystore.type': 'PEM',
  'listener.name.secured.ssl.keystore.location': pemFile,
})

/** Returns whether a broker responds at an address. */
export const hasBroker = async (address: string): Promise<boolean> => {
  quietIdleTimers({ warn: () => {} })
  const admin = new Kafka({
    brokers: [address],
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin()
  try {
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    return brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
