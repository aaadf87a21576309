import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services, variablesOf } from '../../charts/gen/programs.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { serveOps } from '../../packages/kit/ops.ts'
import { makeReadiness } from '../../packages/kit/readiness.ts'
import { skippedWhere } from './command.ts'
import { examples, ofKind, podsIn, rendered, selects, the } from './manifests.ts'
import { componentOf, programsIn, servicesIn } from './programPods.ts'

/** How long a program takes at most from SIGTERM to its end. */
const drainSeconds = 25

describe('the chart’s wiring', function wiringSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  it('has the ports the programs listen on', () => {
    for (const { container, name, config } of servicesIn(rendered(null))) {
      const variables = variablesOf(config)
      const listens = ['PORT', 'METRICS_PORT'].flatMap((port) => (port in variables ? [port] : []))
      const given = listens.map((port) => Number(container.env.find((one) => one.name === port)?.value))
      assert.deepEqual(
        container.ports?.map((port) => port.containerPort),
        given,
        name,
      )
    }
  })

  it('probes paths that the programs answer, each for its own question', async () => {
    const [metrics, readiness] = [makeMetrics(), makeReadiness()]
    const log = { info: () => {} } as unknown as Parameters<typeof serveOps>[0]['log']
    await using ops = await serveOps({ port: 0, metrics, readiness, log })
    const status = async (path = '') => (await fetch(new URL(path, ops.url))).status
    for (const { container, name } of servicesIn(rendered(null))) {
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
      const paths = probes.map((probe) => probe?.httpGet.path)
      // A process that is starting answers: alive, and not ready.
      assert.deepEqual(await Promise.all(paths.map(status)), [200, 200, 503], name)
      assert.deepEqual([...new Set(probes.map((probe) => probe?.httpGet.port))], ['metrics'])
    }
  })

  it('gives each pod longer than its pause and its draining', () => {
    for (const given of ['1', '5', '60']) {
      for (const { pod, container, name } of servicesIn(rendered(null, '--set', `defaults.preStopSeconds=${given}`))) {
        const pause = container.lifecycle?.preStop.sleep.seconds ?? 0
        assert.equal(pause, Number(given))
        assert.ok((pod.spec.terminationGracePeriodSeconds ?? 0) > pause + drainSeconds, name)
      }
    }
  })

  it('leads every Service, budget, spread and scaler to the pods of one Deployment', () => {
    for (const example of examples) {
      const things = rendered(example)
      const pods = servicesIn(things)
      for (const { pod, name } of pods) {
        const deployment = the(things, 'Deployment', `postrider-${name}`)
        const selectors = [
          (deployment.spec as { selector: { matchLabels: Record<string, string> } }).selector.matchLabels,
          the(things, 'Service', `postrider-${name}`).spec?.['selector'] as Record<string, string>,
          (the(things, 'PodDisruptionBudget', `postrider-${name}`).spec as { selector: { matchLabels: object } })
            .selector.matchLabels as Record<string, string>,
          ...(pod.spec.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector.matchLabels),
        ]
        for (const selector of selectors) {
          assert.deepEqual(
            podsIn(things)
              .filter(({ labels }) => selects(selector, labels))
              .map(componentOf),
            [name],
          )
        }
        const scalers = things.filter(
          ({ kind, spec }) =>
            /^(HorizontalPodAutoscaler|ScaledObject)$/.test(kind) &&
            (spec?.['scaleTargetRef'] as { name?: string } | undefined)?.name === `postrider-${name}`,
        )
        const fixed = deployment.spec?.['replicas'] !== undefined
        assert.equal(scalers.length, fixed ? 0 : 1, `${example}: ${name}`)
      }
    }
  })

  it('lets callers and Prometheus see every replica of a service', () => {
    const things = rendered(null)
    const headless = ofKind(things, 'Service').filter(({ spec }) => spec?.['clusterIP'] === 'None')
    assert.deepEqual(headless.map(({ metadata }) => metadata.name).sort(), [
      'postrider-accounts',
      'postrider-dispatcher',
      'postrider-gateway-metrics',
      'postrider-intake',
      'postrider-quota',
      'postrider-templates',
    ])
  })

  it('calls services by names and ports that are there', () => {
    for (const release of [[], ['--set', 'fullnameOverride=mailer'], ['--name-template', 'mail.eu']]) {
      const things = rendered(null, ...release)
      const addresses = programsIn(things)
        .flatMap(({ container }) => container.env)
        .filter(({ name }) => /^POSTRIDER_(ACCOUNTS|TEMPLATES|QUOTA|INTAKE)$/.test(name))
      assert.equal(addresses.length, 6)
      for (const { value = '' } of addresses) {
        const [service = '', port] = value.split(':')
        assert.match(service, /^[a-z][-a-z0-9]*$/)
        const ports = the(things, 'Service', service).spec?.['ports'] as { name: string; port: number }[]
        assert.equal(ports.find(({ name }) => name === 'grpc')?.port, Number(port))
      }
    }
  })

  it('has each pod scraped once, under the name of its service', () => {
    const known = Object.keys(services)
    const things = rendered('production')
    const monitor = the(things, 'ServiceMonitor', 'postrider').spec as {
      selector: { matchLabels: Record<string, string> }
      endpoints: { port: string; path: string }[]
    }
    const scraped = ofKind(things, 'Service').filter(({ metadata, spec }) => {
      const ports = (spec?.['ports'] ?? []) as { name: string }[]
      return selects(monitor.selector.matchLabels, metadata.labels) && ports.some(({ name }) => name === 'metrics')
    })
    assert.deepEqual(scraped.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']).sort(), known.sort())
    assert.deepEqual(
      monitor.endpoints.map(({ port, path }) => [port, path]),
      [['metrics', '/metrics']],
    )
  })

  it('shows the world no metrics where the gateway’s Service is open to it', () => {
    for (const type of ['LoadBalancer', 'NodePort']) {
      const open = ofKind(rendered(null, '--set', `gateway.service.type=${type}`), 'Service').filter(
        ({ spec }) => spec?.['type'] === type,
      )
      const ports = open.flatMap(({ spec }) => spec?.['ports'] as { name: string }[]).map(({ name }) => name)
      assert.deepEqual(ports, ['http'], type)
    }
  })

  it('leads an Ingress and an HTTPRoute to the gateway, with no pages of theirs', () => {
    const [ingress] = ofKind(rendered('one-namespace'), 'Ingress')
    const [route] = ofKind(rendered('production'), 'HTTPRoute')
    for (const thing of [ingress, route]) {
      assert.ok(JSON.stringify(thing?.spec).includes('"name":"postrider-gateway"'))
      assert.doesNotMatch(JSON.stringify(thing), /custom-http-errors|default-backend|filters/)
    }
  })

  it('puts the alerts and dashboards in whole, each alert with the address of its page', () => {
    const given = ['enabled=true', 'runbooks=https://wiki.example.com/runbooks'].map((one) => `monitoring.rules.${one}`)
    const things = rendered(null, '--set', [...given, 'monitoring.dashboards.enabled=true'].join(','))
    const links = JSON.stringify(ofKind(things, 'PrometheusRule')).match(/"runbook_url":"[^"]*"/g) ?? []
    assert.ok(links.length > 0)
    for (const link of links) assert.match(link, /"https:\/\/wiki\.example\.com\/runbooks\/[A-Za-z]+\.md"/)
    const boards = ofKind(things, 'ConfigMap').filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1')
    assert.ok(boards.length > 0)
    for (const { data = {} } of boards) for (const text of Object.values(data)) assert.ok(JSON.parse(text).panels)
  })
})
