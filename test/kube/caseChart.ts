import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { helm } from '../../charts/gen/helm.ts'
import { chart } from './manifests.ts'

/*
 * Asks the chart about many sets of values with one process of helm, which costs less than half the CPU of a process
 * for each set. In a chart that is written for it, each set of values is that of one subchart, a copy of our chart.
 */

/** The values of one case: those of an example, if one is named, and the assignments that are added. */
export type Case = { example?: string; set: readonly string[]; setString?: readonly string[] }

type Cases = ReadonlyMap<string, Case>

/** The texts that a subchart prints: the faults with which our chart fails, and its notes. */
const report = `apiVersion: v1
kind: Report
metadata: { name: {{ .Chart.Name }} }
faults: {{ include "postrider.refusals" . | toJson }}
notes: {{ include "notes" . | toJson }}
`

type Report = { kind: 'Report'; metadata: { name: string }; faults: string; notes: string }

const read = (path: string): string => readFileSync(join(chart, path), 'utf8')

/** Named templates are common to all charts, so only the outer one has them. */
const isShared = (name: string): boolean => name.endsWith('.tpl')

/** @param isWhole the subcharts have the templates of all objects too, except the one that fails */
const writeCases = (folder: string, cases: Cases, isWhole: boolean): void => {
  const inner = join(folder, 'charts/postrider')
  for (const path of [folder, inner]) mkdirSync(join(path, 'templates'), { recursive: true })
  const parts = ['Chart.yaml', 'values.yaml', 'values.schema.json', 'files']
  for (const part of isWhole ? [...parts, 'dashboards', 'rules', 'templates'] : parts)
    cpSync(join(chart, part), join(inner, part), {
      recursive: true,
      filter: (path) => !/\.tpl$|\/(?:NOTES\.txt|refusals\.yaml)$/.test(path),
    })
  for (const name of readdirSync(join(chart, 'templates')).filter(isShared))
    cpSync(join(chart, 'templates', name), join(folder, 'templates', name))
  writeFileSync(join(folder, 'templates/_notes.tpl'), `{{ define "notes" }}${read('templates/NOTES.txt')}{{ end }}`)
  writeFileSync(join(inner, 'templates/report.yaml'), report)
  const { version } = parse(read('Chart.yaml')) as { version: string }
  const dependencies = [...cases.keys()].map((alias) => ({ name: 'postrider', version, alias }))
  const outer = { apiVersion: 'v2', name: 'cases', version, dependencies }
  writeFileSync(join(folder, 'Chart.yaml'), JSON.stringify(outer))
  const values = [...cases].flatMap(([alias, { example }]) =>
    example === undefined ? [] : [[alias, parse(read(`examples/${example}/values.yaml`)) as unknown]],
  )
  writeFileSync(join(folder, 'values.yaml'), JSON.stringify(Object.fromEntries(values)))
}

/** Returns assignments of helm with the alias of a subchart before each path. A comma in a value is escaped. */
const below = (alias: string, assignments: string): string => assignments.replaceAll(/^|(?<!\\),/g, `$&${alias}.`)

const render = (cases: Cases, isWhole: boolean, ...options: string[]): Map<string, Report> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-cases-'))
  try {
    writeCases(folder, cases, isWhole)
    const given = [...cases].flatMap(([alias, { set, setString = [] }]) => [
      ...set.flatMap((one) => ['--set', below(alias, one)]),
      ...setString.flatMap((one) => ['--set-string', below(alias, one)]),
    ])
    const names = ['--name-template', 'postrider', '--namespace', 'mail']
    const documents = helm('template', folder, ...names, ...options, ...given).split(/^---$/m)
    const reports = documents.filter((one) => one.includes('\nkind: Report\n')).map((one) => parse(one) as Report)
    return new Map(reports.map((one) => [one.metadata.name, one]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const named = (cases: readonly Case[]): Map<string, Case> => new Map(cases.map((one, index) => [`case${index}`, one]))

/** Returns the faults of the schema in an error of helm by alias. */
const schemaFaults = (error: string): Map<string, string> =>
  new Map(
    error.split(/^(?=case\d+:$)/m).flatMap((part) => {
      const [, alias = '', faults = ''] = /^(case\d+):\n([\s\S]*)/.exec(part) ?? []
      return alias === '' ? [] : [[alias, faults] as const]
    }),
  )

/** Returns an error of helm with the values of the case that it names. */
const withValues = (thrown: unknown, cases: Cases): unknown => {
  if (!(thrown instanceof Error)) return thrown
  const [alias = ''] = /case\d+/.exec(thrown.message) ?? []
  return new Error(`${alias} ${JSON.stringify(cases.get(alias))}: ${thrown.message}`)
}

/** Returns why the chart refuses each case, by its schema or its templates; empty text: it accepts the case. */
export const refusalsOf = (cases: readonly Case[]): string[] => {
  const rest = named(cases)
  let bySchema = new Map<string, string>()
  let reports: Map<string, Report>
  try {
    reports = render(rest, false)
  } catch (thrown) {
    bySchema = schemaFaults((thrown as Error).message)
    if (bySchema.size === 0) throw withValues(thrown, rest)
    for (const alias of bySchema.keys()) rest.delete(alias)
    // The first run has checked the values of these too.
    reports = render(rest, false, '--skip-schema-validation')
  }
  return [...named(cases).keys()].map((alias) => {
    const fault = bySchema.get(alias) ?? reports.get(alias)?.faults
    if (fault === undefined) throw new Error(`helm printed nothing of ${alias}`)
    return fault.trim()
  })
}

/**
 * Renders all objects of the chart with the values of each case, and returns its faults, empty if the chart accepts the
 * case, and its notes.
 * @throws if the schema refuses a case or a template fails
 */
export const rendersOf = (cases: readonly Case[]): { faults: string; notes: string }[] => {
  const all = named(cases)
  try {
    const reports = render(all, true)
    return [...all.keys()].map((alias) => {
      const { faults, notes } = reports.get(alias) ?? { faults: 'nothing was printed', notes: '' }
      return { faults: faults.trim(), notes }
    })
  } catch (thrown) {
    throw withValues(thrown, all)
  }
}
