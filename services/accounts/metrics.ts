import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Why a log-in was refused. */
export type LogInRefusal =
  | 'unknown_account'
  | 'wrong_password'
  | 'no_workspace'
  | 'account_limit'
  | 'client_limit'
  | 'network_limit'
  | 'busy'

/** Declares the metrics of the accounts service. */
export const accountsMetrics = (registry: MetricRegistry) => ({
  loginsRefused: metricsIn(registry).counter<'reason'>({
    name: 'postrider_logins_refused_total',
    help: 'Log-ins refused, by reason',
    labels: ['reason'],
  }),
})

/** What the service counts; `accountsMetrics` is one. */
export type AccountsMetrics = { loginsRefused: { inc(labels: { reason: LogInRefusal }): void } }
