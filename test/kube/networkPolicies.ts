import { type KubeObject, ofKind, type Pod, selects } from './manifests.ts'

/* Evaluates NetworkPolicies between pods of one namespace. */

type Peer = { podSelector?: { matchLabels?: Record<string, string> }; namespaceSelector?: object; ipBlock?: object }
type Rule = { ports?: { port: number | string }[]; from?: Peer[]; to?: Peer[] }
type Policy = {
  podSelector: { matchLabels?: Record<string, string> }
  policyTypes: string[]
  ingress?: Rule[]
  egress?: Rule[]
}

const policiesFor = (objects: readonly KubeObject[], pod: Pod, type: string): Policy[] =>
  ofKind(objects, 'NetworkPolicy')
    .map((object) => object.spec as unknown as Policy)
    .filter((policy) => policy.policyTypes.includes(type))
    .filter((policy) => selects(policy.podSelector.matchLabels ?? {}, pod.labels))

const numberOf = (pod: Pod, port: number | string): number | undefined =>
  typeof port === 'number'
    ? port
    : pod.spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port)?.containerPort

/** To Kubernetes an empty or absent list means all. */
const all = (list: readonly unknown[] | undefined): list is undefined => list === undefined || list.length === 0

const portFits = (rule: Rule, target: Pod, port: number): boolean =>
  all(rule.ports) || rule.ports.some((one) => numberOf(target, one.port) === port)

const peerFits = (peers: Peer[] | undefined, other: Pod): boolean =>
  all(peers) ||
  peers.some(
    (peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector.matchLabels ?? {}, other.labels),
  )

/** Returns whether each direction of a pod is under some policy, so that only listed connections are allowed. */
export const isClosed = (objects: readonly KubeObject[], pod: Pod): boolean =>
  ['Ingress', 'Egress'].every((type) => policiesFor(objects, pod, type).length > 0)

/** Returns whether the egress policies of `from` allow a connection to a port of `to`. */
export const mayLeave = (objects: readonly KubeObject[], from: Pod, to: Pod, port: number): boolean =>
  policiesFor(objects, from, 'Egress')
    .flatMap(({ egress = [] }) => egress)
    .some((rule) => portFits(rule, to, port) && peerFits(rule.to, to))

/** Returns whether the ingress policies of `to` allow the connection. */
export const mayEnter = (objects: readonly KubeObject[], from: Pod, to: Pod, port: number): boolean =>
  policiesFor(objects, to, 'Ingress')
    .flatMap(({ ingress = [] }) => ingress)
    .some((rule) => portFits(rule, to, port) && peerFits(rule.from, from))

/** Returns the ports that a pod may reach outside the namespace, sorted. */
export const portsOut = (objects: readonly KubeObject[], pod: Pod): number[] => {
  const outside = (peers: Peer[] | undefined): boolean =>
    all(peers) || peers.some((peer) => peer.namespaceSelector || peer.ipBlock)
  const ports = policiesFor(objects, pod, 'Egress')
    .flatMap(({ egress = [] }) => egress)
    .filter((rule) => outside(rule.to))
    .flatMap((rule) => rule.ports ?? [{ port: 0 }])
  return [...new Set(ports.map(({ port }) => Number(port)))].sort((a, b) => a - b)
}
