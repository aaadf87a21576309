import { randomBytes } from 'node:crypto'
import { type KafkaDoorbell, type KafkaDoorbellOptions, kafkaDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { quietIdleTimers } from '@postrider/adapters/kafka/idleTimers.ts'
import { kafkaMetrics } from '@postrider/adapters/kafka/metrics.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { type Metrics, makeMetrics } from '@postrider/kit/metrics.ts'
import { Kafka, logLevel } from 'kafkajs'

export const silent = makeLog('test', 'silent')

export type OpenDoorbell = (
  options: Partial<KafkaDoorbellOptions> & { brokers: readonly string[] },
) => KafkaDoorbell & { metrics: Metrics; fatal: Error[] }

/**
 * Returns a function that opens a doorbell and closes it after the test. Call this inside of `describe`. At the end of
 * the suite it removes topics with a prefix.
 */
export const doorbellsForTests = (): OpenDoorbell => {
  let opened: KafkaDoorbell[] = []
  const prefixes = new Set<string>()
  let brokers: readonly string[] = []
  after(async () => {
    if (prefixes.size > 0) await removeTopics(brokers, [...prefixes])
  })
  afterEach(async () => {
    await Promise.all(opened.map((doorbell) => doorbell[Symbol.asyncDispose]()))
    opened = []
  })
  return (options) => {
    const metrics = makeMetrics(kafkaMetrics)
    const fatal: Error[] = []
    const onFatal = (reason: Error): void => void fatal.push(reason)
    const doorbell = kafkaDoorbell({ name: 'test', partitions: 4, onFatal, metrics, log: silent, ...options })
    opened.push(doorbell)
    if (options.prefix !== undefined) {
      prefixes.add(options.prefix)
      brokers = options.brokers
    }
    return Object.assign(doorbell, { metrics, fatal })
  }
}

/** Returns a prefix that separates a test from others on a shared Kafka. */
export const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}.`

/** Returns a client that shares nothing with the adapter. */
export const plainKafka = (brokers: readonly string[]): Kafka => {
  quietIdleTimers({ warn: () => {} })
  return new Kafka({ brokers: [...brokers], clientId: 'test', logLevel: logLevel.NOTHING })
}

const removeTopics = async (brokers: readonly string[], prefixes: readonly string[]): Promise<void> => {
  const admin = plainKafka(brokers).admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => prefixes.some((prefix) => topic.startsWith(prefix)))
  if (topics.length > 0) await admin.deleteTopics({ topics })
  await admin.disconnect()
}

/** Returns the value of one series of a metric. */
export const counted = async (metrics: Metrics, name: string, labels: Record<string, string> = {}): Promise<number> => {
  const found = await metrics.registry.getSingleMetric(name)?.get()
  const series = found?.values.find(({ labels: has }) =>
    Object.entries(labels).every(([label, value]) => has[label] === value),
  )
  return series?.value ?? 0
}
