import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { until } from '../support/until.ts'
import { type Kube, restrictedNamespace, startKube } from './apiServer.ts'
import { skippedWhere } from './command.ts'
import { disk, priority } from './fakeNodes.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart, examples, rendered, renderedText } from './manifests.ts'
import { customResourceFiles } from './schemas.ts'

type Workload = { metadata: { name: string }; spec: { replicas: number }; status: { availableReplicas?: number } }

const rollMs = 60_000

/** As a person applies it, but for the keeping: unknown fields are faults, and so is each word of warning. */
const strictly = ['--server-side', '--validate=strict', '--warnings-as-errors']
const tried = ['--dry-run=server', ...strictly]

describe('an API server', function admissionSuite() {
  // Where Kubernetes is to be built first.
  this.timeout(3_600_000)
  skippedWhere(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  let folder = ''
  before(async () => {
    kube = await startKube()
    folder = await mkdtemp(join(tmpdir(), 'postrider-admission-'))
    await kube.apply(restrictedNamespace('mail'), priority)
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
  })
  after(async () => {
    await kube?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const written = async (text: string): Promise<string> => {
    const file = join(folder, 'objects.yaml')
    await writeFile(file, text)
    return file
  }
  const replicas = async (): Promise<Map<string, number>> =>
    new Map(
      (await kube.list<Workload>('mail', 'deployments')).map(({ metadata, spec }) => [metadata.name, spec.replicas]),
    )
  /** How many pods of each Deployment are there for their callers. */
  const available = async (): Promise<number[]> =>
    (await kube.list<Workload>('mail', 'deployments')).map(({ status }) => status.availableReplicas ?? 0)
  const allHave = (count: number) =>
    until(
      `${count} of each`,
      async () => ((await available()).every((number) => number === count) ? true : undefined),
      rollMs,
    )
  const upgrade = async (...given: string[]) => {
    const args = ['upgrade', '--install', 'postrider', chart, '--values', join(chart, 'examples/minimal/values.yaml')]
    const { code, said } = await kube.helm('--namespace', 'mail', ...args, '--wait', '--timeout', '2m', ...given)
    assert.equal(code, 0, said)
  }

  for (const example of examples) {
    it(`takes each object of the example ${example}, and knows each of its fields`, async () => {
      const kept = join(chart, 'examples', example, 'rendered')
      await kube.kubectl('--namespace', 'mail', 'apply', ...tried, '--filename', kept)
      const file = await written(renderedText(example, '--set', 'dispatcher.keda.signal=kafkaLag'))
      await kube.kubectl('--namespace', 'mail', 'apply', ...tried, '--filename', file)
    })
  }

  it('would refuse a field that there isn’t, and a pod that "restricted" forbids', async () => {
    const [deployment] = rendered('minimal').filter(({ kind }) => kind === 'Deployment')
    const specked = await written(JSON.stringify({ ...deployment, spec: { ...deployment?.spec, speck: 1 } }))
    await assert.rejects(kube.kubectl('-n', 'mail', 'apply', ...tried, '-f', specked), /speck/)
    const open = await written(renderedText('minimal').replaceAll('allowPrivilegeEscalation: false', ''))
    await assert.rejects(kube.kubectl('-n', 'mail', 'apply', ...tried, '-f', open), /would violate PodSecurity/)
  })

  it('takes what a development cluster stands on, twice, and runs the chart beside it', async () => {
    await kube.kubectl('apply', ...strictly, '--filename', 'k8s/namespace.yaml')
    await kube.kubectl('apply', ...tried, '--kustomize', 'k8s')
    await kube.apply(...['disk-1', 'disk-2'].map(disk))
    for (const _ of ['made', 'there already']) await kube.kubectl('apply', ...strictly, '--kustomize', 'k8s')
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
    const beside = ['--values', 'k8s/values.yaml', '--wait', '--timeout', '2m']
    const { code, said } = await kube.helm('--namespace', 'postrider', 'install', 'postrider', chart, ...beside)
    assert.equal(code, 0, said)
    assert.doesNotMatch(said, /warn/i)
    await kube.kubectl('delete', 'namespace', 'postrider', '--wait=false')
  })

  it('runs as many of each service as its autoscaler wants at least', async () => {
    await upgrade()
    await allHave(2)
    assert.equal((await available()).length, Object.keys(services).length)
    await upgrade('--set', 'intake.autoscaling.minReplicas=4')
    await until('four', async () => ((await replicas()).get('postrider-intake') === 4 ? true : undefined), rollMs)
    await upgrade('--set', 'defaults.autoscaling.maxReplicas=2')
    await allHave(2)
  })

  it('lets one of each service go while nodes are drained, and not the last', async () => {
    const nodes = ['node-1', 'node-2', 'node-3']
    const drain = ['drain', ...nodes, '--delete-emptydir-data', '--ignore-daemonsets', '--force', '--timeout=3s']
    await assert.rejects(kube.kubectl(...drain), /Cannot evict pod as it would violate the pod's disruption budget/)
    await allHave(1)
    await kube.kubectl('uncordon', ...nodes)
    await allHave(2)
  })

  it('rolls all pods on the upgrade after their Secret changed, and none on another', async () => {
    const pods = async () => new Set((await kube.list<Workload>('mail', 'pods')).map(({ metadata }) => metadata.name))
    const secret = (url: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'postrider', namespace: 'mail' },
      stringData: { 'mongodb-url': url },
    })
    await kube.apply(secret('mongodb://one'))
    await upgrade()
    const before = await pods()
    await upgrade()
    assert.deepEqual(await pods(), before)
    await kube.apply(secret('mongodb://two'))
    await upgrade()
    // Helm waits for the new ones alone.
    const stay = async () => (await pods()).intersection(before)
    await until('all of them new', async () => ((await stay()).size === 0 ? true : undefined), rollMs)
  })

  it('keeps a Deployment of 0 as it is, through an upgrade too, until somebody scales it', async () => {
    const scale = (count: number) =>
      kube.kubectl('-n', 'mail', 'scale', 'deploy/postrider-intake', `--replicas=${count}`)
    await scale(0)
    await upgrade('--set', 'config.LOG_LEVEL=warn')
    assert.equal((await replicas()).get('postrider-intake'), 0)
    await scale(1)
    await allHave(2)
  })
})
