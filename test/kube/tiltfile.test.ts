import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { serviceNames } from '../cluster/member.ts'
import { skippedWhere } from './command.ts'
import { ofKind, podsIn, the } from './manifests.ts'
import { evaluateTiltfile, type Platform, whyNoTiltfile } from './tiltfile.ts'

describe('the platform of `tilt up`', function () {
  this.timeout(60_000)
  skippedWhere(whyNoTiltfile)
  let platform: Platform

  before(async () => {
    platform = await evaluateTiltfile()
  })

  it('names only what exists: files, workloads, ports', () => {
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

  it('runs each service of one image, where a saved file arrives and starts it again', () => {
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
      const [pod] = podsIn([the(platform.objects, 'Deployment', `postrider-${service}`)])
      const [container, ...others] = pod?.spec.containers ?? []
      assert.deepEqual(others, [])
      assert.equal(container?.image.split(':')[0], image.ref)
      assert.deepEqual(container?.command.slice(0, 2), ['node', '--watch'])
      assert.equal(container?.command.at(-1), `services/${service}/main.ts`)
      assert.equal(container?.securityContext?.['readOnlyRootFilesystem'], false)
    }
  })

  it('gives every service addresses that are there', () => {
    const known = ofKind(platform.objects, 'Service').flatMap(({ metadata, spec }) =>
      ((spec?.['ports'] ?? []) as { port: number }[]).map(({ port }) => `${metadata.name}:${port}`),
    )
    const said = podsIn(platform.objects)
      .filter(({ of }) => of.metadata.name.startsWith('postrider-'))
      .flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env))
      .flatMap(({ value = '' }) => /^(?:smtp:\/\/)?([\w-]+:\d+)$/.exec(value)?.[1] ?? [])
    assert.ok(said.includes('kafka:9092') && said.includes('mailpit:1025'), said.join(' '))
    for (const address of said) assert.ok(known.includes(address), address)
  })

  it('leaves out what only `helm test` runs', () => {
    const hooks = platform.objects.map(({ metadata }) => metadata.annotations?.['helm.sh/hook'] ?? '')
    assert.ok(!hooks.includes('test'))
  })
})
