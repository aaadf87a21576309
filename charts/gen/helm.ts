import { spawnSync } from 'node:child_process'
import { withTools } from './tools.ts'

/** Why there is no helm; null: there is. */
export const whyNoHelm = (): string | null => {
  const { status, error } = spawnSync('helm', ['version', '--short'], { env: withTools() })
  if (status === 0) return null
  return `helm is not to be had (${error?.message ?? `exit code ${status}`}); \`npm run tools\` installs it where Go is`
}

/** @throws Error what helm said */
export const helm = (...given: string[]): string => {
  const { status, stdout, stderr } = spawnSync('helm', given, {
    env: withTools(),
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
