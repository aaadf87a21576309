import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skippedWhere } from './command.ts'
import { type Pod, podsIn, rendered, type Thing, the } from './manifests.ts'

describe('what the chart runs beside the services', function hooksSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  const podOf = (things: readonly Thing[], kind: string, name: string): Pod =>
    podsIn([the(things, kind, name)])[0] ?? assert.fail()

  it('needs nothing before an installation but what comes with it as a hook', () => {
    const things = rendered('one-namespace')
    const weight = ({ metadata }: (typeof things)[number]) => Number(metadata.annotations?.['helm.sh/hook-weight'])
    const job = the(things, 'Job', 'postrider-prepare')
    const [pod] = podsIn([job])
    const secrets = pod?.spec.containers[0]?.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []) ?? []
    const needs = [
      the(things, 'ServiceAccount', pod?.spec.serviceAccountName ?? ''),
      ...new Set(secrets.map((name) => the(things, 'Secret', name))),
      the(things, 'NetworkPolicy', 'postrider-prepare'),
    ]
    for (const thing of [job, ...needs]) {
      assert.equal(thing.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade', thing.kind)
    }
    for (const thing of needs) assert.ok(weight(thing) < weight(job), thing.kind)
  })

  // A Job at its own deadline takes its pod away, and with it what the pod said of a store that never answered.
  it('keeps the log of a preparation that fails: one pod, which has the deadline', () => {
    const job = the(rendered(null), 'Job', 'postrider-prepare')
    const [pod] = podsIn([job])
    assert.deepEqual([job.spec?.['activeDeadlineSeconds'], job.spec?.['backoffLimit']], [undefined, 0])
    assert.equal(pod?.spec['activeDeadlineSeconds'], 240)
  })

  it('makes the topics that the services are told to use', () => {
    const things = rendered(null, '--set-json', 'defaults.config={"KAFKA_TOPIC_PREFIX":"eu."}')
    const prefixes = podsIn(things)
      .flatMap(({ spec }) => spec.containers)
      .flatMap(({ name, env }) =>
        env.filter((one) => one.name === 'KAFKA_TOPIC_PREFIX').map(({ value }) => [name, value]),
      )
    assert.deepEqual(Object.fromEntries(prefixes), { dispatcher: 'eu.', intake: 'eu.', prepare: 'eu.' })
  })

  it('runs where services may run, and reaches what they may', () => {
    const place = {
      priorityClassName: 'business',
      nodeSelector: { pool: 'mail' },
      tolerations: [{ key: 'pool', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
    }
    const extraEgress = [{ ports: [{ port: 8443 }] }]
    const things = rendered(null, '--set-json', `defaults=${JSON.stringify({ ...place, extraEgress })}`)
    const pods = [podOf(things, 'Job', 'postrider-prepare'), podOf(things, 'Pod', 'postrider-test')]
    for (const { spec } of [...pods, podOf(things, 'Deployment', 'postrider-quota')]) {
      for (const [key, value] of Object.entries(place)) assert.deepEqual(spec[key], value, key)
    }
    const policy = the(things, 'NetworkPolicy', 'postrider-prepare').spec as { egress: object[] }
    assert.deepEqual(policy.egress.at(-1), extraEgress[0])
  })

  // A pod that ends must be without what services' pods may have beside them: it would never be over.
  it('has labels and annotations of its own, and none of the services’', () => {
    const [services, own] = [{ 'a/b': 'services' }, { 'c/d': 'own' }]
    const both = (given: object) => JSON.stringify({ podLabels: given, podAnnotations: given })
    const given = [`defaults=${both(services)}`, `prepare=${both(own)}`, `test=${both(own)}`]
    const things = rendered(null, ...given.flatMap((one) => ['--set-json', one]))
    for (const [kind, name] of [
      ['Job', 'postrider-prepare'],
      ['Pod', 'postrider-test'],
    ] as const) {
      const { labels, annotations } = podOf(things, kind, name)
      for (const marks of [labels, annotations])
        assert.deepEqual([marks['a/b'], marks['c/d']], [undefined, 'own'], name)
    }
  })
})
