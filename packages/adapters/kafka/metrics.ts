import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Declares the metrics of the doorbell over Kafka. */
export const kafkaMetrics = (registry: MetricRegistry) => {
  const { counter, gauge } = metricsIn(registry)
  return {
    kafkaRings: counter({
      name: 'postrider_kafka_rings_total',
      help: 'Hints about due mail and events, sent to Kafka or dropped; scans find what dropped hints announced',
      labels: ['lane', 'outcome'],
    }),
    kafkaParked: counter({
      name: 'postrider_kafka_parked_total',
      help: 'Unreadable Kafka records set aside; an operator must examine each',
    }),
    kafkaLag: gauge({
      name: 'postrider_kafka_consumer_lag',
      help: 'Hints in the partitions of this process that were not read yet after the last batch',
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
