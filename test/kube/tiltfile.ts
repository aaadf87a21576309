import { runs, whyNot } from './command.ts'

/** Of a Kubernetes object, what the tests look at. */
export type KubeObject = {
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: {
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec }
    selector: Record<string, string>
    ports?: { port: number; targetPort?: number | string }[]
  }
}

export type PodSpec = {
  automountServiceAccountToken: boolean
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } }
  containers: Container[]
}

type Container = {
  name: string
  image: string
  command?: string[]
  env?: { name: string; value?: string }[]
  ports?: { name: string; containerPort: number }[]
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  securityContext: {
    allowPrivilegeEscalation: boolean
    readOnlyRootFilesystem?: boolean
    capabilities: { drop: string[] }
  }
}

/** What came of the Tiltfile. */
export type Platform = {
  images: { ref: string; target: string; update: { sync?: string; to?: string }[] }[]
  objects: KubeObject[]
  resources: {
    workload: string
    labels: string[]
    needs: string[]
    forwards: { local: number; container: number }[]
    links: string[]
  }[]
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
