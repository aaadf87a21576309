import { spawnSync } from 'node:child_process'
import { withTools } from './tools.ts'

/** Why there is no helm; null: there is. */
export const whyNoHelm = (): string | null => {
  const { status, error } = spawnSync('helm', ['version', '--short'], { env: withTools() })
  if (status === 0) return null
  return `helm is not to be had (${error?.message ?? `exit code ${status}`}); \`npm run tools\` installs it where Go is`
}

/** Of commands that ask no cluster. A helm built from its module takes Kubernetes to be of old; this is the least of Chart.yaml. */
const offline = ['--kube-version', '1.30.0']

/** @throws Error what helm said */
export const helm = (command: 'template' | 'lint', ...given: string[]): string => {
  const { status, stdout, stderr } = spawnSync('helm', [command, ...offline, ...given], {
    env: withTools(),
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
