// `npm test`: every suite, then the e2e suite once more on a cluster. Arguments go to mocha.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [, , ...given] = process.argv

const rounds = [
  { specs: ['packages/**/*.test.ts', 'services/**/*.test.ts', 'test/**/*.test.ts'], env: {} },
  { specs: ['test/e2e/**/*.test.ts'], env: { POSTRIDER_E2E: 'cluster' } },
]

// Both run whatever the first shows: one failure must not hide another.
const statuses = rounds.map(({ specs, env }) => {
  const { status } = spawnSync('mocha', [...specs, ...given], { stdio: 'inherit', env: { ...process.env, ...env } })
  return status ?? 1
})
process.exitCode = Math.max(...statuses)
