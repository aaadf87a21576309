import { runs, whyNot } from './command.ts'
import type { Thing } from './manifests.ts'

/** What came of the Tiltfile. */
export type Platform = {
  images: { ref: string; target: string; update: { sync?: string; to?: string }[] }[]
  objects: Thing[]
  resources: { workload: string; labels: string[]; needs: string[]; forwards: { container: number }[] }[]
  /** Paths that don't exist. */
  missing: string[]
}

/** For charts that ask; helm alone would say a version of its own time. */
const kubeVersion = '1.33.0'

/** Why it can't be evaluated here; null: it can. */
export const whyNoTiltfile = async (): Promise<string | null> =>
  (await whyNot('python3', ['-c', 'import starlark, yaml'])) === null
    ? ((await whyNot('helm', ['version'])) ?? (await whyNot('kubectl', ['version', '--client'])))
    : 'python3 is not there, or lacks starlark-pyo3 and PyYAML'

/** @throws Error with what was said, where it can't be evaluated */
export const evaluateTiltfile = async (): Promise<Platform> => {
  const { code, out, said } = await runs('python3', ['test/kube/tiltfile.py', 'tilt/Tiltfile', kubeVersion])
  if (code !== 0) throw new Error(said)
  return JSON.parse(out) as Platform
}
