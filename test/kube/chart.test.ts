import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { helm, whyNoHelm } from '../../charts/gen/helm.ts'
import { programs } from '../../charts/gen/programs.ts'
import { valueRows } from '../../charts/gen/readme.ts'
import { valuesSchema } from '../../charts/gen/schema.ts'
import { root } from '../support/project.ts'
import { skipSuiteIf } from './command.ts'
import { chart, componentOf, examples, objectNamed, podsIn, programsIn, rendered } from './manifests.ts'
import { restrictedFaults } from './podSecurity.ts'

type ValueSchema = {
  $ref?: string
  properties?: Record<string, ValueSchema>
  definitions?: Record<string, ValueSchema>
}

/** Returns whether the chart has a value. It has every value below one that it passes on to Kubernetes. */
const hasValue = (values: ValueSchema, path: readonly string[]): boolean => {
  let at: ValueSchema | undefined = values
  for (const name of path) {
    const { properties }: ValueSchema = values.definitions?.[at.$ref?.split('/').at(-1) ?? ''] ?? at
    if (properties === undefined) return true
    at = properties[name]
    if (at === undefined) return false
  }
  return true
}

describe('generated files of the chart', () => {
  for (const [name, content] of Object.entries(programs()))
    it(`files/${name}.json matches the programs`, () => {
      const known = JSON.parse(readFileSync(join(chart, `files/${name}.json`), 'utf8'))
      assert.deepEqual(known, JSON.parse(JSON.stringify(content)))
    })

  it('values.yaml has a comment on every value or on a map that contains it', () => {
    const rows = valueRows(readFileSync(join(chart, 'values.yaml'), 'utf8'))
    const described = rows.filter(({ text }) => text !== '').map(({ key }) => key)
    const missing = rows.filter(
      ({ key, text }) => text === '' && !described.some((other) => key.startsWith(`${other}.`)),
    )
    assert.deepEqual(missing, [])
  })

  it('pages for operators and comments in values.yaml name only values that exist', () => {
    // Regression: `services.quota.extraEgress`, which the chart refuses.
    const values = valuesSchema() as ValueSchema
    const beginnings = Object.keys(values.properties ?? {})
    const ends = Object.keys(values.properties?.['defaults']?.properties ?? {})
    const pages = ['operations', 'runbooks'].flatMap((folder) =>
      readdirSync(join(root, 'docs', folder)).map((name) => join(root, 'docs', folder, name)),
    )
    const named = [...pages, join(chart, 'values.yaml')].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w.$/:@-])[a-z]\w*(?:\.\w+)+/g)].map(String),
    )
    const paths = named
      .map((name) => name.split('.'))
      .filter(([first = '', ...rest]) => beginnings.includes(first) || ends.includes(rest.at(-1) ?? ''))
      .filter((path) => path.at(-1) !== 'md')
    assert.ok(paths.length > 50)
    assert.deepEqual(
      paths.filter((path) => !hasValue(values, path)).map((path) => path.join('.')),
      [],
    )
  })
})

describe('chart', function chartSuite() {
  skipSuiteIf(async () => whyNoHelm())

  it('passes helm lint --strict with the default values and those of each example', () => {
    helm('lint', '--strict', chart)
    for (const example of examples)
      helm('lint', '--strict', chart, '--values', `${chart}/examples/${example}/values.yaml`)
  })

  it('gives every object a unique name', () => {
    for (const example of examples) {
      const names = rendered(example).map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      assert.deepEqual(
        names.filter((name, number) => names.indexOf(name) !== number),
        [],
      )
    }
  })

  it('runs every pod under the standard "restricted", with a read-only root and without a token', () => {
    for (const example of [null, ...examples]) {
      for (const pod of podsIn(rendered(example))) assert.deepEqual(restrictedFaults(pod.spec), [], componentOf(pod))
    }
  })

  it('gives each program a separate ServiceAccount without a token', () => {
    const objects = rendered('production')
    const pods = programsIn(objects)
    const accounts = pods.map(({ pod }) => objectNamed(objects, 'ServiceAccount', pod.spec.serviceAccountName ?? ''))
    assert.equal(new Set(accounts).size, pods.length)
    for (const account of accounts) assert.equal(account['automountServiceAccountToken'], false)
  })
})
