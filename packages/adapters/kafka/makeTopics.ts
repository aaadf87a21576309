import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { originOf } from '@postrider/kit/origin.ts'
import { kafkaClient } from './client.ts'
import { addressOf, type KafkaConfig, shapeOf } from './operators.ts'
import { refusalIn } from './refusal.ts'
import { ensureTopics, topicNames } from './topics.ts'

type Given = {
  /** Of the process. */
  name: string
  config: KafkaConfig
  log: Log
}

/**
 * Makes the topics before anybody rings or listens.
 * @throws Fault `forbidden`: Kafka refuses the login or a right; `unavailable`: it doesn't answer, or can't just now
 */
export const makeTopics = async ({ name, config, log }: Given): Promise<void> => {
  const client = kafkaClient({ ...addressOf(name, config), log })
  await ensureTopics(client, topicNames(config.KAFKA_TOPIC_PREFIX), shapeOf(config)).catch((thrown: unknown) => {
    const refusal = refusalIn(thrown)
    if (refusal) throw new Fault('forbidden', 'Kafka refuses our login or a right to topics.', { cause: refusal })
    throw new Fault('unavailable', 'Kafka doesn’t make the topics.', { cause: originOf(thrown) })
  })
}
