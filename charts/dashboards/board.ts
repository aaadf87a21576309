/** The definition of a dashboard; `grafanaJson` converts it to Grafana's format. */
export type Board = {
  /** Never change it: links and bookmarks use it. */
  uid: string
  title: string
  description: string
  variables: readonly Variable[]
  rows: readonly Row[]
}

/** A selector above the panels; its options are the values of a metric's label. */
export type Variable = { name: string; label: string; metric: string; ofLabel: string }

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

export type Row = { title: string; panels: readonly Panel[] }

/** Names of Grafana's units. */
export type Unit = 'short' | 's' | 'percentunit' | 'bytes' | 'ops' | 'reqps' | 'bool' | 'none'

export type Query = { expr: string; legend: string }

export type Panel = {
  /** `number`: the current value in a color; `lines`: values over time. */
  kind: 'number' | 'lines'
  title: string
  /** What the panel shows, and what to do if it looks wrong. */
  description: string
  unit: Unit
  queries: readonly Query[]
  /** Thresholds of amber and red. */
  alarm?: { amber: number; red: number }
  /** Whether the series are parts of a whole and are drawn stacked. */
  stacked?: boolean
}

/** Returns a selector for the chosen installation, with `more` matchers. Outside Kubernetes the label is empty. */
export const of = (metric: string, more = ''): string =>
  `${metric}{namespace=~"$namespace"${more === '' ? '' : `, ${more}`}}`

/** Returns the rate of a counter per second, by labels. */
export const rateBy = (labels: string, metric: string, more = ''): string =>
  `sum by (${labels}) (rate(${of(metric, more)}[$__rate_interval]))`

/** Returns a quantile of a histogram, by labels. */
export const quantileBy = (share: number, labels: string, histogram: string, more = ''): string =>
  `histogram_quantile(${share}, ${rateBy(labels === '' ? 'le' : `le, ${labels}`, `${histogram}_bucket`, more)})`

/** Returns the maximum, for metrics in which each replica reports the whole. */
export const maxBy = (labels: string, metric: string, more = ''): string => `max by (${labels}) (${of(metric, more)})`
