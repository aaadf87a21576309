import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { serviceNames } from '../cluster/member.ts'
import { mustRun, skipSuiteIf, whyNoCommand } from './command.ts'
import { type KubeObject, objectNamed, ofKind, podsIn } from './manifests.ts'

/** The result of a Tiltfile. */
type Platform = {
  images: { ref: string; target: string; update: { sync?: string; to?: string }[] }[]
  objects: KubeObject[]
  resources: { workload: string; labels: string[]; needs: string[]; forwards: { container: number }[] }[]
  /** Paths that do not exist. */
  missing: string[]
}

/** By default helm reports the Kubernetes version of its own release. */
const kubeVersion = '1.33.0'

/** Returns the reason why the Tiltfile cannot be evaluated here, or null. */
const whyNoTiltfile = async (): Promise<string | null> =>
  (await whyNoCommand('python3', ['-c', 'import starlark, yaml'])) === null
    ? ((await whyNoCommand('helm', ['version'])) ?? (await whyNoCommand('kubectl', ['version', '--client'])))
    : 'python3 is not installed, or lacks starlark-pyo3 and PyYAML'

const evaluateTiltfile = async (): Promise<Platform> =>
  JSON.parse(await mustRun('python3', 'test/kube/tiltfile.py', 'tilt/Tiltfile', kubeVersion)) as Platform

describe('platform of `tilt up`', () => {
  skipSuiteIf(whyNoTiltfile)
  let platform: Platform

  before(async () => {
    platform = await evaluateTiltfile()
  })

  it('refers only to existing files, workloads and ports', () => {
    assert.deepEqual(platform.missing, [])
    const pods = new Map(podsIn(platform.objects).map(({ of, spec }) => [of.metadata.name, spec]))
    for (const { workload, needs, forwards } of platform.resources) {
      for (const name of [workload, ...needs]) assert.ok(pods.has(name), name)
      const ports = pods.get(workload)?.containers.flatMap(({ ports = [] }) => ports.map((port) => port.containerPort))
      for (const { container } of forwards) assert.ok(ports?.includes(container), `${workload} ${container}`)
    }
    const grouped = platform.resources.flatMap(({ workload, labels }) => (labels.length > 0 ? workload : []))
    assert.deepEqual([...pods.keys()].toSorted(), grouped.toSorted())
  })

  it('runs each service from one image with live updates that restart it', () => {
    const [image, ...more] = platform.images
    assert.ok(image)
    assert.deepEqual(more, [])
    const dockerfile = readFileSync('k8s/Dockerfile', 'utf8')
    assert.match(dockerfile, new RegExp(`^FROM .* AS ${image.target}$`, 'm'))
    const home = /^WORKDIR (.+)$/m.exec(dockerfile)?.[1]
    assert.deepEqual(
      image.update.flatMap(({ to }) => to ?? []),
      ['packages', 'protos', 'services'].map((folder) => `${home}/${folder}`),
    )
    for (const service of serviceNames) {
      const [pod] = podsIn([objectNamed(platform.objects, 'Deployment', `postrider-${service}`)])
      const [container, ...others] = pod?.spec.containers ?? []
      assert.deepEqual(others, [])
      assert.equal(container?.image.split(':')[0], image.ref)
      assert.deepEqual(container?.command.slice(0, 2), ['node', '--watch'])
      assert.equal(container?.command.at(-1), `services/${service}/main.ts`)
      assert.equal(container?.securityContext?.['readOnlyRootFilesystem'], false)
    }
  })

  it('gives every service addresses of existing Services', () => {
    const known = ofKind(platform.objects, 'Service').flatMap(({ metadata, spec }) =>
      ((spec?.['ports'] ?? []) as { port: number }[]).map(({ port }) => `${metadata.name}:${port}`),
    )
    const addresses = podsIn(platform.objects)
      .filter(({ of }) => of.metadata.name.startsWith('postrider-'))
      .flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env))
      .flatMap(({ value = '' }) => /^(?:smtp:\/\/)?([\w-]+:\d+)$/.exec(value)?.[1] ?? [])
    assert.ok(addresses.includes('kafka:9092') && addresses.includes('mailpit:1025'), addresses.join(' '))
    for (const address of addresses) assert.ok(known.includes(address), address)
  })

  it('does not contain the pod of `helm test`', () => {
    const hooks = platform.objects.map(({ metadata }) => metadata.annotations?.['helm.sh/hook'] ?? '')
    assert.ok(!hooks.includes('test'))
  })
})
