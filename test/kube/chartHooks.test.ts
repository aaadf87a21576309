import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skipSuiteIf } from './command.ts'
import { type KubeObject, objectNamed, type Pod, podsIn, rendered } from './manifests.ts'

describe('hooks of the chart', function hooksSuite() {
  skipSuiteIf(async () => whyNoHelm())

  const podOf = (objects: readonly KubeObject[], kind: string, name: string): Pod =>
    podsIn([objectNamed(objects, kind, name)])[0] ?? assert.fail()

  it('the Job prepare needs only objects that are hooks too and are created before it', () => {
    const objects = rendered('one-namespace')
    const weight = ({ metadata }: (typeof objects)[number]) => Number(metadata.annotations?.['helm.sh/hook-weight'])
    const job = objectNamed(objects, 'Job', 'postrider-prepare')
    const [pod] = podsIn([job])
    const secrets = pod?.spec.containers[0]?.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []) ?? []
    const needs = [
      objectNamed(objects, 'ServiceAccount', pod?.spec.serviceAccountName ?? ''),
      ...new Set(secrets.map((name) => objectNamed(objects, 'Secret', name))),
      objectNamed(objects, 'NetworkPolicy', 'postrider-prepare'),
    ]
    for (const object of [job, ...needs]) {
      assert.equal(object.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade', object.kind)
    }
    for (const object of needs) assert.ok(weight(object) < weight(job), object.kind)
  })

  // A Job that reaches its own deadline deletes its pod, and with it the log that names the unavailable store.
  it('the Job prepare has no deadline and no retry, its pod has the deadline, so that the log of a failure remains', () => {
    const job = objectNamed(rendered(null), 'Job', 'postrider-prepare')
    const [pod] = podsIn([job])
    assert.deepEqual([job.spec?.['activeDeadlineSeconds'], job.spec?.['backoffLimit']], [undefined, 0])
    assert.equal(pod?.spec['activeDeadlineSeconds'], 240)
  })

  // helm names the failed Job only, and its log may be gone with a node that was removed.
  it('a failed Job prepare has the end of its log in the state of its pod', () => {
    const { containers } = podOf(rendered(null), 'Job', 'postrider-prepare').spec
    assert.partialDeepStrictEqual(containers, [{ name: 'prepare', terminationMessagePolicy: 'FallbackToLogsOnError' }])
  })

  it('the Job prepare creates the topics that the services use', () => {
    const objects = rendered(null, '--set-json', 'defaults.config={"KAFKA_TOPIC_PREFIX":"eu."}')
    const prefixes = podsIn(objects)
      .flatMap(({ spec }) => spec.containers)
      .flatMap(({ name, env }) =>
        env.filter((one) => one.name === 'KAFKA_TOPIC_PREFIX').map(({ value }) => [name, value]),
      )
    assert.deepEqual(Object.fromEntries(prefixes), {
      dispatcher: 'eu.',
      intake: 'eu.',
      prepare: 'eu.',
      webhooks: 'eu.',
    })
  })

  it('hooks run on the same nodes as services and can reach the same addresses', () => {
    const settings = {
      priorityClassName: 'business',
      nodeSelector: { pool: 'mail' },
      tolerations: [{ key: 'pool', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
    }
    const extraEgress = [{ ports: [{ port: 8443 }] }]
    const objects = rendered(null, '--set-json', `defaults=${JSON.stringify({ ...settings, extraEgress })}`)
    const pods = [podOf(objects, 'Job', 'postrider-prepare'), podOf(objects, 'Pod', 'postrider-test')]
    for (const { spec } of [...pods, podOf(objects, 'Deployment', 'postrider-quota')]) {
      for (const [key, value] of Object.entries(settings)) assert.deepEqual(spec[key], value, key)
    }
    const policy = objectNamed(objects, 'NetworkPolicy', 'postrider-prepare').spec as { egress: object[] }
    assert.deepEqual(policy.egress.at(-1), extraEgress[0])
  })

  // Labels and annotations of services can inject a sidecar, and then a pod would never complete.
  it('hooks have separate labels and annotations, and none of the services’', () => {
    const [services, own] = [{ 'a/b': 'services' }, { 'c/d': 'own' }]
    const both = (given: object) => JSON.stringify({ podLabels: given, podAnnotations: given })
    const given = [`defaults=${both(services)}`, `prepare=${both(own)}`, `test=${both(own)}`]
    const objects = rendered(null, ...given.flatMap((one) => ['--set-json', one]))
    for (const [kind, name] of [
      ['Job', 'postrider-prepare'],
      ['Pod', 'postrider-test'],
    ] as const) {
      const { labels, annotations } = podOf(objects, kind, name)
      for (const marks of [labels, annotations])
        assert.deepEqual([marks['a/b'], marks['c/d']], [undefined, 'own'], name)
    }
  })
})
