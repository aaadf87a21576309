import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { skipSuiteIf, whyNoCommand } from './command.ts'
import { type KubeObject, ofKind, podsIn, selects } from './manifests.ts'
import { restrictedFaults } from './podSecurity.ts'
import { conform, whyNoSchemas } from './schemas.ts'

const read = (file: string): string => readFileSync(join('k8s', file), 'utf8')
const { resources, namespace } = parse(read('kustomization.yaml')) as { resources: string[]; namespace: string }
const objects = resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as KubeObject),
)
const pods = podsIn(objects)
const services = ofKind(objects, 'Service')

type Ports = { ports: { port: number; targetPort: string }[] }

describe('stores of a development cluster', () => {
  it('each Service selects one pod, with the port that it names', () => {
    assert.equal(services.length, 4)
    for (const { metadata, spec } of services) {
      const selected = pods.filter(({ labels }) => selects(spec?.['selector'] as Record<string, string>, labels))
      assert.equal(selected.length, 1, metadata.name)
      const ports = selected.flatMap((pod) => pod.spec.containers.flatMap(({ ports = [] }) => ports))
      for (const { targetPort } of (spec as Ports).ports)
        assert.ok(
          ports.some(({ name }) => name === targetPort),
          `${metadata.name}: ${targetPort}`,
        )
    }
  })

  it('k8s/values.yaml gives the addresses of the stores to the chart', () => {
    const { config, secrets } = parse(read('values.yaml')) as Record<string, Record<string, Record<string, string>>>
    const addresses = [
      config?.['KAFKA_BROKERS'],
      config?.['POSTRIDER_ROUTE'],
      ...Object.values(secrets?.['values'] ?? {}),
    ]
      .flatMap((value) => /^(?:\w+:\/\/)?([\w-]+:\d+)/.exec(String(value))?.[1] ?? [])
      .toSorted()
    assert.deepEqual(addresses, ['kafka:9092', 'mailpit:1025', 'mongodb:27017', 'redis:6379'])
    const known = services.flatMap(({ metadata, spec }) =>
      (spec as Ports).ports.map(({ port }) => `${metadata.name}:${port}`),
    )
    for (const address of addresses) assert.ok(known.includes(address), address)
  })

  it('pods comply with the standard "restricted", which their namespace enforces', () => {
    const faults = Object.fromEntries(pods.map(({ of, spec }) => [of.metadata.name, restrictedFaults(spec)]))
    // The image of Kafka writes its configuration at each start.
    assert.deepEqual(faults, { mongodb: [], kafka: ['kafka has a writable root'], redis: [], mailpit: [] })
    const [ownNamespace] = ofKind(objects, 'Namespace')
    assert.equal(ownNamespace?.metadata.name, namespace)
    assert.equal(ownNamespace?.metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted')
  })

  it('images have a version, not latest', () => {
    const images = pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))
    for (const image of images) assert.match(image, /:(?!latest)v?\d[\w.-]*$/)
  })
})

describe('objects of a development cluster', function () {
  // The first run downloads the schemas.
  this.timeout(400_000)
  skipSuiteIf(async () => (await whyNoCommand('kubeconform', ['-v'])) ?? (await whyNoSchemas()))

  it('objects match the schemas of Kubernetes', async () => {
    const { code, output } = await conform('-summary', ...resources.map((file) => join('k8s', file)))
    assert.equal(code, 0, output)
    assert.match(output, /Invalid: 0, Errors: 0, Skipped: 0/)
  })
})
