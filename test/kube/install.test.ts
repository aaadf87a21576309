import assert from 'node:assert/strict'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { brokenImage, type Kube, startKube } from './apiServer.ts'
import { skippedWhere } from './command.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart } from './manifests.ts'
import { customResourceFiles } from './schemas.ts'

type Deployment = {
  metadata: { name: string; generation: number }
  spec: { template: { spec: { containers: { image: string }[] } } }
  status: { availableReplicas?: number }
}

const values = (example: string): string => join(chart, 'examples', example, 'values.yaml')

describe('the chart in a real API server', function installSuite() {
  // Where Kubernetes is to be built first.
  this.timeout(3_600_000)
  skippedWhere(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  before(async () => {
    kube = await startKube()
    await kube.apply(['mail', 'production'].map((name) => JSON.stringify(namespace(name))).join('\n---\n'))
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
    await kube.apply(JSON.stringify(priority))
  })
  after(() => kube?.[Symbol.asyncDispose]())

  const helm = async (...args: string[]): Promise<string> => {
    const { code, said } = await kube.helm('--namespace', 'mail', ...args)
    assert.equal(code, 0, said)
    return said
  }
  const upgrade = (...given: string[]) =>
    helm('upgrade', 'postrider', chart, '--values', values('one-namespace'), '--wait', '--timeout', '2m', ...given)

  const deployments = async (space = 'mail'): Promise<Deployment[]> =>
    (
      JSON.parse(await kube.kubectl('--namespace', space, 'get', 'deployments', '--output', 'json')) as {
        items: Deployment[]
      }
    ).items
  const generations = async () =>
    new Map((await deployments()).map(({ metadata }) => [metadata.name, metadata.generation]))
  const images = async () =>
    new Set((await deployments()).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)))

  it('is installed under "restricted": every pod is admitted and runs', async () => {
    const said = await helm(
      'install',
      'postrider',
      chart,
      '--values',
      values('one-namespace'),
      '--wait',
      '--timeout',
      '2m',
    )
    assert.doesNotMatch(said, /warn/i)
    const running = (await deployments()).filter(({ status }) => status.availableReplicas === 1)
    assert.equal(running.length, Object.keys(services).length)
  })

  it('is installed with everything that production has', async () => {
    const given = ['--values', values('production'), '--wait', '--timeout', '2m']
    const { code, said } = await kube.helm('--namespace', 'production', 'install', 'postrider', chart, ...given)
    assert.equal(code, 0, said)
    assert.doesNotMatch(said, /warn/i)
    const kinds = ['scaledobject', 'httproute', 'servicemonitor', 'prometheusrule', 'networkpolicy', 'hpa', 'pdb']
    for (const kind of kinds) {
      assert.notEqual(await kube.kubectl('--namespace', 'production', 'get', kind, '--output', 'name'), '', kind)
    }
  })

  it('passes `helm test`', async () => {
    assert.match(await helm('test', 'postrider'), /Phase:\s+Succeeded/)
  })

  it('rolls what an upgrade changes and nothing else, and rolls it back', async () => {
    const before = await generations()
    await upgrade('--set', 'config.POSTRIDER_SIGNUP=off')
    const after = await generations()
    assert.deepEqual(
      [...after.keys()].filter((name) => after.get(name) !== before.get(name)),
      ['postrider-accounts'],
    )
    await helm('rollback', 'postrider', '1', '--wait', '--timeout', '2m')
    const values = await helm('get', 'values', 'postrider')
    assert.doesNotMatch(values, /POSTRIDER_SIGNUP/)
  })

  it('changes nothing where the preparation fails', async () => {
    const [repository, tag] = brokenImage.split(':')
    const before = [await images(), await generations()]
    const broken = ['image.tag', 'image.repository'].map((key, number) => `${key}=${[tag, repository][number]}`)
    const { code, said } = await kube.helm(
      ...['--namespace', 'mail', 'upgrade', 'postrider', chart, '--values', values('one-namespace')],
      ...['--set', [...broken, 'prepare.deadlineSeconds=5'].join(','), '--timeout', '2m'],
    )
    assert.notEqual(code, 0)
    assert.match(said, /pre-upgrade hooks failed/)
    assert.deepEqual([await images(), await generations()], before)
    await upgrade()
  })

  it('leaves nothing when it goes, but the pod that `helm test` ran', async () => {
    await helm('uninstall', 'postrider', '--wait')
    const kinds = 'deployment,service,serviceaccount,secret,configmap,networkpolicy,hpa,pdb,job,ingress'
    const left = await kube.kubectl(
      '-n',
      'mail',
      'get',
      kinds,
      '-l',
      'app.kubernetes.io/instance=postrider',
      '-o',
      'name',
    )
    assert.equal(left, '')
  })
})

const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
})

/** The production example's. */
const priority = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'business' },
  value: 1_000,
}
