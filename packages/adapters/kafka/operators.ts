import type { KafkaAddress, KafkaLogin } from './client.ts'
import type { TopicShape } from './topics.ts'

/** Kafka as operators set it, in contracts/settings.ts. */
export type KafkaConfig = {
  KAFKA_BROKERS: readonly string[]
  KAFKA_TLS: 'on' | 'off'
  KAFKA_SASL?: KafkaLogin['mechanism'] | undefined
  KAFKA_USERNAME?: string | undefined
  KAFKA_PASSWORD?: string | undefined
  KAFKA_TOPIC_PREFIX: string
  KAFKA_PARTITIONS: number
  KAFKA_REPLICATION: number
}

const loginOf = ({
  KAFKA_SASL: mechanism,
  KAFKA_USERNAME: username = '',
  KAFKA_PASSWORD: password = '',
}: KafkaConfig) => (mechanism ? { sasl: { mechanism, username, password } } : {})

/** @param name of the process */
export const addressOf = (name: string, config: KafkaConfig): KafkaAddress => ({
  brokers: config.KAFKA_BROKERS,
  tls: config.KAFKA_TLS === 'on',
  ...loginOf(config),
  name,
})

export const shapeOf = (config: KafkaConfig): TopicShape => ({
  partitions: config.KAFKA_PARTITIONS,
  replicationFactor: config.KAFKA_REPLICATION,
})
