import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/** Why a log-in was refused. */
const refusals = [
  'unknown_account',
  'wrong_password',
  'no_workspace',
  'account_limit',
  'client_limit',
  'network_limit',
  'busy',
] as const
export type LogInRefusal = (typeof refusals)[number]

/** Declares the metrics of the accounts service. */
export const accountsMetrics = (registry: MetricRegistry) => {
  const loginsRefused = metricsIn(registry).counter<'reason'>({
    name: 'postrider_logins_refused_total',
    help: 'Log-ins refused, by reason',
    labels: ['reason'],
  })
  // A series that begins with 0 shows its first increase.
  for (const reason of refusals) loginsRefused.inc({ reason }, 0)
  return { loginsRefused }
}

/** What the service counts; `accountsMetrics` is one. */
export type AccountsMetrics = { loginsRefused: { inc(labels: { reason: LogInRefusal }): void } }
