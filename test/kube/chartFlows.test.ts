import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { skipSuiteIf } from './command.ts'
import { componentOf, objectNamed, ofKind, podsIn, rendered } from './manifests.ts'
import { isClosed, mayEnter, mayLeave, portsOut } from './networkPolicies.ts'

describe('NetworkPolicies of the chart', function flowsSuite() {
  skipSuiteIf(async () => whyNoHelm())

  const calls: Record<string, readonly string[]> = {
    gateway: ['accounts', 'templates', 'quota', 'domains', 'webhooks', 'intake'],
    accounts: ['intake'],
    intake: ['templates', 'quota'],
    test: ['gateway'],
  }

  it('every pod is restricted in both directions', () => {
    const objects = rendered('production')
    for (const pod of podsIn(objects)) assert.ok(isClosed(objects, pod), componentOf(pod))
  })

  it('exactly the existing calls between services are allowed, on both sides', () => {
    const objects = rendered('production')
    const pods = podsIn(objects)
    for (const to of pods) {
      const port = to.spec.containers[0]?.ports?.find(({ name }) => name !== 'metrics')?.containerPort
      if (port === undefined) continue
      const wanted = Object.keys(calls).filter((from) => calls[from]?.includes(componentOf(to)))
      for (const may of [mayLeave, mayEnter]) {
        const allowed: string[] = pods.filter((from) => may(objects, from, to, port)).map(componentOf)
        assert.deepEqual(allowed.sort(), wanted.sort(), componentOf(to))
      }
      // Only Prometheus may read metrics; it is in another namespace.
      assert.deepEqual(
        pods.filter((from) => mayEnter(objects, from, to, 9464)),
        [],
      )
    }
  })

  // To Kubernetes an empty list of peers means every peer.
  it('no pod may read metrics if metricsFrom is empty', () => {
    const objects = rendered('production', '--set-json', 'networkPolicy.metricsFrom=[]')
    const pods = podsIn(objects)
    for (const to of pods) {
      const allowed = pods.filter((from) => mayEnter(objects, from, to, 9464))
      assert.deepEqual(allowed.map(componentOf), [], componentOf(to))
    }
  })

  it('no policy contains an empty list of peers, which would allow every peer', () => {
    const lists = ['metricsFrom=[]', 'dnsTo=[]', 'gatewayFrom=[]'].map((list) => `networkPolicy.${list}`)
    const policies = ofKind(rendered(null, '--set-json', lists.join(',')), 'NetworkPolicy')
    assert.doesNotMatch(JSON.stringify(policies), /"(from|to)":(\[\]|null)/)
  })

  it('egress ports are numbers, which policies on addresses require', () => {
    for (const { spec, metadata } of ofKind(rendered('production'), 'NetworkPolicy')) {
      const { egress = [] } = spec as { egress?: { ports: { port: unknown }[] }[] }
      for (const { port } of egress.flatMap(({ ports }) => ports)) assert.equal(typeof port, 'number', metadata.name)
    }
  })

  it('each program may reach only its own back ends', () => {
    const [dns, mongodb, kafkaPort, redis, smtp, traces] = [[53], [27017], [9094], [6380], [25, 465, 587], [4317, 4318]]
    const wanted: Record<string, number[][]> = {
      gateway: [dns, redis, traces],
      accounts: [dns, mongodb, redis, traces],
      templates: [dns, mongodb, traces],
      quota: [dns, mongodb, traces],
      domains: [dns, mongodb, traces],
      webhooks: [dns, mongodb, kafkaPort, [443], traces],
      intake: [dns, mongodb, kafkaPort, traces],
      dispatcher: [dns, mongodb, kafkaPort, smtp, traces],
      prepare: [dns, mongodb, kafkaPort, traces],
      test: [dns, traces],
    }
    const objects = rendered('production')
    for (const pod of podsIn(objects)) {
      const ports = wanted[componentOf(pod)]?.flat().sort((a, b) => a - b)
      assert.deepEqual(portsOut(objects, pod), ports, componentOf(pod))
    }
  })

  /** Returns the egress rules for DNS: of the pod's own resolver, and of checks. */
  const dnsRules = (name: string, ...given: string[]) => {
    const { spec } = objectNamed(rendered(null, ...given), 'NetworkPolicy', `postrider-${name}`)
    const { egress } = spec as { egress: { ports: { port: number; protocol?: string }[]; to?: object[] }[] }
    return egress.filter(({ ports }) => ports.some(({ protocol }) => protocol === 'UDP'))
  }
  const udpAndTcp = (port: number) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))

  it('checks of sending domains and webhooks may reach every DNS server over UDP and TCP, and no other program may', () => {
    for (const name of Object.keys(services)) {
      const [own, ...more] = dnsRules(name)
      assert.equal(own?.to?.length, 2, name)
      assert.deepEqual(more, ['domains', 'webhooks'].includes(name) ? [{ ports: udpAndTcp(53) }] : [], name)
    }
  })

  it('webhooks may reach public addresses on port 443 only', () => {
    const { spec } = objectNamed(rendered(null), 'NetworkPolicy', 'postrider-webhooks')
    const { egress } = spec as { egress: { ports: { port: number }[]; to?: { ipBlock?: { except?: string[] } }[] }[] }
    const rules = egress.filter(({ ports }) => ports.some(({ port }) => port === 443))
    assert.equal(rules.length, 1)
    const excluded = rules.flatMap(({ to }) => to ?? []).flatMap(({ ipBlock }) => ipBlock?.except ?? [])
    for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7'])
      assert.ok(excluded.includes(network), network)
  })

  it('checks of sending domains may reach only the DNS servers and ports that are given', () => {
    const to = [{ ipBlock: { cidr: '10.0.0.53/32' } }]
    const given = ['to=[{"ipBlock":{"cidr":"10.0.0.53/32"}}]', 'ports=[53,5353]']
    const values = given.map((one) => `networkPolicy.domainChecks.${one}`).join(',')
    const [, checks] = dnsRules('domains', '--set-json', values)
    assert.deepEqual(checks, { ports: [...udpAndTcp(53), ...udpAndTcp(5353)], to })
  })
})
