import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skippedWhere } from './command.ts'
import { isClosed, mayEnter, mayLeave, portsOut } from './flows.ts'
import { ofKind, podsIn, rendered } from './manifests.ts'
import { componentOf } from './programPods.ts'

describe('the chart’s NetworkPolicies', function flowsSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  const calls: Record<string, readonly string[]> = {
    gateway: ['accounts', 'templates', 'quota', 'intake'],
    intake: ['templates', 'quota'],
    test: ['gateway'],
  }

  it('close every pod both ways', () => {
    const things = rendered('production')
    for (const pod of podsIn(things)) assert.ok(isClosed(things, pod), componentOf(pod))
  })

  it('let those call each other who do, and nobody else, at both ends', () => {
    const things = rendered('production')
    const pods = podsIn(things)
    for (const to of pods) {
      const port = to.spec.containers[0]?.ports?.find(({ name }) => name !== 'metrics')?.containerPort
      if (port === undefined) continue
      const wanted = Object.keys(calls).filter((from) => calls[from]?.includes(componentOf(to)))
      for (const may of [mayLeave, mayEnter]) {
        const who: string[] = pods.filter((from) => may(things, from, to, port)).map(componentOf)
        assert.deepEqual(who.sort(), wanted.sort(), componentOf(to))
      }
      // Metrics are for Prometheus alone, which stands elsewhere.
      assert.deepEqual(
        pods.filter((from) => mayEnter(things, from, to, 9464)),
        [],
      )
    }
  })

  // An empty list of peers is everybody to Kubernetes.
  it('let nobody read metrics where nobody is named', () => {
    const things = rendered('production', '--set-json', 'networkPolicy.metricsFrom=[]')
    const pods = podsIn(things)
    for (const to of pods) {
      const who = pods.filter((from) => mayEnter(things, from, to, 9464))
      assert.deepEqual(who.map(componentOf), [], componentOf(to))
    }
  })

  it('have no list that says nobody and means everybody', () => {
    const lists = ['metricsFrom=[]', 'dnsTo=[]', 'gatewayFrom=[]'].map((list) => `networkPolicy.${list}`)
    const policies = ofKind(rendered(null, '--set-json', lists.join(',')), 'NetworkPolicy')
    assert.doesNotMatch(JSON.stringify(policies), /"(from|to)":(\[\]|null)/)
  })

  it('name ports on the way out by number, as those who read policies on addresses want them', () => {
    for (const { spec, metadata } of ofKind(rendered('production'), 'NetworkPolicy')) {
      const { egress = [] } = spec as { egress?: { ports: { port: unknown }[] }[] }
      for (const { port } of egress.flatMap(({ ports }) => ports)) assert.equal(typeof port, 'number', metadata.name)
    }
  })

  it('let each reach its back ends and no other', () => {
    const [dns, mongodb, kafkaPort, redis, smtp, traces] = [[53], [27017], [9094], [6380], [25, 465, 587], [4317, 4318]]
    const wanted: Record<string, number[][]> = {
      gateway: [dns, redis, traces],
      accounts: [dns, mongodb, redis, traces],
      templates: [dns, mongodb, traces],
      quota: [dns, mongodb, traces],
      intake: [dns, mongodb, kafkaPort, traces],
      dispatcher: [dns, mongodb, kafkaPort, smtp, traces],
      prepare: [dns, mongodb, kafkaPort, traces],
      test: [dns, traces],
    }
    const things = rendered('production')
    for (const pod of podsIn(things)) {
      const ports = wanted[componentOf(pod)]?.flat().sort((a, b) => a - b)
      assert.deepEqual(portsOut(things, pod), ports, componentOf(pod))
    }
  })
})
