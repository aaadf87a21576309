import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { helm, whyNoHelm } from '../../charts/gen/helm.ts'
import { programs } from '../../charts/gen/programs.ts'
import { valueRows } from '../../charts/gen/readme.ts'
import { skipSuiteIf } from './command.ts'
import { chart, componentOf, examples, objectNamed, podsIn, programsIn, rendered } from './manifests.ts'
import { restrictedFaults } from './podSecurity.ts'

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
