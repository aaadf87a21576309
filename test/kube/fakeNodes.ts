import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kwokStages } from './kubeBinaries.ts'

/* Configuration of kwok: simulated nodes, the states of pods on them, and the responses of their kubelets. */

const brokenImage = 'postrider:broken'
/** Values of the chart with which pods fail, and therefore its Job prepare. */
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

/** Stages of kwok, and two of ours: the pod of `helm test` succeeds, pods with the broken image fail. */
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
 * Returns the content of kwok's configuration file. Commands executed in a pod run on this machine.
 * @param log a file that is the current and the previous log of every container
 */
export const fakeNodes = async (log: string): Promise<string> =>
  [
    ...(await stages()),
    kubelet('ClusterLogs', { logs: [{ logsFile: log, previousLogsFile: log }] }),
    kubelet('ClusterExec', { execs: [{ local: {} }] }),
  ].join('\n---\n')

/** Returns a simulated node. */
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

/** Returns a volume for the first claim. */
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

/** The priority class of the example production. */
export const priority = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'business' },
  value: 1_000,
}
