import type { Variable } from './board.ts'

/** Selects installations; each is a namespace. */
export const namespace: Variable = {
  name: 'namespace',
  label: 'Namespace',
  metric: 'postrider_process_start_time_seconds',
  ofLabel: 'namespace',
}

/** Selects services, as the chart's ServiceMonitor names them. */
export const job: Variable = {
  name: 'job',
  label: 'Service',
  metric: 'postrider_process_start_time_seconds{namespace=~"$namespace"}',
  ofLabel: 'job',
}
