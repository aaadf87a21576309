import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Why a login was refused. */
const refusals = [
  'unknown_account',
  'wrong_password',
  'no_workspace',
  'code_missing',
  'wrong_code',
  'unused_code',
  'account_limit',
  'client_limit',
  'network_limit',
  'busy',
] as const
export type LogInRefusal = (typeof refusals)[number]

const mailOutcomes = ['accepted', 'failed'] as const
export type MailOutcome = (typeof mailOutcomes)[number]

/** Declares the metrics of the accounts service. */
export const accountsMetrics = (registry: MetricRegistry) => {
  const loginsRefused = metricsIn(registry).counter<'reason'>({
    name: 'postrider_logins_refused_total',
    help: 'Logins refused, by reason',
    labels: ['reason'],
  })
  // A series that begins with 0 shows its first increase.
  for (const reason of refusals) loginsRefused.inc({ reason }, 0)
  const systemMail = metricsIn(registry).counter<'outcome'>({
    name: 'postrider_system_mail_total',
    help: 'System emails: accepted by intake, or given up (failed)',
    labels: ['outcome'],
  })
  for (const outcome of mailOutcomes) systemMail.inc({ outcome }, 0)
  const workspacesErased = metricsIn(registry).counter({
    name: 'postrider_workspaces_erased_total',
    help: 'Deleted workspaces that were removed from every store',
  })
  const erasuresOverdue = metricsIn(registry).gauge({
    name: 'postrider_workspace_erasures_overdue',
    help: 'Workspaces whose deletion has been due for more than an hour',
  })
  return { loginsRefused, systemMail, workspacesErased, erasuresOverdue }
}

/** Metrics of the service; `accountsMetrics` is one. */
export type AccountsMetrics = {
  loginsRefused: { inc(labels: { reason: LogInRefusal }): void }
  systemMail: { inc(labels: { outcome: MailOutcome }): void }
  workspacesErased: { inc(): void }
  erasuresOverdue: { set(count: number): void }
}
