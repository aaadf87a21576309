import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { helm, whyNoHelm } from '../../charts/gen/helm.ts'
import { programs } from '../../charts/gen/programs.ts'
import { valueRows } from '../../charts/gen/readme.ts'
import { skippedWhere } from './command.ts'
import { chart, examples, podsIn, rendered, the } from './manifests.ts'
import { componentOf, programsIn } from './programPods.ts'
import { restrictedFaults } from './restricted.ts'

describe('what of the chart is made from other sources', () => {
  it('knows each program as it is', () => {
    const known = parse(readFileSync(join(chart, 'files/programs.yaml'), 'utf8'))
    assert.deepEqual(known, JSON.parse(JSON.stringify(programs())))
  })

  it('says of every value what it does, or says it of what it stands in', () => {
    const rows = valueRows(readFileSync(join(chart, 'values.yaml'), 'utf8'))
    const said = rows.filter(({ text }) => text !== '').map(({ key }) => key)
    const unsaid = rows.filter(({ key, text }) => text === '' && !said.some((other) => key.startsWith(`${other}.`)))
    assert.deepEqual(unsaid, [])
  })
})

describe('the chart', function chartSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  it('passes helm’s own check, strictly, with its own values and with those of each example', () => {
    helm('lint', '--strict', chart)
    for (const example of examples)
      helm('lint', '--strict', chart, '--values', `${chart}/examples/${example}/values.yaml`)
  })

  it('names every object once', () => {
    for (const example of examples) {
      const names = rendered(example).map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      assert.deepEqual(
        names.filter((name, number) => names.indexOf(name) !== number),
        [],
      )
    }
  })

  it('keeps every pod under the standard "restricted", its root unwritten, without a token', () => {
    for (const example of [null, ...examples]) {
      for (const pod of podsIn(rendered(example))) assert.deepEqual(restrictedFaults(pod.spec), [], componentOf(pod))
    }
  })

  it('gives no service a token by its ServiceAccount either, and each its own', () => {
    const things = rendered('production')
    const pods = programsIn(things)
    const accounts = pods.map(({ pod }) => the(things, 'ServiceAccount', pod.spec.serviceAccountName ?? ''))
    assert.equal(new Set(accounts).size, pods.length)
    for (const account of accounts) assert.equal(account['automountServiceAccountToken'], false)
  })
})
