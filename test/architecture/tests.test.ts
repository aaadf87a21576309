import assert from 'node:assert/strict'
import { filesIn, textOf } from './sources.ts'

/**
 * A skip without a reason, of a test that runs or of one that is declared. `skip` of a database cursor has a parameter.
 */
const bareSkip = /\.skip\(\)|\b(?:it|describe|context|specify)\.skip\b|\bx(?:it|describe|context|specify)\(/

describe('tests', () => {
  it('tests skip with `skip`, so that the report of the run lists the reason', () => {
    const own = ['test/architecture/tests.test.ts', 'test/support/skip.ts']
    const files = ['packages', 'services', 'test'].flatMap(filesIn).filter((file) => !own.includes(file))
    assert.deepEqual(
      files.filter((file) => bareSkip.test(textOf(file))),
      [],
    )
  })
})
