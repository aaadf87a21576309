/** Values of a chart, one for each bucket; null: there is none. */
export type PlotSeries = {
  /** Class of its color, such as `bg-chart-delivered`. */
  color: string
  kind: 'bars' | 'line'
  /** Whether a line is dashed. */
  dash?: true
  values: readonly (number | null)[]
}

/** Content of a chart. Later series are drawn over earlier ones. */
export type PlotSpec = {
  /** Labels of the buckets on the axis. */
  times: readonly string[]
  series: readonly PlotSeries[]
  /** The lines of the scale, from 0. */
  lines: readonly number[]
  lineText: (value: number) => string
  thresholds: readonly { value: number; color: string }[]
}
