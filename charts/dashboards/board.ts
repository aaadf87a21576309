/** A dashboard as we write it; `grafanaJson` makes of it what Grafana reads. */
export type Board = {
  /** Never changed: links and bookmarks stand on it. */
  uid: string
  title: string
  description: string
  variables: readonly Variable[]
  rows: readonly Row[]
}

/** One choice above the panels, by the values that a label of a metric has. */
export type Variable = { name: string; label: string; metric: string; ofLabel: string }

export type Row = { title: string; panels: readonly Panel[] }

/** Grafana's names of units. */
export type Unit = 'short' | 's' | 'percentunit' | 'bytes' | 'ops' | 'reqps' | 'bool' | 'none'

export type Query = { expr: string; legend: string }

export type Panel = {
  /** `number`: one value, now, in a colour; `lines`: over time. */
  kind: 'number' | 'lines'
  title: string
  /** What it shows and what to do where it looks wrong. */
  description: string
  unit: Unit
  queries: readonly Query[]
  /** From which value on it is amber and red. */
  alarm?: { amber: number; red: number }
  /** Where only amounts of something make sense: nothing below 0, and the parts on top of each other. */
  stacked?: boolean
}

/** The installation that is looked at, beside what a query asks by itself; outside Kubernetes the label is empty. */
export const of = (metric: string, more = ''): string =>
  `${metric}{namespace=~"$namespace"${more === '' ? '' : `, ${more}`}}`

/** How much of a counter comes a second, by labels. */
export const rateBy = (labels: string, metric: string, more = ''): string =>
  `sum by (${labels}) (rate(${of(metric, more)}[$__rate_interval]))`

/** The value that this share of what a histogram saw doesn't pass, by labels. */
export const quantileBy = (share: number, labels: string, histogram: string, more = ''): string =>
  `histogram_quantile(${share}, ${rateBy(labels === '' ? 'le' : `le, ${labels}`, `${histogram}_bucket`, more)})`

/** Of what each replica tells of the whole: the maximum. */
export const maxBy = (labels: string, metric: string, more = ''): string => `max by (${labels}) (${of(metric, more)})`
