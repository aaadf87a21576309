import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { boards } from '../../charts/dashboards/boards.ts'

/* The monitoring of the chart: recording rules, alerts and dashboard panels. */

export const root = join(import.meta.dirname, '..', '..')
export const rulesFolder = join(root, 'charts/postrider/rules')

export type Rule = {
  record?: string
  alert?: string
  expr: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

export const ruleFiles = readdirSync(rulesFolder).filter((name) => name.endsWith('.yaml'))
export const rules = ruleFiles.flatMap((name) => {
  const { groups } = parse(readFileSync(join(rulesFolder, name), 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap((group) => group.rules)
})
export const alerts = rules.filter(({ alert }) => alert !== undefined)

export const panels = Object.values(boards).flatMap(({ title, rows }) =>
  rows.flatMap((row) => row.panels.map((panel) => ({ board: title, ...panel }))),
)

/** All expressions, each with the name of its rule or panel. */
export const expressions = [
  ...rules.map(({ alert, record, expr }) => ({ of: alert ?? record ?? '', expr })),
  ...panels.flatMap(({ board, title, queries }) => queries.map(({ expr }) => ({ of: `${board}: ${title}`, expr }))),
]
