import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { skipSuiteIf } from './command.ts'
import { type KubeObject, objectNamed, ofKind, podsIn, programsIn, rendered, servicesIn } from './manifests.ts'

type Pod = ReturnType<typeof podsIn>[number]

describe('extensions of the chart', () => {
  skipSuiteIf(async () => whyNoHelm())

  const podOf = (objects: readonly KubeObject[], name: string): Pod =>
    programsIn(objects).find((program) => program.name === name)?.pod ?? assert.fail(name)
  const json = (path: string, value: unknown): string[] => ['--set-json', `${path}=${JSON.stringify(value)}`]

  let openshift: KubeObject[] = []
  before(() => {
    openshift = rendered('openshift')
  })

  it('leaves the user and the groups of every pod to OpenShift', () => {
    for (const { spec } of podsIn(openshift))
      assert.deepEqual(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  })

  it('removes a field of the security contexts of one service by null', () => {
    const objects = rendered(
      null,
      ...json('quota', { podSecurityContext: { runAsUser: null }, containerSecurityContext: { runAsUser: 7 } }),
    )
    const [quota, intake] = [podOf(objects, 'quota'), podOf(objects, 'intake')]
    assert.deepEqual(
      [quota.spec.securityContext?.['runAsUser'], intake.spec.securityContext?.['runAsUser']],
      [undefined, 10001],
    )
    assert.deepEqual(quota.spec.containers[0]?.securityContext?.['runAsUser'], 7)
    assert.equal(quota.spec.containers[0]?.securityContext?.['readOnlyRootFilesystem'], true)
  })

  it('reaches DNS servers on their ports', () => {
    for (const { spec } of ofKind(openshift, 'NetworkPolicy')) {
      const { egress } = spec as { egress?: { ports: object[] }[] }
      if (egress === undefined) continue
      const [dns] = egress
      assert.deepEqual(dns?.ports, [
        { port: 5353, protocol: 'UDP' },
        { port: 5353, protocol: 'TCP' },
      ])
    }
  })

  it('sets common labels on all objects and pods, and common annotations on all objects', () => {
    for (const { kind, metadata } of openshift.filter(({ metadata }) => metadata.name !== 'postrider-agent')) {
      assert.equal(metadata.labels['team'], 'mail', `${kind}/${metadata.name}`)
      assert.equal(metadata.annotations?.['example.com/owner'], 'mail-team', `${kind}/${metadata.name}`)
    }
    for (const { labels } of servicesIn(openshift).map(({ pod }) => pod)) assert.equal(labels['team'], 'mail')
  })

  it('creates extra objects, from maps and from text, with evaluated expressions', () => {
    assert.equal(objectNamed(openshift, 'ConfigMap', 'postrider-agent').data?.['agent.conf'], 'level=info')
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}-text" }'
    objectNamed(rendered(null, ...json('extraObjects', [text])), 'ConfigMap', 'postrider-text')
  })

  it('adds volumes, mounts, init containers and sidecars to a service', () => {
    const init = [{ name: 'wait', image: 'busybox' }]
    const { spec } = podOf(rendered('openshift', ...json('intake.initContainers', init)), 'intake')
    assert.deepEqual(
      spec.containers.map(({ name }) => name),
      ['intake', 'agent'],
    )
    assert.deepEqual(spec.initContainers, init)
    assert.ok(spec.volumes?.some(({ name }) => name === 'agent'))
    assert.deepEqual(
      spec.containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath),
      ['/tmp', '/etc/agent'],
    )
  })

  it('gives volumes of the defaults to the preparation, but no sidecar, because the Job would never end', () => {
    const given = {
      extraVolumes: [{ name: 'a', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'a', mountPath: '/a' }],
      sidecars: [{ name: 's', image: 's' }],
    }
    const { spec } = podOf(rendered(null, ...json('defaults', given)), 'prepare')
    assert.ok(spec.volumes?.some(({ name }) => name === 'a'))
    assert.deepEqual(
      spec.containers.map(({ name }) => name),
      ['prepare'],
    )
  })

  it('uses an existing ServiceAccount and creates none for that service', () => {
    const objects = rendered('openshift', '--set', 'prepare.serviceAccountName=mail-prepare')
    assert.equal(podOf(objects, 'gateway').spec.serviceAccountName, 'mail-gateway')
    assert.equal(podOf(objects, 'prepare').spec.serviceAccountName, 'mail-prepare')
    const names = ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name)
    assert.deepEqual(
      names.sort(),
      Object.keys(services)
        .filter((name) => name !== 'gateway')
        .map((name) => `postrider-${name}`)
        .sort(),
    )
  })

  it('overrides DNS, topology and probes', () => {
    const { pod, container } = servicesIn(openshift)[0] ?? assert.fail()
    assert.deepEqual(pod.spec['dnsConfig'], { options: [{ name: 'ndots', value: '2' }] })
    const [spread, ...others] = pod.spec.topologySpreadConstraints ?? []
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(spread, {
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { 'app.kubernetes.io/component': pod.labels['app.kubernetes.io/component'] } },
    })
    assert.deepEqual(container.readinessProbe, {
      httpGet: { path: '/readyz', port: 'metrics' },
      failureThreshold: 4,
      periodSeconds: 5,
      timeoutSeconds: 3,
    })
  })

  it('adds behavior to autoscalers, of KEDA too, and retains the slow scale-down', () => {
    const behavior = (objects: readonly KubeObject[], name: string): object =>
      objectNamed(objects, 'HorizontalPodAutoscaler', name).spec?.['behavior'] as object
    const up = { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] }
    const down = { stabilizationWindowSeconds: 300 }
    assert.deepEqual(behavior(openshift, 'postrider-gateway'), { scaleUp: up, scaleDown: down })
    assert.deepEqual(behavior(openshift, 'postrider-quota'), { scaleDown: down })
    const keda = rendered('production', ...json('dispatcher.autoscaling.behavior', { scaleUp: up }))
    const { spec } = objectNamed(keda, 'ScaledObject', 'postrider-dispatcher')
    assert.partialDeepStrictEqual(spec, {
      advanced: { horizontalPodAutoscalerConfig: { behavior: { scaleUp: up, scaleDown: down } } },
    })
  })

  it('scrapes each pod by a PodMonitor, and relabels', () => {
    const { spec } = objectNamed(openshift, 'PodMonitor', 'postrider')
    assert.deepEqual(spec?.['podMetricsEndpoints'], [
      {
        port: 'metrics',
        path: '/metrics',
        honorLabels: true,
        interval: '15s',
        metricRelabelings: [{ sourceLabels: ['__name__'], regex: 'nodejs_.*', action: 'drop' }],
      },
    ])
    const relabelings = [{ targetLabel: 'cluster', replacement: 'eu' }]
    const monitor = rendered('production', ...json('monitoring.serviceMonitor.relabelings', relabelings))
    assert.partialDeepStrictEqual(objectNamed(monitor, 'ServiceMonitor', 'postrider').spec, {
      endpoints: [{ relabelings }],
    })
  })

  it('serves several certificates at one Ingress', () => {
    const { spec } = objectNamed(openshift, 'Ingress', 'postrider')
    assert.deepEqual(spec?.['tls'], [
      { secretName: 'mail-com', hosts: ['mail.example.com'] },
      { secretName: 'mail-org', hosts: ['mail.example.org'] },
    ])
  })
})

