import { spawnSync } from 'node:child_process'
import { withTools } from './tools.ts'

/** Returns the reason why helm is unavailable, or null. */
export const whyNoHelm = (): string | null => {
  const { status, error } = spawnSync('helm', ['version', '--short'], { env: withTools() })
  if (status === 0) return null
  return `helm is not available (${error?.message ?? `exit code ${status}`}); \`npm run tools\` installs it if Go is installed`
}

/**
 * For commands without a cluster. A helm that is built from its module assumes an old Kubernetes; this is the minimum
 * of Chart.yaml.
 */
const offline = ['--kube-version', '1.30.0']

/** Runs helm and returns its output.
 * @throws Error with helm's error output */
export const helm = (command: 'template' | 'lint', ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('helm', [command, ...offline, ...args], {
    env: withTools(),
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
