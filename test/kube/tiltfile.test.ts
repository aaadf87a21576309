import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { serviceNames } from '../cluster/member.ts'
import { skippedWhere } from './command.ts'
import { evaluateTiltfile, type KubeObject, type Platform, whyNoTiltfile } from './tiltfile.ts'

const workloads = ['Deployment', 'StatefulSet', 'Job']

describe('the platform of `tilt up`', function () {
  this.timeout(60_000)
  skippedWhere(whyNoTiltfile)
  let platform: Platform

  before(async () => {
    platform = await evaluateTiltfile()
  })

  const pods = (): KubeObject[] => platform.objects.filter(({ kind }) => workloads.includes(kind))
  const containersOf = ({ spec }: KubeObject) => spec.template.spec.containers
  const portsOf = (name: string): number[] =>
    pods()
      .filter(({ metadata }) => metadata.name === name)
      .flatMap(containersOf)
      .flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort))

  it('names only what exists: files, workloads, ports', () => {
    assert.deepEqual(platform.missing, [])
    const names = pods().map(({ metadata }) => metadata.name)
    for (const { workload, needs, forwards } of platform.resources) {
      assert.ok(names.includes(workload), workload)
      for (const need of needs) assert.ok(names.includes(need), need)
      for (const { container } of forwards) assert.ok(portsOf(workload).includes(container), `${workload} ${container}`)
    }
    const grouped = new Set(platform.resources.filter(({ labels }) => labels.length > 0).map((one) => one.workload))
    assert.deepEqual(
      names.filter((name) => !grouped.has(name)),
      [],
      'is in no group',
    )
  })

  it('runs each service of its own image, which a saved file reaches and starts again', () => {
    const [image, ...more] = platform.images
    assert.ok(image)
    assert.deepEqual(more, [])
    const dockerfile = readFileSync('k8s/Dockerfile', 'utf8')
    const home = /^WORKDIR (.+)$/m.exec(dockerfile)?.[1]
    assert.match(dockerfile, new RegExp(`^FROM .* AS ${image.target}$`, 'm'))
    const synced = image.update.flatMap(({ to }) => (to === undefined ? [] : [to]))
    assert.deepEqual(
      synced,
      ['packages', 'protos', 'services'].map((folder) => `${home}/${folder}`),
    )
    for (const service of serviceNames) {
      const deployment = pods().find(({ metadata }) => metadata.name === `postrider-${service}`)
      assert.ok(deployment, service)
      for (const container of containersOf(deployment)) {
        assert.equal(container.image.split(':')[0], image.ref)
        assert.deepEqual(container.command?.slice(0, 2), ['node', '--watch'])
        assert.equal(container.command?.at(-1), `services/${service}/main.ts`)
        assert.equal(container.securityContext.readOnlyRootFilesystem, false)
      }
    }
  })

  it('gives every service addresses that are there', () => {
    const services = platform.objects.filter(({ kind }) => kind === 'Service')
    const known = services.flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).map(({ port }) => `${metadata.name}:${port}`),
    )
    const said = pods()
      .filter(({ metadata }) => metadata.name.startsWith('postrider-'))
      .flatMap(containersOf)
      .flatMap(({ env = [] }) =>
        env.flatMap(({ value }) => /^(?:smtp:\/\/)?([\w-]+:\d+)$/.exec(value ?? '')?.[1] ?? []),
      )
    assert.ok(said.includes('kafka:9092') && said.includes('mailpit:1025'), said.join(' '))
    assert.deepEqual(
      [...new Set(said)].filter((address) => !known.includes(address)),
      [],
    )
    for (const address of ['mongodb:27017', 'redis:6379']) {
      assert.ok(known.includes(address), address)
      assert.ok(readFileSync('k8s/values.yaml', 'utf8').includes(`//${address}`), address)
    }
  })

  it('has a pod behind every service of k8s/, at the port it names', () => {
    const services = platform.objects.filter(
      ({ kind, metadata }) => kind === 'Service' && !metadata.name.startsWith('postrider-'),
    )
    assert.equal(services.length, 4)
    for (const { metadata, spec } of services) {
      const behind = pods().filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
      )
      assert.equal(behind.length, 1, metadata.name)
      const named = behind.flatMap(containersOf).flatMap(({ ports = [] }) => ports.map(({ name }) => name))
      for (const { targetPort } of spec.ports ?? []) assert.ok(named.includes(String(targetPort)), metadata.name)
    }
  })

  it('keeps every pod under "restricted", within bounds of memory', () => {
    for (const { metadata, spec } of pods()) {
      const { automountServiceAccountToken, securityContext, containers } = spec.template.spec
      assert.equal(automountServiceAccountToken, false, metadata.name)
      assert.equal(securityContext.runAsNonRoot, true, metadata.name)
      assert.ok(securityContext.runAsUser > 0, metadata.name)
      assert.equal(securityContext.seccompProfile.type, 'RuntimeDefault', metadata.name)
      for (const container of containers) {
        assert.equal(container.securityContext.allowPrivilegeEscalation, false, metadata.name)
        assert.deepEqual(container.securityContext.capabilities.drop, ['ALL'], metadata.name)
        assert.ok(container.resources.limits['memory'], metadata.name)
        assert.ok(container.resources.requests['cpu'], metadata.name)
      }
    }
  })

  it('takes versions, never whatever is latest', () => {
    const images = pods()
      .flatMap(containersOf)
      .map(({ image }) => image)
    assert.deepEqual(
      images.filter((image) => !/:(?!latest)[\w.-]+$/.test(image)),
      [],
    )
  })
})