describe('memory of the chart’s programs', () => {
  skipSuiteIf(async () => whyNoHelm())

  /** Returns the heap, the budget if there is one, and the young generation of each service, in MiB. */
  const memory = (given: readonly string[]) =>
    Object.fromEntries(
      servicesIn(rendered(null, ...given.flatMap((one) => ['--set', one]))).map(({ name, container }) => {
        const sizeOf = (flag: string) => container.command.find((one) => one.startsWith(`${flag}=`))?.split('=')[1]
        const [heap, young] = [sizeOf('--max-old-space-size'), sizeOf('--max-semi-space-size')]
        const budget = container.env.find((one) => /_MEMORY_MIB$/.test(one.name))?.value
        return [name, [heap, budget, young]]
      }),
    )
  const limit = (service: string, size: string): string => `${service}.resources.limits.memory=${size}`

  for (const [name, given, wanted] of [
    [
      'the heap is half of the limit, and the budgets are the default ones',
      [],
      { gateway: ['384', '64', '16'], dispatcher: ['384', '64', '16'], quota: ['256', undefined, '16'] },
    ],
    [
      'the budgets and the young generation are smaller for lower limits, and NODE_OPTIONS sets the heap',
      [
        limit('gateway', '400Mi'),
        limit('dispatcher', '256Mi'),
        'quota.extraEnv[0].name=NODE_OPTIONS',
        'quota.extraEnv[0].value=--max-old-space-size=300',
      ],
      { gateway: ['200', '40', '4'], dispatcher: ['128', '32', '4'], quota: [undefined, undefined, '16'] },
    ],
    [
      'a high limit does not raise the default, and each lane can hold the largest message',
      [limit('gateway', '4Gi'), 'config.POSTRIDER_MAX_MESSAGE_MIB=30'],
      { gateway: ['2048', '64'], dispatcher: ['384', '80'] },
    ],
    [
      'the young generation is large only with room for long bodies',
      [limit('gateway', '512Mi'), limit('dispatcher', '512Mi')],
      { gateway: ['256', '58', '4'], dispatcher: ['256', '64', '16'] },
    ],
    [
      'a budget that is set is used, and limits have any unit',
      [limit('gateway', '1.5Gi'), limit('intake', '1G'), 'gateway.config.POSTRIDER_BODY_MEMORY_MIB=180'],
      { gateway: ['768', '180'], intake: ['476', '64'] },
    ],
    [
      'without limits Node and the programs use their defaults',
      ['defaults.resources.limits=null', 'gateway.resources.limits=null', 'dispatcher.resources.limits=null'],
      { gateway: [undefined, '64', '16'], dispatcher: [undefined, '64', '16'], quota: [undefined, undefined, '16'] },
    ],
  ] as const)
    it(name, () => assert.partialDeepStrictEqual(memory(given), wanted))
})
