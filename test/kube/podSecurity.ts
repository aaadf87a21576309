import type { Container, PodSpec } from './manifests.ts'

/*
 * The pod security standard "restricted" (https://kubernetes.io/docs/concepts/security/pod-security-standards/), and
 * additional requirements: a read-only root, a memory limit, no token, no variables of other Services.
 */

type Settings = Record<string, unknown>

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
]

const inherited = (pod: PodSpec, container: Container, name: string): unknown =>
  (container.securityContext as Settings | undefined)?.[name] ?? (pod.securityContext as Settings | undefined)?.[name]

const containerFaults = (pod: PodSpec, container: Container): string[] => {
  const own = (container.securityContext ?? {}) as Settings
  const capabilities = (own['capabilities'] ?? {}) as { drop?: string[]; add?: string[] }
  const faults = {
    'may gain privileges': own['allowPrivilegeEscalation'] !== false,
    'is privileged': own['privileged'] === true,
    'keeps capabilities': !capabilities.drop?.includes('ALL'),
    'adds capabilities': capabilities.add?.some((name) => name !== 'NET_BIND_SERVICE') === true,
    'may run as root':
      inherited(pod, container, 'runAsNonRoot') !== true || inherited(pod, container, 'runAsUser') === 0,
    'has no seccomp profile':
      (inherited(pod, container, 'seccompProfile') as { type?: string } | undefined)?.type !== 'RuntimeDefault',
    'uses a port of its host': (container.ports ?? []).some((port) => 'hostPort' in port),
    'has a writable root': own['readOnlyRootFilesystem'] !== true,
    'has no memory limit': (container.resources as { limits?: Settings })?.limits?.['memory'] === undefined,
  }
  return Object.entries(faults).flatMap(([fault, is]) => (is ? `${container.name} ${fault}` : []))
}

const volumeKind = ({ name: _, ...rest }: Settings): string => Object.keys(rest)[0] ?? ''

/** Returns the violations of a pod. */
export const restrictedFaults = (pod: PodSpec): string[] => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'].filter((name) => pod[name] === true)
  const volumes = (pod.volumes ?? []).map(volumeKind).filter((kind) => ![...allowedVolumes, 'secret'].includes(kind))
  return [
    ...shared.map((name) => `shares ${name}`),
    ...volumes.map((kind) => `has a volume of kind ${kind}`),
    ...(pod.automountServiceAccountToken === false ? [] : ['has a token']),
    ...(pod.enableServiceLinks === false ? [] : ['has variables of Services']),
    ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) => containerFaults(pod, container)),
  ]
}
