import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { helm } from '../../charts/gen/helm.ts'

/** What `helm template` makes of the chart, as objects. */

export const chart = join(import.meta.dirname, '../../charts/postrider')

export const examples = ['minimal', 'production', 'one-namespace'] as const

export type Meta = { name: string; labels: Record<string, string>; annotations?: Record<string, string> }

// biome-ignore format: a table
export type Env = { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: object } }

export type Probe = { httpGet: { path: string; port: string } }

export type Container = {
  name: string
  image: string
  command: string[]
  env: Env[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  volumeMounts?: { name: string; mountPath: string }[]
  securityContext?: Record<string, unknown>
  resources?: object
}

export type PodSpec = {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Record<string, unknown>[]
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  terminationGracePeriodSeconds?: number
  securityContext?: Record<string, unknown>
  topologySpreadConstraints?: { labelSelector: { matchLabels: Record<string, string> } }[]
  [other: string]: unknown
}

export type Thing = {
  apiVersion: string
  kind: string
  metadata: Meta
  // Each kind has its own; tests read what they look at.
  spec?: Record<string, unknown>
  data?: Record<string, string>
  stringData?: Record<string, string>
  [other: string]: unknown
}

export type Pod = { of: Thing; labels: Record<string, string>; annotations: Record<string, string>; spec: PodSpec }

type Example = (typeof examples)[number] | null

/** @param example null: the chart's own values; @param given further arguments of helm, such as `--set` */
export const renderedText = (example: Example, ...given: string[]): string => {
  const values = example === null ? [] : ['--values', join(chart, 'examples', example, 'values.yaml')]
  return helm('template', chart, '--name-template', 'postrider', '--namespace', 'mail', ...values, ...given)
}

export const rendered = (example: Example, ...given: string[]): Thing[] =>
  // As Kubernetes reads it: there `on` is true.
  parseAllDocuments(renderedText(example, ...given), { version: '1.1' }).flatMap(
    (document) => (document.toJS() as Thing | null) ?? [],
  )

const podOf = (thing: Thing): Pod[] => {
  const whole = thing.kind === 'Pod' ? thing : (thing.spec?.['template'] as Thing | undefined)
  if (whole?.spec === undefined || !('containers' in whole.spec)) return []
  const { labels, annotations = {} } = whole.metadata
  return [{ of: thing, labels, annotations, spec: whole.spec as PodSpec }]
}

export const podsIn = (things: readonly Thing[]): Pod[] => things.flatMap(podOf)

export const ofKind = (things: readonly Thing[], kind: string): Thing[] => things.filter((thing) => thing.kind === kind)

/** @throws Error there is none of this kind and name */
export const the = (things: readonly Thing[], kind: string, name: string): Thing => {
  const found = things.find((thing) => thing.kind === kind && thing.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}

/** Whether a selector's labels are all there. */
export const selects = (wanted: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)
