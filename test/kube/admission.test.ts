import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { until } from '../support/until.ts'
import { apiWarning, type Kube, restrictedNamespace, startKube } from './apiServer.ts'
import { skipSuiteIf } from './command.ts'
import { disk, priority } from './fakeNodes.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart, examples, rendered, renderedText } from './manifests.ts'
import { neededObjects } from './neededSecrets.ts'
import { customResourceFiles } from './schemas.ts'

type Workload = { metadata: { name: string }; spec: { replicas: number }; status: { availableReplicas?: number } }

const rollMs = 60_000

/** Unknown fields and warnings are errors. */
const strictly = ['--server-side', '--validate=strict', '--warnings-as-errors']
const dryRun = ['--dry-run=server', ...strictly]

describe('objects in a real API server', function admissionSuite() {
  // The first run builds Kubernetes.
  this.timeout(3_600_000)
  skipSuiteIf(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  let folder = ''
  before(async () => {
    kube = await startKube()
    folder = await mkdtemp(join(tmpdir(), 'postrider-admission-'))
    await kube.apply(restrictedNamespace('mail'), priority)
    await kube.apply(...neededObjects(rendered('minimal')))
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
  })
  after(async () => {
    await kube?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const fileWith = async (text: string): Promise<string> => {
    const file = join(folder, 'objects.yaml')
    await writeFile(file, text)
    return file
  }
  const replicas = async (): Promise<Map<string, number>> =>
    new Map(
      (await kube.list<Workload>('mail', 'deployments')).map(({ metadata, spec }) => [metadata.name, spec.replicas]),
    )
  /** Returns the number of available pods of each Deployment. */
  const available = async (): Promise<number[]> =>
    (await kube.list<Workload>('mail', 'deployments')).map(({ status }) => status.availableReplicas ?? 0)
  const allHave = (count: number) =>
    until(
      `${count} pods of each Deployment are available`,
      async () => ((await available()).every((number) => number === count) ? true : undefined),
      rollMs,
    )
  const upgrade = async (...given: string[]) => {
    const args = ['upgrade', '--install', 'postrider', chart, '--values', join(chart, 'examples/minimal/values.yaml')]
    const { code, output } = await kube.helm('--namespace', 'mail', ...args, '--wait', '--timeout', '2m', ...given)
    assert.equal(code, 0, output)
  }

  for (const example of examples) {
    it(`accepts each object and field of the example ${example}`, async () => {
      const stored = join(chart, 'examples', example, 'rendered')
      await kube.kubectl('--namespace', 'mail', 'apply', ...dryRun, '--filename', stored)
      const file = await fileWith(renderedText(example, '--set', 'dispatcher.keda.signal=kafkaLag'))
      await kube.kubectl('--namespace', 'mail', 'apply', ...dryRun, '--filename', file)
    })
  }

  it('refuses an unknown field, and a pod that violates "restricted"', async () => {
    const [deployment] = rendered('minimal').filter(({ kind }) => kind === 'Deployment')
    const withUnknownField = await fileWith(
      JSON.stringify({ ...deployment, spec: { ...deployment?.spec, unknownField: 1 } }),
    )
    await assert.rejects(kube.kubectl('-n', 'mail', 'apply', ...dryRun, '-f', withUnknownField), /unknownField/)
    const violating = await fileWith(renderedText('minimal').replaceAll('allowPrivilegeEscalation: false', ''))
    await assert.rejects(kube.kubectl('-n', 'mail', 'apply', ...dryRun, '-f', violating), /would violate PodSecurity/)
  })

  it('accepts the stores of a development cluster twice, and installs the chart with them', async () => {
    await kube.kubectl('apply', ...strictly, '--filename', 'k8s/namespace.yaml')
    await kube.kubectl('apply', ...dryRun, '--kustomize', 'k8s')
    await kube.apply(...['disk-1', 'disk-2'].map(disk))
    for (const _ of ['created', 'unchanged']) await kube.kubectl('apply', ...strictly, '--kustomize', 'k8s')
    const workloads = readdirSync('k8s').flatMap((file) =>
      parseAllDocuments(readFileSync(join('k8s', file), 'utf8')).flatMap((document) => {
        const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } }
        return /^(Deployment|StatefulSet)$/.test(kind) ? `${kind}/${metadata.name}` : []
      }),
    )
    assert.equal(workloads.length, 4)
    for (const workload of workloads) {
      await kube.kubectl('--namespace', 'postrider', 'rollout', 'status', workload, '--timeout=60s')
    }
    const given = ['--values', 'k8s/values.yaml', '--wait', '--timeout', '2m']
    const { code, output } = await kube.helm('--namespace', 'postrider', 'install', 'postrider', chart, ...given)
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, apiWarning)
    await kube.kubectl('delete', 'namespace', 'postrider', '--wait=false')
  })

  it('runs the minimum number of pods that each autoscaler requires', async () => {
    await upgrade()
    await allHave(2)
    assert.equal((await available()).length, Object.keys(services).length)
    await upgrade('--set', 'intake.autoscaling.minReplicas=4')
    await until(
      'intake has four replicas',
      async () => ((await replicas()).get('postrider-intake') === 4 ? true : undefined),
      rollMs,
    )
    await upgrade('--set', 'defaults.autoscaling.maxReplicas=2')
    await allHave(2)
  })

  it('evicts one pod of each service while nodes are drained, and not the last', async () => {
    const nodes = ['node-1', 'node-2', 'node-3']
    const drain = ['drain', ...nodes, '--delete-emptydir-data', '--ignore-daemonsets', '--force', '--timeout=3s']
    await assert.rejects(kube.kubectl(...drain), /Cannot evict pod as it would violate the pod's disruption budget/)
    await allHave(1)
    await kube.kubectl('uncordon', ...nodes)
    await allHave(2)
  })

  it('rolls all pods on an upgrade after their Secret has changed, and none if it has not', async () => {
    const pods = async () => new Set((await kube.list<Workload>('mail', 'pods')).map(({ metadata }) => metadata.name))
    const [{ stringData }] = neededObjects(rendered('minimal')) as [{ stringData: Record<string, string> }]
    const secret = (url: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'postrider', namespace: 'mail' },
      stringData: { ...stringData, 'mongodb-url': url },
    })
    await kube.apply(secret('mongodb://one'))
    await upgrade()
    const before = await pods()
    await upgrade()
    assert.deepEqual(await pods(), before)
    await kube.apply(secret('mongodb://two'))
    await upgrade()
    // Helm waits for the new pods only.
    const old = async () => (await pods()).intersection(before)
    await until('all pods are new', async () => ((await old()).size === 0 ? true : undefined), rollMs)
  })

  it('does not scale a Deployment of 0 pods, even during an upgrade, until an operator scales it', async () => {
    const scale = (count: number) =>
      kube.kubectl('-n', 'mail', 'scale', 'deploy/postrider-intake', `--replicas=${count}`)
    await scale(0)
    await upgrade('--set', 'config.LOG_LEVEL=warn')
    assert.equal((await replicas()).get('postrider-intake'), 0)
    await scale(1)
    await allHave(2)
  })
})
