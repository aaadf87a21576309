import { join } from 'node:path'
import { parseDocument } from 'yaml'
import type { z } from 'zod'
import { helm } from '../../charts/gen/helm.ts'
import { prepare, services } from '../../charts/gen/programs.ts'

/* Renders the chart with `helm template`, and queries the objects. */

export const chart = join(import.meta.dirname, '../../charts/postrider')

export const examples = ['minimal', 'production', 'one-namespace', 'openshift'] as const

export type Meta = { name: string; labels: Record<string, string>; annotations?: Record<string, string> }

// biome-ignore format: a table
export type Env = { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean }; fieldRef?: object } }

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

export type KubeObject = {
  apiVersion: string
  kind: string
  metadata: Meta
  // Different for each kind; tests cast the fields that they read.
  spec?: Record<string, unknown>
  data?: Record<string, string>
  stringData?: Record<string, string>
  [other: string]: unknown
}

export type Pod = { of: KubeObject; labels: Record<string, string>; annotations: Record<string, string>; spec: PodSpec }

type Example = (typeof examples)[number] | null

// Many tests render the same objects, and each render is a process of a third of a second.
const texts = new Map<string, string>()

/** @param example null: the default values. @param given more arguments of helm, such as `--set` */
export const renderedText = (example: Example, ...given: string[]): string => {
  const values = example === null ? [] : ['--values', join(chart, 'examples', example, 'values.yaml')]
  const args = ['--name-template', 'postrider', '--namespace', 'mail', ...values, ...given]
  const key = JSON.stringify(args)
  const text = texts.get(key) ?? helm('template', chart, ...args)
  texts.set(key, text)
  return text
}

// Renders differ in few documents, and reading all of one takes longer than helm.
const documents = new Map<string, KubeObject | null>()

const parse = (document: string): KubeObject | null => {
  // YAML 1.1, as Kubernetes: `on` is true.
  const object = documents.get(document) ?? (parseDocument(document, { version: '1.1' }).toJS() as KubeObject | null)
  documents.set(document, object)
  return object
}

/** Returns the objects of `renderedText`, which the caller may change. */
export const rendered = (example: Example, ...given: string[]): KubeObject[] =>
  structuredClone(
    renderedText(example, ...given)
      .split(/^---$/m)
      .flatMap((document) => parse(document) ?? []),
  )

const podOf = (object: KubeObject): Pod[] => {
  const whole = object.kind === 'Pod' ? object : (object.spec?.['template'] as KubeObject | undefined)
  if (whole?.spec === undefined || !('containers' in whole.spec)) return []
  const { labels, annotations = {} } = whole.metadata
  return [{ of: object, labels, annotations, spec: whole.spec as PodSpec }]
}

export const podsIn = (objects: readonly KubeObject[]): Pod[] => objects.flatMap(podOf)

export const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind)

/** Returns the object of this kind and name.
 * @throws Error if there is none */
export const objectNamed = (objects: readonly KubeObject[], kind: string, name: string): KubeObject => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  return found
}

/** Returns whether `labels` contain all labels of a selector. */
export const selects = (wanted: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

/** The configuration of every program that the chart runs. */
export const configs: Record<string, z.ZodObject> = { ...services, prepare }

export const componentOf = (pod: Pod): string => pod.labels['app.kubernetes.io/component'] ?? ''

export type Program = { pod: Pod; container: Container; name: string; config: z.ZodObject }

/** Returns the pods that run our programs, without the pod of `helm test`. */
export const programsIn = (objects: readonly KubeObject[]): Program[] =>
  podsIn(objects).flatMap((pod) => {
    const [container] = pod.spec.containers
    const name = componentOf(pod)
    const config = configs[name]
    return container && config ? [{ pod, container, name, config }] : []
  })

/** Returns the programs that are services. */
export const servicesIn = (objects: readonly KubeObject[]): Program[] =>
  programsIn(objects).filter(({ name }) => name in services)
