import type { Lane } from '@postrider/domain/email/email.ts'
import type { ITopicConfig, Kafka } from 'kafkajs'

export const lanes: readonly Lane[] = ['transactional', 'marketing']

export type Topics = {
  /** Where each lane is rung. */
  due: Record<Lane, string>
  /** Records that nobody could read, each with where it stood and why. */
  parked: string
}

/** @param prefix keeps the installations of one Kafka apart */
export const topicNames = (prefix = ''): Topics => ({
  due: {
    transactional: `${prefix}postrider.due.transactional`,
    marketing: `${prefix}postrider.due.marketing`,
  },
  parked: `${prefix}postrider.parked`,
})

export type TopicShape = {
  /** Of each lane's topic: the most listeners that share it. */
  partitions: number
  replicationFactor: number
}

const minuteMs = 60_000
/** A hint this old was swept up many times over. */
const dueKeptMs = 60 * minuteMs
const parkedKeptMs = 14 * 24 * 60 * minuteMs

const config = (entries: Record<string, number | string>) =>
  Object.entries(entries).map(([name, value]) => ({ name, value: String(value) }))

const wanted = ({ due, parked }: Topics, { partitions, replicationFactor }: TopicShape): ITopicConfig[] => [
  ...lanes.map((lane) => ({
    topic: due[lane],
    numPartitions: partitions,
    replicationFactor,
    configEntries: config({
      'retention.ms': dueKeptMs,
      // Kafka forgets whole segments: they must be shorter than what is kept.
      'segment.ms': dueKeptMs / 4,
      // The broker unpacks what a foreign producer packed: our client breaks on codecs it doesn't have.
      'compression.type': 'uncompressed',
    }),
  })),
  { topic: parked, numPartitions: 1, replicationFactor, configEntries: config({ 'retention.ms': parkedKeptMs }) },
]

/** Another process has raised them in the meantime. */
const unlessRaised = (thrown: unknown): void => {
  if (!(thrown instanceof Error && 'type' in thrown && thrown.type === 'INVALID_PARTITIONS')) throw thrown
}

/**
 * Makes the topics that aren't there and gives those that have too few partitions more, never less. May be called
 * again and again, by many processes at once.
 * @throws whatever the client throws: Kafka doesn't answer, or refuses
 */
export const ensureTopics = async (client: Kafka, topics: Topics, shape: TopicShape): Promise<void> => {
  const admin = client.admin()
  try {
    await admin.connect()
    const there = new Set(await admin.listTopics())
    const missing = wanted(topics, shape).filter(({ topic }) => !there.has(topic))
    if (missing.length > 0) await admin.createTopics({ topics: missing })
    const due = lanes.map((lane) => topics.due[lane])
    const known = await admin.fetchTopicMetadata({ topics: due })
    const small = known.topics.filter(({ partitions }) => partitions.length < shape.partitions)
    if (small.length > 0) {
      const topicPartitions = small.map(({ name }) => ({ topic: name, count: shape.partitions }))
      await admin.createPartitions({ topicPartitions }).catch(unlessRaised)
    }
  } finally {
    await admin.disconnect()
  }
}
