import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Declares the metrics of acceptance, the queue and the sweeper. */
export const intakeMetrics = (registry: MetricRegistry) => {
  const { counter, gauge } = metricsIn(registry)
  return {
    accepted: counter({
      name: 'postrider_mail_accepted_total',
      help: 'Emails answered with 202, without replays',
      labels: ['mode', 'lane'],
    }),
    queueDepth: gauge({
      name: 'postrider_mail_queue_depth',
      help: 'Emails without a final status: scheduled, due or in work',
      labels: ['lane'],
    }),
    queueDue: gauge({
      name: 'postrider_mail_queue_due',
      help: 'Emails that are due and not in work',
      labels: ['lane'],
    }),
    queueOldest: gauge({
      name: 'postrider_mail_queue_oldest_due_seconds',
      help: 'Time since the oldest due email became due',
      labels: ['lane'],
    }),
    sweptAt: gauge({
      name: 'postrider_sweep_last_success_timestamp_seconds',
      help: 'When the sweeper last completed a chore, in seconds since the epoch',
      labels: ['chore'],
    }),
  }
}

export type IntakeMetrics = ReturnType<typeof intakeMetrics>
