import { spawnSync } from 'node:child_process'

/** Why there is no helm; null: there is. */
export const whyNoHelm = (): string | null => {
  const { status, error } = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' })
  return status === 0 ? null : `helm is not to be had (${error?.message ?? `exit code ${status}`})`
}

/** @throws Error what helm said */
export const helm = (...given: string[]): string => {
  const { status, stdout, stderr } = spawnSync('helm', given, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
