import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kwokStages } from './kubeBinaries.ts'

/** What kwok is told: nodes that aren't there, what becomes of pods on them, and what their kubelets answer. */

const brokenImage = 'postrider:broken'
/** Values of the chart with which pods fail, so its preparation does. */
export const brokenValues = 'image.repository=postrider,image.tag=broken,prepare.deadlineSeconds=5'

const stage = (name: string, weight: number, expression: object, status: string): string =>
  JSON.stringify({
    kind: 'Stage',
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: {
        matchExpressions: [
          expression,
          { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
          { key: '.status.phase', operator: 'In', values: ['Running'] },
        ],
      },
      weight,
      delay: { durationMilliseconds: 200 },
      next: { statusTemplate: status },
    },
  })

const ended = (phase: string, exitCode: number, reason: string): string => `{{ $now := Now }}
phase: ${phase}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  started: false
  restartCount: 0
  state: { terminated: { exitCode: ${exitCode}, reason: ${reason}, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }
{{ end }}
`

/** kwok's own stages, and ours: the pod of `helm test` ends well, what runs a broken image badly. */
const stages = async (): Promise<string[]> => {
  const source = await kwokStages()
  const texts = [
    stage(
      'test-pod-ends',
      1,
      { key: '.metadata.annotations["helm.sh/hook"]', operator: 'Exists' },
      ended('Succeeded', 0, 'Completed'),
    ),
    stage(
      'broken-pod-fails',
      10_000,
      { key: '.spec.containers.[].image', operator: 'In', values: [brokenImage] },
      ended('Failed', 1, 'Error'),
    ),
  ]
  for (const folder of ['node/fast', 'node/heartbeat', 'pod/fast']) {
    for (const name of await readdir(join(source, folder))) {
      if (name.endsWith('.yaml') && name !== 'kustomization.yaml')
        texts.push(await readFile(join(source, folder, name), 'utf8'))
    }
  }
  return texts
}

const kubelet = (kind: string, spec: object): string =>
  JSON.stringify({ kind, apiVersion: 'kwok.x-k8s.io/v1alpha1', metadata: { name: 'every-pod' }, spec })

/**
 * Content of kwok's file.
 * @param log a file that is every container's log, this one's and the one's before; what is executed in a pod is executed here
 */
export const fakeNodes = async (log: string): Promise<string> =>
  [
    ...(await stages()),
    kubelet('ClusterLogs', { logs: [{ logsFile: log, previousLogsFile: log }] }),
    kubelet('ClusterExec', { execs: [{ local: {} }] }),
  ].join('\n---\n')

/** One of them, as it is made. */
export const node = (number: number): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `node-${number}`,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': `node-${number}`, 'topology.kubernetes.io/zone': `zone-${number}` },
  },
  status: {
    allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
  },
})

/** A volume for whoever asks first. */
export const disk = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '2Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: `/${name}` },
  },
})

/** The production example's. */
export const priority = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'business' },
  value: 1_000,
}
