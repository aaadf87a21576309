import { type Lane, lanes } from '@postrider/domain/email/email.ts'
import { dayMs, hourMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { pause } from '@postrider/kit/pause.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { layersOf, rootCauseOf } from '@postrider/kit/rootCause.ts'
import kafkajs, { type Admin, type ITopicConfig, type Kafka } from 'kafkajs'
import { failedWith, type KafkaConfig } from './client.ts'

export type Topics = {
  /** The topic of each lane's due notifications. */
  due: Record<Lane, string>
  /** The topic of notifications about new events, for webhooks. */
  events: string
  /** Records that could not be read, each with its origin and the reason. */
  parked: string
}

/** @param prefix separates the installations that share one Kafka */
export const topicNames = (prefix = ''): Topics => ({
  due: {
    transactional: `${prefix}postrider.due.transactional`,
    marketing: `${prefix}postrider.due.marketing`,
  },
  events: `${prefix}postrider.events`,
  parked: `${prefix}postrider.parked`,
})

export type TopicShape = {
  /** Partitions of each topic of notifications: the maximum number of listeners that share it. */
  partitions: number
  replicationFactor: number
}

export const shapeOf = (config: KafkaConfig): TopicShape => ({
  partitions: config.KAFKA_PARTITIONS,
  replicationFactor: config.KAFKA_REPLICATION,
})

/** Retention of notifications. The sweep finds the mail of a lost one much earlier. */
const dueRetentionMs = hourMs
const parkedRetentionMs = 14 * dayMs

const config = (entries: Record<string, number | string>) =>
  Object.entries(entries).map(([name, value]) => ({ name, value: String(value) }))

/** Returns the topics of notifications: of each lane, and about events. */
export const notificationTopics = ({ due, events }: Topics): string[] => [...lanes.map((lane) => due[lane]), events]

const topicConfigs = (topics: Topics, { partitions, replicationFactor }: TopicShape): ITopicConfig[] => [
  ...notificationTopics(topics).map((topic) => ({
    topic,
    numPartitions: partitions,
    replicationFactor,
    configEntries: config({
      'retention.ms': dueRetentionMs,
      // Kafka deletes whole segments, so they must be shorter than the retention.
      'segment.ms': dueRetentionMs / 4,
      // The broker decompresses records of other producers: kafkajs fails on codecs that it does not have.
      'compression.type': 'uncompressed',
    }),
  })),
  {
    topic: topics.parked,
    numPartitions: 1,
    replicationFactor,
    configEntries: config({ 'retention.ms': parkedRetentionMs }),
  },
]

/** Another process may have added the partitions in the meantime. */
const unlessAdded = (thrown: unknown): void => {
  if (!(thrown instanceof Error && 'type' in thrown && thrown.type === 'INVALID_PARTITIONS')) throw thrown
}

/** How often a broker is queried for a topic that it does not know yet, about 5 s. */
const maxFailures = 8

/** Errors of a broker that does not know a new topic, or its leader, yet. */
const newTopicTypes = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']

/** Returns the topics as a broker knows them. A topic that was just created is not known to all brokers immediately. */
const knownTopics = async (admin: Admin, topics: string[]) => {
  const known = await retry(() => admin.fetchTopicMetadata({ topics }), {
    backoff: backoffs.leader,
    shouldRetry: (ended, { failures }) =>
      newTopicTypes.some((type) => failedWith(ended, type)) && failures <= maxFailures,
    pause,
  })
  return known.topics
}

/**
 * Creates missing topics and adds missing partitions; it never removes any. Safe to call repeatedly and concurrently.
 * @throws the error of kafkajs when Kafka does not respond or refuses
 */
export const ensureTopics = async (client: Kafka, topics: Topics, shape: TopicShape): Promise<void> => {
  const admin = client.admin()
  try {
    await admin.connect()
    const existing = new Set(await admin.listTopics())
    const missing = topicConfigs(topics, shape).filter(({ topic }) => !existing.has(topic))
    // kafkajs waits for leaders, but fails if the broker does not know the new topic yet. `knownTopics` waits for both.
    if (missing.length > 0) await admin.createTopics({ topics: missing, waitForLeaders: false })
    const known = await knownTopics(admin, notificationTopics(topics))
    const small = known.filter(({ partitions }) => partitions.length < shape.partitions)
    if (small.length > 0) {
      const topicPartitions = small.map(({ name }) => ({ topic: name, count: shape.partitions }))
      await admin.createPartitions({ topicPartitions }).catch(unlessAdded)
    }
  } finally {
    await admin.disconnect()
  }
}

/** Values of `compression.type` that make a broker store records that kafkajs cannot read. */
const unreadableCodecs: ReadonlySet<string> = new Set(['lz4', 'snappy', 'zstd'])

const compressionType = 'compression.type'

/**
 * Returns the topics of notifications whose records the broker compresses with a codec that kafkajs does not have. An
 * operator made them: `ensureTopics` does not change topics that exist.
 * @throws the error of kafkajs, for example when the right to describe settings is missing
 */
export const unreadableTopics = async (
  client: Kafka,
  topics: Topics,
): Promise<{ topic: string; compression: string }[]> => {
  const admin = client.admin()
  try {
    await admin.connect()
    const requested = notificationTopics(topics).map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: [compressionType],
    }))
    const { resources } = await admin.describeConfigs({ resources: requested, includeSynonyms: false })
    return resources.flatMap(({ resourceName: topic, configEntries }) =>
      configEntries
        .filter(({ configName, configValue }) => configName === compressionType && unreadableCodecs.has(configValue))
        .map(({ configValue: compression }) => ({ topic, compression })),
    )
  } finally {
    await admin.disconnect()
  }
}

