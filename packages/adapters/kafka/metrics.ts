import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Declares the metrics of the doorbell over Kafka. */
export const kafkaMetrics = (registry: MetricRegistry) => {
  const { counter, gauge } = metricsIn(registry)
  return {
    kafkaRings: counter({
      name: 'postrider_kafka_rings_total',
      help: 'Notifications of due mail or new events, sent to Kafka or dropped (lane: a lane, or events); scans find what dropped ones are about',
      labels: ['lane', 'outcome'],
    }),
    kafkaParked: counter({
      name: 'postrider_kafka_parked_total',
      help: 'Unreadable Kafka records set aside; an operator must examine each',
    }),
    kafkaLag: gauge({
      name: 'postrider_kafka_consumer_lag',
      help: 'Notifications in the partitions of this process that were not read yet after the last batch',
      labels: ['lane'],
    }),
    kafkaRestarts: counter({
      name: 'postrider_kafka_consumer_restarts_total',
      help: 'Restarts of a Kafka consumer that ended with an error',
      labels: ['lane'],
    }),
  }
}

export type KafkaMetrics = ReturnType<typeof kafkaMetrics>
