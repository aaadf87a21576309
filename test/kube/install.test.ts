import assert from 'node:assert/strict'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services } from '../../charts/gen/programs.ts'
import { apiWarning, type Kube, restrictedNamespace, startKube } from './apiServer.ts'
import { skipSuiteIf } from './command.ts'
import { brokenValues, priority } from './fakeNodes.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart, rendered } from './manifests.ts'
import { neededObjects } from './neededSecrets.ts'
import { customResourceFiles } from './schemas.ts'

type Deployment = {
  metadata: { name: string; generation: number }
  spec: { template: { spec: { containers: { image: string }[] } } }
  status: { availableReplicas?: number }
}

const values = (example: string): string => join(chart, 'examples', example, 'values.yaml')

describe('installation in a real API server', function installSuite() {
  // The first run builds Kubernetes.
  this.timeout(3_600_000)
  skipSuiteIf(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  before(async () => {
    kube = await startKube()
    await kube.apply(...['mail', 'production'].map(restrictedNamespace))
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
    await kube.apply(priority, ...neededObjects(rendered('production'), 'production'))
  })
  after(() => kube?.[Symbol.asyncDispose]())

  const helm = async (...args: string[]): Promise<string> => {
    const { code, output } = await kube.helm('--namespace', 'mail', ...args)
    assert.equal(code, 0, output)
    return output
  }
  const upgrade = (...given: string[]) =>
    helm('upgrade', 'postrider', chart, '--values', values('one-namespace'), '--wait', '--timeout', '2m', ...given)

  const deployments = () => kube.list<Deployment>('mail', 'deployments')
  const generations = async () =>
    new Map((await deployments()).map(({ metadata }) => [metadata.name, metadata.generation]))
  const images = async () =>
    new Set((await deployments()).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)))
  /** Returns the objects of the release, such as `job.batch/postrider-prepare`. */
  const releaseObjects = async (): Promise<string[]> => {
    const kinds = 'deployment,service,serviceaccount,secret,configmap,networkpolicy,hpa,pdb,job,ingress'
    const ours = ['--selector', 'app.kubernetes.io/instance=postrider', '--output', 'name']
    return (await kube.kubectl('--namespace', 'mail', 'get', kinds, ...ours)).split('\n').filter((name) => name !== '')
  }

  it('installs under "restricted": every pod is admitted and runs', async () => {
    const given = ['--values', values('one-namespace'), '--wait', '--timeout', '2m']
    const output = await helm('install', 'postrider', chart, ...given)
    assert.doesNotMatch(output, apiWarning)
    const running = (await deployments()).filter(({ status }) => status.availableReplicas === 1)
    assert.equal(running.length, Object.keys(services).length)
  })

  it('installs all objects of the example production', async () => {
    await kube.kubectl('label', 'node', 'node-3', 'pool=mail-out')
    await kube.kubectl('taint', 'node', 'node-3', 'pool=mail-out:NoSchedule')
    const given = ['--values', values('production'), '--wait', '--timeout', '2m']
    const { code, output } = await kube.helm('--namespace', 'production', 'install', 'postrider', chart, ...given)
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, apiWarning)
    const kinds = ['scaledobject', 'httproute', 'servicemonitor', 'prometheusrule', 'networkpolicy', 'hpa', 'pdb']
    for (const kind of kinds) {
      assert.notEqual(await kube.kubectl('--namespace', 'production', 'get', kind, '--output', 'name'), '', kind)
    }
  })

  it('passes `helm test`', async () => {
    assert.match(await helm('test', 'postrider'), /Phase:\s+Succeeded/)
  })

  it('an upgrade rolls only changed Deployments and can be rolled back', async () => {
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

  const failing = (verb: string, ...given: string[]) => {
    const args = ['--values', values('one-namespace'), '--set', brokenValues, '--timeout', '2m', ...given]
    return kube.helm('--namespace', 'mail', verb, 'postrider', chart, ...args)
  }

  for (const given of [[], ['--atomic']]) {
    it(`an upgrade whose Job prepare fails changes nothing ${given.join(' ')}`, async () => {
      const before = [await images(), await generations(), await releaseObjects()]
      const { code, output } = await failing('upgrade', ...given)
      assert.notEqual(code, 0)
      assert.match(output, /pre-upgrade hooks failed/)
      // The failed Job remains, because its log contains the reason.
      const failed = 'job.batch/postrider-prepare'
      assert.deepEqual(
        [await images(), await generations(), (await releaseObjects()).filter((name) => name !== failed)],
        before,
      )
      assert.ok((await releaseObjects()).includes(failed))
      await upgrade()
      assert.ok(!(await releaseObjects()).includes(failed))
    })
  }

  it('uninstall leaves no object except the pod of `helm test`', async () => {
    await helm('uninstall', 'postrider', '--wait')
    assert.deepEqual(await releaseObjects(), [])
  })

  it('installs after a failed installation', async () => {
    const { code, output } = await failing('install')
    assert.notEqual(code, 0)
    assert.match(output, /failed pre-install/)
    await upgrade('--install')
    await helm('uninstall', 'postrider', '--wait')
    assert.deepEqual(await releaseObjects(), [])
  })
})
