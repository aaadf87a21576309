import { ofKind, type Pod, selects, type Thing } from './manifests.ts'

/** What NetworkPolicies let through between pods of one namespace, by their rules alone. */

type Peer = { podSelector?: { matchLabels?: Record<string, string> }; namespaceSelector?: object; ipBlock?: object }
type Rule = { ports?: { port: number | string }[]; from?: Peer[]; to?: Peer[] }
type Policy = {
  podSelector: { matchLabels?: Record<string, string> }
  policyTypes: string[]
  ingress?: Rule[]
  egress?: Rule[]
}

const policiesFor = (things: readonly Thing[], pod: Pod, type: string): Policy[] =>
  ofKind(things, 'NetworkPolicy')
    .map((thing) => thing.spec as unknown as Policy)
    .filter((policy) => policy.policyTypes.includes(type))
    .filter((policy) => selects(policy.podSelector.matchLabels ?? {}, pod.labels))

const numberOf = (pod: Pod, port: number | string): number | undefined =>
  typeof port === 'number'
    ? port
    : pod.spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port)?.containerPort

/** To Kubernetes a list of none is every one, as no list is. */
const all = (list: readonly unknown[] | undefined): list is undefined => list === undefined || list.length === 0

const portFits = (rule: Rule, target: Pod, port: number): boolean =>
  all(rule.ports) || rule.ports.some((one) => numberOf(target, one.port) === port)

const peerFits = (peers: Peer[] | undefined, other: Pod): boolean =>
  all(peers) ||
  peers.some(
    (peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector.matchLabels ?? {}, other.labels),
  )

/** Whether nothing is allowed to a pod that no rule names: each direction is under some policy. */
export const isClosed = (things: readonly Thing[], pod: Pod): boolean =>
  ['Ingress', 'Egress'].every((type) => policiesFor(things, pod, type).length > 0)

/** Whether `from` may open a connection to this port of `to`, by its own policies. */
export const mayLeave = (things: readonly Thing[], from: Pod, to: Pod, port: number): boolean =>
  policiesFor(things, from, 'Egress')
    .flatMap(({ egress = [] }) => egress)
    .some((rule) => portFits(rule, to, port) && peerFits(rule.to, to))

/** Whether `to` takes it, by its own. */
export const mayEnter = (things: readonly Thing[], from: Pod, to: Pod, port: number): boolean =>
  policiesFor(things, to, 'Ingress')
    .flatMap(({ ingress = [] }) => ingress)
    .some((rule) => portFits(rule, to, port) && peerFits(rule.from, from))

/** Ports that a pod may reach somewhere outside of the namespace. */
export const portsOut = (things: readonly Thing[], pod: Pod): number[] => {
  const outside = (peers: Peer[] | undefined): boolean =>
    all(peers) || peers.some((peer) => peer.namespaceSelector || peer.ipBlock)
  const ports = policiesFor(things, pod, 'Egress')
    .flatMap(({ egress = [] }) => egress)
    .filter((rule) => outside(rule.to))
    .flatMap((rule) => rule.ports ?? [{ port: 0 }])
  return [...new Set(ports.map(({ port }) => Number(port)))].sort((a, b) => a - b)
}
