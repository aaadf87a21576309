import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { intakeMetrics } from '../../services/intake/metrics.ts'
import { skippedWhere } from './command.ts'
import { ofKind, rendered, type Thing, the } from './manifests.ts'

const seriesOf = (metric: object): string => (metric as { name: string }).name

const kafka = {
  bootstrapServers: 'kafka-0.kafka:9094,kafka-1.kafka:9094,kafka-2.kafka:9094',
  lagThreshold: '500',
  sasl: 'scram_sha512',
  tls: 'enable',
}

const lagging = ['dispatcher.keda.enabled=true', 'dispatcher.keda.signal=kafkaLag']

type Trigger = { type: string; metadata: Record<string, string>; authenticationRef?: { name: string } }

const triggersIn = (things: readonly Thing[]) =>
  the(things, 'ScaledObject', 'postrider-dispatcher').spec?.['triggers'] as Trigger[]

const shownToKafka = (things: readonly Thing[]) =>
  the(things, 'TriggerAuthentication', 'postrider-dispatcher').spec as Record<string, object[]>

describe('the chart’s scalers', function scalersSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  it('scales dispatchers by a series that there is, or by the lag of the group that they listen as', () => {
    const byAge = JSON.stringify(the(rendered('production'), 'ScaledObject', 'postrider-dispatcher'))
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

  // KEDA takes an empty answer for 0 unless told otherwise: the queue would be left to the fewest replicas.
  it('falls back where Prometheus knows nothing of the queue', () => {
    const things = rendered('production')
    const [, age] = triggersIn(things)
    assert.deepEqual([age?.type, age?.metadata['ignoreNullValues']], ['prometheus', 'false'])
    const { spec } = the(things, 'ScaledObject', 'postrider-dispatcher')
    assert.deepEqual(spec?.['fallback'], { failureThreshold: 3, replicas: 25 })
  })

  it('shows Kafka the login and the trust that dispatchers show it', () => {
    const both = rendered('production', '--set', lagging.join(','))
    assert.deepEqual(shownToKafka(both), {
      configMapTargetRef: [{ parameter: 'ca', name: 'company-ca', key: 'ca.crt' }],
      secretTargetRef: [
        { parameter: 'password', name: 'kafka-postrider', key: 'password' },
        { parameter: 'username', name: 'kafka-postrider', key: 'username' },
      ],
    })
    const trust = rendered(null, '--set', [...lagging, 'config.KAFKA_TLS=on', 'trust.configMap=ca'].join(','))
    assert.deepEqual(Object.keys(shownToKafka(trust)), ['configMapTargetRef'])
    for (const things of [both, trust]) {
      const names = triggersIn(things).map(({ authenticationRef }) => authenticationRef?.name)
      assert.deepEqual(names, [undefined, 'postrider-dispatcher', 'postrider-dispatcher'])
    }
    const neither = rendered(null, '--set', [...lagging, 'trust.configMap=ca'].join(','))
    assert.deepEqual(ofKind(neither, 'TriggerAuthentication'), [])
    assert.ok(triggersIn(neither).every(({ authenticationRef }) => authenticationRef === undefined))
  })

  // Helm makes what is new before it deletes what isn't wanted, and KEDA's webhook refuses a Deployment that has a scaler.
  it('lets KEDA take a running dispatcher over: its autoscaler says that it may', () => {
    const marked = ofKind(rendered(null), 'HorizontalPodAutoscaler').filter(
      ({ metadata }) => metadata.annotations?.['validations.keda.sh/hpa-ownership'] === 'false',
    )
    assert.deepEqual(
      marked.map(({ metadata }) => metadata.name),
      ['postrider-dispatcher'],
    )
  })

  it('aims at busy processes, however little CPU each requests', () => {
    const things = rendered(null, '--set', 'quota.resources.requests.cpu=10m')
    const cpu = { name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } }
    const scalers = ofKind(things, 'HorizontalPodAutoscaler')
    assert.equal(scalers.length, Object.keys(services).length)
    for (const { spec } of scalers) assert.deepEqual(spec?.['metrics'], [{ type: 'Resource', resource: cpu }])
    const [busy] = triggersIn(rendered('production')) as (Trigger & { metricType?: string })[]
    assert.deepEqual([busy?.metricType, busy?.metadata], ['AverageValue', { value: '600m' }])
  })
})
