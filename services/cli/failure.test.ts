import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { exitCodeOf, failed, failureOf, wrongUsage } from './failure.ts'

const textAt = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

const codes = [...(/type CliCode =([^/]+)/.exec(textAt('./failure.ts'))?.[1] ?? '').matchAll(/'(\w+)'/g)]
const rows = [
  ...(/\n\| code \| meaning \|\n((?:\|.*\n)+)/.exec(textAt('../../docs/cli.md'))?.[1] ?? '').matchAll(/^\| `(\w+)`/gm),
]
const names = (found: RegExpExecArray[]): string[] => found.map(([, name = '']) => name)

describe('codes of failures of the command line', () => {
  it('are those of the table in docs/cli.md', () => {
    assert.ok(codes.length > 5)
    assert.deepEqual(names(rows), names(codes))
  })
})

describe('exit code of a failure', () => {
  it('is 2 for wrong usage only', () => {
    const thrown = [wrongUsage('no such option'), failed({ code: 'connection', message: 'No response.' })]
    assert.deepEqual(
      thrown.map((error) => exitCodeOf(failureOf(error) ?? assert.fail('no failure'))),
      [2, 1],
    )
  })
})
