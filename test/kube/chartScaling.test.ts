import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { intakeMetrics } from '../../services/intake/metrics.ts'
import { skipSuiteIf } from './command.ts'
import { type KubeObject, objectNamed, ofKind, rendered } from './manifests.ts'

const seriesOf = (metric: object): string => (metric as { name: string }).name

const kafka = {
  bootstrapServers: 'kafka-0.kafka:9094,kafka-1.kafka:9094,kafka-2.kafka:9094',
  lagThreshold: '500',
  sasl: 'scram_sha512',
  tls: 'enable',
}

const lagging = ['dispatcher.keda.enabled=true', 'dispatcher.keda.signal=kafkaLag']

type Trigger = { type: string; metadata: Record<string, string>; authenticationRef?: { name: string } }

const triggersIn = (objects: readonly KubeObject[]) =>
  objectNamed(objects, 'ScaledObject', 'postrider-dispatcher').spec?.['triggers'] as Trigger[]

const kafkaCredentials = (objects: readonly KubeObject[]) =>
  objectNamed(objects, 'TriggerAuthentication', 'postrider-dispatcher').spec as Record<string, object[]>

describe('autoscalers of the chart', function scalersSuite() {
  skipSuiteIf(async () => whyNoHelm())

  it('dispatchers scale by an existing metric, or by the lag of their consumer groups', () => {
    const byAge = JSON.stringify(objectNamed(rendered('production'), 'ScaledObject', 'postrider-dispatcher'))
    assert.ok(byAge.includes(`max(${seriesOf(makeMetrics(intakeMetrics).queueOldest)}{namespace=`))
    const lag = rendered('production', '--set', 'dispatcher.keda.signal=kafkaLag,config.KAFKA_TOPIC_PREFIX=eu.')
    assert.deepEqual(
      triggersIn(lag)
        .slice(1)
        .map(({ metadata }) => metadata),
      [
        { ...kafka, consumerGroup: 'eu.postrider.dispatcher.transactional', topic: 'eu.postrider.due.transactional' },
        { ...kafka, consumerGroup: 'eu.postrider.dispatcher.marketing', topic: 'eu.postrider.due.marketing' },
      ],
    )
  })

  // By default KEDA reads an empty response as 0 and would scale to the minimum.
  it('KEDA uses the fallback if Prometheus has no series of the queue', () => {
    const objects = rendered('production')
    const [, age] = triggersIn(objects)
    assert.deepEqual([age?.type, age?.metadata['ignoreNullValues']], ['prometheus', 'false'])
    const { spec } = objectNamed(objects, 'ScaledObject', 'postrider-dispatcher')
    assert.deepEqual(spec?.['fallback'], { failureThreshold: 3, replicas: 25 })
  })

  it('KEDA uses the same Kafka login and certificate authority as dispatchers', () => {
    const both = rendered('production', '--set', lagging.join(','))
    assert.deepEqual(kafkaCredentials(both), {
      configMapTargetRef: [{ parameter: 'ca', name: 'company-ca', key: 'ca.crt' }],
      secretTargetRef: [
        { parameter: 'password', name: 'kafka-postrider', key: 'password' },
        { parameter: 'username', name: 'kafka-postrider', key: 'username' },
      ],
    })
    const trust = rendered(null, '--set', [...lagging, 'config.KAFKA_TLS=on', 'trust.configMap=ca'].join(','))
    assert.deepEqual(Object.keys(kafkaCredentials(trust)), ['configMapTargetRef'])
    for (const objects of [both, trust]) {
      const names = triggersIn(objects).map(({ authenticationRef }) => authenticationRef?.name)
      assert.deepEqual(names, [undefined, 'postrider-dispatcher', 'postrider-dispatcher'])
    }
    const neither = rendered(null, '--set', [...lagging, 'trust.configMap=ca'].join(','))
    assert.deepEqual(ofKind(neither, 'TriggerAuthentication'), [])
    assert.ok(triggersIn(neither).every(({ authenticationRef }) => authenticationRef === undefined))
  })

  // Helm creates new objects before it deletes old ones, and KEDA's webhook refuses a Deployment that has an
  // autoscaler.
  it('KEDA may take over the autoscaler of a running dispatcher', () => {
    const marked = ofKind(rendered(null), 'HorizontalPodAutoscaler').filter(
      ({ metadata }) => metadata.annotations?.['validations.keda.sh/hpa-ownership'] === 'false',
    )
    assert.deepEqual(
      marked.map(({ metadata }) => metadata.name),
      ['postrider-dispatcher'],
    )
  })

  it('autoscalers target an absolute CPU value, independent of the requested CPU', () => {
    const objects = rendered(null, '--set', 'quota.resources.requests.cpu=10m')
    const cpu = { name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } }
    const scalers = ofKind(objects, 'HorizontalPodAutoscaler')
    assert.equal(scalers.length, Object.keys(services).length)
    for (const { spec } of scalers) assert.deepEqual(spec?.['metrics'], [{ type: 'Resource', resource: cpu }])
    const [busy] = triggersIn(rendered('production')) as (Trigger & { metricType?: string })[]
    assert.deepEqual([busy?.metricType, busy?.metadata], ['AverageValue', { value: '600m' }])
  })
})
