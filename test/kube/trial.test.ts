import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skippedWhere } from './command.ts'
import { podsIn, rendered } from './manifests.ts'
import { piped, typedLines } from './typedLines.ts'

/** What docs/operations/backup.md adds to an operator's own values when a restore is tried. */
const added = (): string[] => {
  const lines = typedLines(readFileSync('docs/operations/backup.md', 'utf8')).filter((line) =>
    line.startsWith('helm -n trial'),
  )
  const [command = ''] = piped(lines.join())
  return command.split('… ').at(1)?.trim().split(/\s+/) ?? []
}

/** Values of a variable, wherever a program is told it. */
const told = (variable: string, ...given: string[]): unknown[] =>
  podsIn(rendered('production', ...given))
    .flatMap(({ spec }) => spec.containers)
    .flatMap(({ env }) => env ?? [])
    .flatMap(({ name, value, valueFrom }) => (name === variable ? [value ?? valueFrom] : []))

describe('a restore that is tried beside production', function trialSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  it('sends nothing, whether the route is a key of a Secret or set for dispatchers alone', () => {
    assert.deepEqual(told('POSTRIDER_ROUTE'), [{ secretKeyRef: { name: 'postrider-production', key: 'route' } }])
    // The old failure: the Secret won in silence, and mail left.
    assert.throws(() => told('POSTRIDER_ROUTE', '--set', 'config.POSTRIDER_ROUTE=mailbox:'), /set only one of the two/)
    const own = ['--set', 'dispatcher.config.POSTRIDER_ROUTE=smtp://relay:25']
    for (const given of [[], own]) assert.deepEqual(told('POSTRIDER_ROUTE', ...given, ...added()), ['mailbox:'])
  })

  it('joins no group of those that send, and takes no address of theirs', () => {
    assert.deepEqual(new Set(told('KAFKA_TOPIC_PREFIX', ...added())), new Set(['trial.']))
    const kinds = rendered('production', ...added()).map(({ kind }) => kind)
    for (const kind of ['HTTPRoute', 'Ingress', 'ScaledObject']) assert.ok(!kinds.includes(kind), kind)
  })
})