/** Error types of Kafka for a wrong login or a missing right, which do not pass automatically. */
const refusalTypes = new Set([
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
])

const isRefusal = (thrown: Error): boolean =>
  thrown.name === 'KafkaJSSASLAuthenticationError' || ('type' in thrown && refusalTypes.has(String(thrown.type)))

/** @returns Kafka's error that refuses the login or a right; null: the failure may be temporary */
export const refusalIn = (thrown: unknown): Error | null => layersOf(thrown).find(isRefusal) ?? null

export type MakeTopicsOptions = {
  client: Kafka
  config: KafkaConfig
  log: Log
}

/**
 * Creates the topics of an installation.
 * @throws Fault `forbidden`: Kafka refuses the login or a right; `unavailable`: it does not respond or cannot do it now
 */
export const makeTopics = async ({ client, config, log }: MakeTopicsOptions): Promise<void> => {
  const topics = topicNames(config.KAFKA_TOPIC_PREFIX)
  await ensureTopics(client, topics, shapeOf(config)).catch((thrown: unknown) => {
    const refusal = refusalIn(thrown)
    if (refusal)
      throw new Fault('forbidden', 'Kafka rejects the login, or the user may not create topics.', { cause: refusal })
    throw new Fault('unavailable', 'Kafka could not create the topics.', { cause: rootCauseOf(thrown) })
  })
  // The user of the installation needs no right to describe settings.
  const unreadable = await unreadableTopics(client, topics).catch(() => [])
  for (const fields of unreadable) log.warn(fields, 'topic has a compression.type that is not supported')
}

/**
 * Returns how many members each consumer group has now. A process that was killed is counted until its session ends.
 * @throws the error of kafkajs when Kafka does not respond or refuses, which may take half a minute
 */
export const groupSizes = async (client: Kafka, groups: readonly string[]): Promise<Map<string, number>> => {
  const admin = client.admin()
  try {
    await admin.connect()
    const described = await admin.describeGroups([...groups])
    return new Map(described.groups.map(({ groupId, members }) => [groupId, members.length]))
  } finally {
    await admin.disconnect()
  }
}
