import type { Container, PodSpec } from './manifests.ts'

/**
 * The pod security standard "restricted" (https://kubernetes.io/docs/concepts/security/pod-security-standards/), and beyond
 * it what we ask of our pods: a root that nobody writes, no token, no variables of others' Services.
 */

type Given = Record<string, unknown>

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
]

const both = (pod: PodSpec, container: Container, name: string): unknown =>
  (container.securityContext as Given | undefined)?.[name] ?? (pod.securityContext as Given | undefined)?.[name]

const containerFaults = (pod: PodSpec, container: Container): string[] => {
  const own = (container.securityContext ?? {}) as Given
  const capabilities = (own['capabilities'] ?? {}) as { drop?: string[]; add?: string[] }
  const faults = {
    'may gain privileges': own['allowPrivilegeEscalation'] !== false,
    'is privileged': own['privileged'] === true,
    'keeps capabilities': !capabilities.drop?.includes('ALL'),
    'adds capabilities': capabilities.add?.some((name) => name !== 'NET_BIND_SERVICE') === true,
    'may run as root': both(pod, container, 'runAsNonRoot') !== true || both(pod, container, 'runAsUser') === 0,
    'has no seccomp profile':
      (both(pod, container, 'seccompProfile') as { type?: string } | undefined)?.type !== 'RuntimeDefault',
    'takes a port of its host': (container.ports ?? []).some((port) => 'hostPort' in port),
    'may write its root': own['readOnlyRootFilesystem'] !== true,
    'has no bounded memory': (container.resources as { limits?: Given })?.limits?.['memory'] === undefined,
  }
  return Object.entries(faults).flatMap(([fault, is]) => (is ? `${container.name} ${fault}` : []))
}

const volumeKind = ({ name: _, ...rest }: Given): string => Object.keys(rest)[0] ?? ''

/** What a pod has that "restricted", or we, don't allow. */
export const restrictedFaults = (pod: PodSpec): string[] => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'].filter((name) => pod[name] === true)
  const volumes = (pod.volumes ?? []).map(volumeKind).filter((kind) => ![...allowedVolumes, 'secret'].includes(kind))
  return [
    ...shared.map((name) => `shares ${name}`),
    ...volumes.map((kind) => `has a volume of kind ${kind}`),
    ...(pod.automountServiceAccountToken === false ? [] : ['is given a token']),
    ...(pod.enableServiceLinks === false ? [] : ['is given variables of Services']),
    ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) => containerFaults(pod, container)),
  ]
}
