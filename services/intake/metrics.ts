import { lanes } from '@postrider/domain/email/email.ts'
import { type QueueKind, type QueueLimit, queueKinds } from '@postrider/domain/fairness/admission.ts'
import { type Removal, removals } from '@postrider/domain/retention/purge.ts'
import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'

/** Only test mail has a bound in bytes. */
const limitsOf = (kind: QueueKind): QueueLimit[] =>
  kind === 'test' ? ['share', 'total', 'share_bytes', 'total_bytes'] : ['share', 'total']

/** Declares the metrics of acceptance, the queue and the sweep. */
export const intakeMetrics = (registry: MetricRegistry) => {
  const { counter, gauge } = metricsIn(registry)
  const queueRefused = counter<'kind' | 'limit'>({
    name: 'postrider_mail_queue_refused_total',
    help: 'Sends refused because too much mail waits, by kind and by limit: the share of the workspace or the total',
    labels: ['kind', 'limit'],
  })
  // A series that begins with 0 shows its first increase.
  for (const kind of queueKinds) for (const limit of limitsOf(kind)) queueRefused.inc({ kind, limit }, 0)
  const purged = counter<'part'>({
    name: 'postrider_mail_purged_total',
    help: 'Emails of which the sweep removed a part because of its age, by part',
    labels: ['part'],
  })
  for (const part of removals) purged.inc({ part }, 0)
  return {
    accepted: counter({
      name: 'postrider_mail_accepted_total',
      help: 'Emails accepted with 202, without replays',
      labels: ['mode', 'lane'],
    }),
    queueDepth: gauge({
      name: 'postrider_mail_queue_depth',
      help: 'Emails without a final status: scheduled, due or in flight',
      labels: ['lane'],
    }),
    queueDue: gauge({
      name: 'postrider_mail_queue_due',
      help: 'Emails that are due and not in flight',
      labels: ['lane'],
    }),
    queueOldest: gauge({
      name: 'postrider_mail_queue_oldest_due_seconds',
      help: 'Time since the oldest due email became due',
      labels: ['lane'],
    }),
    queueWaiting: gauge({
      name: 'postrider_mail_queue_waiting',
      help: 'Emails without a final status, by kind: due, scheduled or test',
      labels: ['kind'],
    }),
    queueTestBytes: gauge({
      name: 'postrider_mail_queue_test_bytes',
      help: 'Bytes of the messages of test emails without a final status',
    }),
    queueRefused,
    purged,
    removalsOverdue: gauge<'kind'>({
      name: 'postrider_removals_oldest_due_seconds',
      help: 'How long the oldest removal of stored data has been due, by kind: old mail, or a recipient who is erased',
      labels: ['kind'],
    }),
    sweptAt: gauge({
      name: 'postrider_sweep_last_success_timestamp_seconds',
      help: 'When the sweep last completed a chore, in seconds since the epoch',
      labels: ['chore'],
    }),
  }
}

export type IntakeMetrics = ReturnType<typeof intakeMetrics>

type Backlog = Awaited<ReturnType<EmailStore['backlog']>>

/** Shows the backlog, the count of the queue and the last run of each chore as metrics. */
export const backlogWatch = (metrics: IntakeMetrics) => ({
  watch: (backlog: Backlog, at: number): void => {
    for (const { lane, due, oldestDueAt } of backlog) {
      metrics.queueDue.set({ lane }, due)
      metrics.queueOldest.set({ lane }, oldestDueAt === null ? 0 : Math.max(at - oldestDueAt, 0) / 1_000)
    }
  },
  swept: (chore: string, at: number): void => metrics.sweptAt.set({ chore }, at / 1_000),
  counted: (counts: readonly QueueCount[]): void => {
    const sum = (includes: (count: QueueCount) => boolean, part: 'emails' | 'bytes'): number =>
      counts.filter(includes).reduce((total, count) => total + count[part], 0)
    for (const one of lanes)
      metrics.queueDepth.set(
        { lane: one },
        sum(({ lane }) => lane === one, 'emails'),
      )
    for (const one of queueKinds)
      metrics.queueWaiting.set(
        { kind: one },
        sum(({ kind }) => kind === one, 'emails'),
      )
    metrics.queueTestBytes.set(sum(({ kind }) => kind === 'test', 'bytes'))
  },
  purged: (part: Removal, emails: number): void => metrics.purged.inc({ part }, emails),
  overdue: (kind: 'mail' | 'recipient', ms: number): void => metrics.removalsOverdue.set({ kind }, ms / 1_000),
  refused: (kind: QueueKind, limit: QueueLimit): void => metrics.queueRefused.inc({ kind, limit }),
})
