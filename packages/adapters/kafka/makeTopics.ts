import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { kafkaClient } from './client.ts'
import { addressOf, type KafkaConfig, shapeOf } from './operators.ts'
import { ensureTopics, topicNames } from './topics.ts'

type Given = {
  /** Of the process. */
  name: string
  config: KafkaConfig
  log: Log
}

/**
 * Makes the topics before anybody rings or listens.
 * @throws Fault `unavailable`: Kafka doesn't answer, or refuses
 */
export const makeTopics = async ({ name, config, log }: Given): Promise<void> => {
  const client = kafkaClient({ ...addressOf(name, config), log })
  await ensureTopics(client, topicNames(config.KAFKA_TOPIC_PREFIX), shapeOf(config)).catch((thrown: unknown) => {
    throw new Fault('unavailable', 'Kafka doesn’t make the topics.', { cause: thrown })
  })
}
