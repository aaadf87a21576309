import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

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

type Backlog = Awaited<ReturnType<EmailStore['backlog']>>

/** Shows the backlog and the last run of each chore as metrics. `full` returns true while `bound` emails or more wait. */
export const backlogWatch = (metrics: IntakeMetrics, bound: number) => {
  let waiting = 0
  return {
    watch: (backlog: Backlog, at: number): void => {
      waiting = backlog.reduce((sum, lane) => sum + lane.waiting, 0)
      for (const { lane, waiting, due, oldestDueAt } of backlog) {
        metrics.queueDepth.set({ lane }, waiting)
        metrics.queueDue.set({ lane }, due)
        metrics.queueOldest.set({ lane }, oldestDueAt === null ? 0 : Math.max(at - oldestDueAt, 0) / 1_000)
      }
    },
    swept: (chore: string, at: number): void => metrics.sweptAt.set({ chore }, at / 1_000),
    full: (): boolean => waiting >= bound,
  }
}
