import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

/** To be called in a test: it is skipped, aloud, where Prometheus' own judge of rules isn't installed. */
export const needsPromtool = (context: Mocha.Context): void => {
  if (!spawnSync('promtool', ['--version']).error) return
  console.log('promtool is not installed: rules and dashboards were checked for names and brackets alone')
  context.skip()
}

export const promtool = (...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}
