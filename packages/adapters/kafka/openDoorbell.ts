import type { Log } from '@postrider/kit/log.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import type { Open } from '@postrider/kit/run.ts'
import { type KafkaDoorbell, kafkaDoorbell } from './doorbell.ts'
import { kafkaMetrics } from './metrics.ts'
import { addressOf, type KafkaConfig, shapeOf } from './operators.ts'

type Given = {
  open: Open
  /** Of the process. */
  name: string
  config: KafkaConfig
  metrics: Metrics
  log: Log
}

/** The doorbell of a process; a Kafka that is away keeps nobody from starting. */
export const openDoorbell = ({ open, name, config, metrics, log }: Given): KafkaDoorbell =>
  open.use(
    kafkaDoorbell({
      ...addressOf(name, config),
      ...shapeOf(config),
      prefix: config.KAFKA_TOPIC_PREFIX,
      onFatal: open.fail,
      metrics: kafkaMetrics(metrics.registry),
      log,
    }),
  )
