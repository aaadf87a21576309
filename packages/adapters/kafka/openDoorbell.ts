import type { Log } from '@postrider/kit/log.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import type { Open } from '@postrider/kit/run.ts'
import type { KafkaLogin } from './client.ts'
import { type KafkaDoorbell, kafkaDoorbell } from './doorbell.ts'

type Given = {
  open: Open
  /** Of the process. */
  name: string
  config: {
    KAFKA_BROKERS: readonly string[]
    KAFKA_TLS: 'on' | 'off'
    KAFKA_SASL?: KafkaLogin['mechanism'] | undefined
    KAFKA_USERNAME?: string | undefined
    KAFKA_PASSWORD?: string | undefined
    KAFKA_TOPIC_PREFIX: string
    KAFKA_PARTITIONS: number
    KAFKA_REPLICATION: number
  }
  metrics: Metrics
  log: Log
}

const loginOf = ({
  KAFKA_SASL: mechanism,
  KAFKA_USERNAME: username = '',
  KAFKA_PASSWORD: password = '',
}: Given['config']) => (mechanism ? { sasl: { mechanism, username, password } } : {})

/** The doorbell of a process; a Kafka that is away keeps nobody from starting. */
export const openDoorbell = ({ open, name, config, metrics, log }: Given): KafkaDoorbell =>
  open.use(
    kafkaDoorbell({
      brokers: config.KAFKA_BROKERS,
      tls: config.KAFKA_TLS === 'on',
      ...loginOf(config),
      prefix: config.KAFKA_TOPIC_PREFIX,
      partitions: config.KAFKA_PARTITIONS,
      replicationFactor: config.KAFKA_REPLICATION,
      name,
      onFatal: open.fail,
      metrics,
      log,
    }),
  )
