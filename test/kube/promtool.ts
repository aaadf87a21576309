import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { skip } from '../support/skip.ts'

/** Skips the test that calls it where Prometheus' own checker of rules is not installed. */
export const needsPromtool = (context: Mocha.Context): void => {
  if (!spawnSync('promtool', ['--version']).error) return
  skip(context, 'promtool is not installed: rules and dashboards were only checked for names and brackets')
}

/** Runs promtool, which must exit with 0. */
export const promtool = (...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}
