import type { Board, Panel, Row, Variable } from './board.ts'

/** Sizes on Grafana's grid, which has 24 columns. */
const size = { number: { w: 4, h: 4 }, lines: { w: 8, h: 8 } } as const
const gridWidth = 24

const datasource = { type: 'prometheus', uid: '$datasource' }

const thresholds = ({ alarm }: Panel) => ({
  mode: 'absolute',
  steps: [
    { color: alarm ? 'green' : 'blue', value: null },
    ...(alarm
      ? [
          { color: 'orange', value: alarm.amber },
          { color: 'red', value: alarm.red },
        ]
      : []),
  ],
})

const fieldConfig = (panel: Panel) => ({
  defaults: {
    unit: panel.unit,
    min: 0,
    thresholds: thresholds(panel),
    color: { mode: panel.kind === 'number' ? 'thresholds' : 'palette-classic' },
    ...(panel.kind === 'lines' && {
      custom: {
        fillOpacity: panel.stacked ? 30 : 5,
        showPoints: 'never',
        stacking: { mode: panel.stacked ? 'normal' : 'none', group: 'A' },
        thresholdsStyle: { mode: panel.alarm ? 'line' : 'off' },
      },
    }),
  },
  overrides: [],
})

const options = ({ kind }: Panel) =>
  kind === 'number'
    ? { colorMode: 'value', graphMode: 'area', reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
    : {
        legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
        tooltip: { mode: 'multi', sort: 'desc' },
      }

const panelJson = (panel: Panel) => ({
  type: panel.kind === 'number' ? 'stat' : 'timeseries',
  title: panel.title,
  description: panel.description,
  datasource,
  fieldConfig: fieldConfig(panel),
  options: options(panel),
  targets: panel.queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    expr,
    legendFormat: legend,
  })),
})

/** Places panels from left to right, with a new line if the next does not fit. */
const placed = (rows: readonly Row[]): object[] => {
  const all: object[] = []
  let [x, y, lineHeight] = [0, 0, 0]
  const newLine = (): void => {
    y += lineHeight
    x = lineHeight = 0
  }
  const put = (panel: object, { w, h }: { w: number; h: number }): void => {
    if (x + w > gridWidth) newLine()
    all.push({ id: all.length + 1, ...panel, gridPos: { x, y, w, h } })
    x += w
    lineHeight = Math.max(lineHeight, h)
  }
  for (const { title, panels } of rows) {
    newLine()
    put({ type: 'row', title, collapsed: false, panels: [] }, { w: gridWidth, h: 1 })
    for (const panel of panels) put(panelJson(panel), size[panel.kind])
  }
  return all
}

/** All options are selected by default; `.*` also matches series without the label. */
const variableJson = ({ name, label, metric, ofLabel }: Variable) => ({
  name,
  label,
  type: 'query',
  datasource,
  query: { query: `label_values(${metric}, ${ofLabel})`, refId: name },
  definition: `label_values(${metric}, ${ofLabel})`,
  includeAll: true,
  allValue: '.*',
  multi: true,
  current: { text: ['All'], value: ['$__all'] },
  refresh: 2,
  sort: 1,
})

/** Returns a dashboard in Grafana's JSON model, without fields that a server adds. */
export const grafanaJson = ({ uid, title, description, variables, rows }: Board): string =>
  `${JSON.stringify(
    {
      uid,
      title,
      description,
      tags: ['postrider'],
      schemaVersion: 39,
      editable: false,
      graphTooltip: 1,
      refresh: '30s',
      time: { from: 'now-3h', to: 'now' },
      timezone: 'utc',
      links: [
        {
          type: 'dashboards',
          title: 'Postrider',
          tags: ['postrider'],
          asDropdown: true,
          includeVars: true,
          keepTime: true,
        },
      ],
      templating: {
        list: [
          { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {} },
          ...variables.map(variableJson),
        ],
      },
      panels: placed(rows),
    },
    null,
    1,
  )}\n`
