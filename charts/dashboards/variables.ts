import type { Variable } from './board.ts'

/** An installation is a namespace. */
export const namespace: Variable = {
  name: 'namespace',
  label: 'Namespace',
  metric: 'postrider_process_start_time_seconds',
  ofLabel: 'namespace',
}

/** A service, as the chart’s ServiceMonitor names it. */
export const job: Variable = {
  name: 'job',
  label: 'Service',
  metric: 'postrider_process_start_time_seconds{namespace=~"$namespace"}',
  ofLabel: 'job',
}
