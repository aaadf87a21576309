import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services, variablesOf } from '../../charts/gen/programs.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { serveOps } from '../../packages/kit/ops.ts'
import { makeReadiness } from '../../packages/kit/readiness.ts'
import { skipSuiteIf } from './command.ts'
import {
  componentOf,
  examples,
  objectNamed,
  ofKind,
  podsIn,
  programsIn,
  rendered,
  selects,
  servicesIn,
} from './manifests.ts'

/** Maximum time of a program from SIGTERM to its exit. */
const drainSeconds = 25

describe('wiring of the chart', function wiringSuite() {
  skipSuiteIf(async () => whyNoHelm())

  it('exposes the ports on which the programs listen', () => {
    for (const { container, name, config } of servicesIn(rendered(null))) {
      const variables = variablesOf(config)
      const ports = ['PORT', 'METRICS_PORT'].flatMap((port) => (port in variables ? [port] : []))
      const numbers = ports.map((port) => Number(container.env.find((one) => one.name === port)?.value))
      assert.deepEqual(
        container.ports?.map((port) => port.containerPort),
        numbers,
        name,
      )
    }
  })

  it('probes paths that the programs serve: started, alive, ready', async () => {
    const [metrics, readiness] = [makeMetrics(), makeReadiness()]
    const log = { info: () => {} } as unknown as Parameters<typeof serveOps>[0]['log']
    await using ops = await serveOps({ host: 'localhost', port: 0, metrics, readiness, log })
    const status = async (path = '') => (await fetch(new URL(path, ops.url))).status
    for (const { container, name } of servicesIn(rendered(null))) {
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
      const paths = probes.map((probe) => probe?.httpGet.path)
      // A process that is starting is alive and not ready.
      assert.deepEqual(await Promise.all(paths.map(status)), [200, 200, 503], name)
      assert.deepEqual([...new Set(probes.map((probe) => probe?.httpGet.port))], ['metrics'])
    }
  })

  it('gives each pod a grace period longer than its preStop pause and its drain', () => {
    for (const given of ['1', '5', '60']) {
      for (const { pod, container, name } of servicesIn(rendered(null, '--set', `defaults.preStopSeconds=${given}`))) {
        const pause = container.lifecycle?.preStop.sleep.seconds ?? 0
        assert.equal(pause, Number(given))
        assert.ok((pod.spec.terminationGracePeriodSeconds ?? 0) > pause + drainSeconds, name)
      }
    }
  })

  it('selects the pods of one Deployment by each Service, disruption budget, topology spread and autoscaler', () => {
    for (const example of examples) {
      const objects = rendered(example)
      const pods = servicesIn(objects)
      for (const { pod, name } of pods) {
        const deployment = objectNamed(objects, 'Deployment', `postrider-${name}`)
        const selectors = [
          (deployment.spec as { selector: { matchLabels: Record<string, string> } }).selector.matchLabels,
          objectNamed(objects, 'Service', `postrider-${name}`).spec?.['selector'] as Record<string, string>,
          (
            objectNamed(objects, 'PodDisruptionBudget', `postrider-${name}`).spec as {
              selector: { matchLabels: object }
            }
          ).selector.matchLabels as Record<string, string>,
          ...(pod.spec.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector.matchLabels),
        ]
        for (const selector of selectors) {
          assert.deepEqual(
            podsIn(objects)
              .filter(({ labels }) => selects(selector, labels))
              .map(componentOf),
            [name],
          )
        }
        const scalers = objects.filter(
          ({ kind, spec }) =>
            /^(HorizontalPodAutoscaler|ScaledObject)$/.test(kind) &&
            (spec?.['scaleTargetRef'] as { name?: string } | undefined)?.name === `postrider-${name}`,
        )
        const fixed = deployment.spec?.['replicas'] !== undefined
        assert.equal(scalers.length, fixed ? 0 : 1, `${example}: ${name}`)
      }
    }
  })

  it('has headless Services, so that callers and Prometheus see every replica', () => {
    const objects = rendered(null)
    const headless = ofKind(objects, 'Service').filter(({ spec }) => spec?.['clusterIP'] === 'None')
    assert.deepEqual(headless.map(({ metadata }) => metadata.name).sort(), [
      'postrider-accounts',
      'postrider-dispatcher',
      'postrider-domains',
      'postrider-gateway-metrics',
      'postrider-intake',
      'postrider-quota',
      'postrider-templates',
      'postrider-webhooks',
    ])
  })

  it('gives programs addresses of existing Services and ports', () => {
    for (const release of [[], ['--set', 'fullnameOverride=mailer'], ['--name-template', 'mail.eu']]) {
      const objects = rendered(null, ...release)
      const addresses = programsIn(objects)
        .flatMap(({ container }) => container.env)
        .filter(({ name }) => /^POSTRIDER_(ACCOUNTS|TEMPLATES|QUOTA|DOMAINS|WEBHOOKS|INTAKE)$/.test(name))
      assert.equal(addresses.length, 9)
      for (const { value = '' } of addresses) {
        const [service = '', port] = value.split(':')
        assert.match(service, /^[a-z][-a-z0-9]*$/)
        const ports = objectNamed(objects, 'Service', service).spec?.['ports'] as { name: string; port: number }[]
        assert.equal(ports.find(({ name }) => name === 'grpc')?.port, Number(port))
      }
    }
  })

  it('lets Prometheus scrape each pod once, under the name of its service', () => {
    const known = Object.keys(services)
    const objects = rendered('production')
    const monitor = objectNamed(objects, 'ServiceMonitor', 'postrider').spec as {
      selector: { matchLabels: Record<string, string> }
      endpoints: { port: string; path: string }[]
    }
    const scraped = ofKind(objects, 'Service').filter(({ metadata, spec }) => {
      const ports = (spec?.['ports'] ?? []) as { name: string }[]
      return selects(monitor.selector.matchLabels, metadata.labels) && ports.some(({ name }) => name === 'metrics')
    })
    assert.deepEqual(scraped.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']).sort(), known.sort())
    assert.deepEqual(
      monitor.endpoints.map(({ port, path }) => [port, path]),
      [['metrics', '/metrics']],
    )
  })

  it('exposes no metrics on a public Service of the gateway', () => {
    for (const type of ['LoadBalancer', 'NodePort']) {
      const open = ofKind(rendered(null, '--set', `gateway.service.type=${type}`), 'Service').filter(
        ({ spec }) => spec?.['type'] === type,
      )
      const ports = open.flatMap(({ spec }) => spec?.['ports'] as { name: string }[]).map(({ name }) => name)
      assert.deepEqual(ports, ['http'], type)
    }
  })

  it('routes an Ingress and an HTTPRoute to the gateway, without their own error pages', () => {
    const [ingress] = ofKind(rendered('one-namespace'), 'Ingress')
    const [route] = ofKind(rendered('production'), 'HTTPRoute')
    for (const object of [ingress, route]) {
      assert.ok(JSON.stringify(object?.spec).includes('"name":"postrider-gateway"'))
      assert.doesNotMatch(JSON.stringify(object), /custom-http-errors|default-backend|filters/)
    }
  })

  it('contains all dashboards, and all alerts with the URL of their runbooks', () => {
    const given = ['enabled=true', 'runbooks=https://wiki.example.com/runbooks'].map((one) => `monitoring.rules.${one}`)
    const objects = rendered(null, '--set', [...given, 'monitoring.dashboards.enabled=true'].join(','))
    const links = JSON.stringify(ofKind(objects, 'PrometheusRule')).match(/"runbook_url":"[^"]*"/g) ?? []
    assert.ok(links.length > 0)
    for (const link of links) assert.match(link, /"https:\/\/wiki\.example\.com\/runbooks\/[A-Za-z]+\.md"/)
    const boards = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1')
    assert.ok(boards.length > 0)
    for (const { data = {} } of boards) for (const text of Object.values(data)) assert.ok(JSON.parse(text).panels)
  })
})
