import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { runs, skippedWhere, whyNot } from './command.ts'
import { ofKind, podsIn, selects, type Thing } from './manifests.ts'
import { restrictedFaults } from './restricted.ts'
import { schemaFolder, whyNoSchemas } from './schemas.ts'

const read = (file: string): string => readFileSync(join('k8s', file), 'utf8')
const { resources, namespace } = parse(read('kustomization.yaml')) as { resources: string[]; namespace: string }
const things = resources.flatMap((file) => parseAllDocuments(read(file)).map((document) => document.toJS() as Thing))
const pods = podsIn(things)
const services = ofKind(things, 'Service')

type Ports = { ports: { port: number; targetPort: string }[] }

describe('what a development cluster stands on', () => {
  it('is one pod behind each service, at the port it names', () => {
    assert.equal(services.length, 4)
    for (const { metadata, spec } of services) {
      const behind = pods.filter(({ labels }) => selects(spec?.['selector'] as Record<string, string>, labels))
      assert.equal(behind.length, 1, metadata.name)
      const named = behind.flatMap((pod) => pod.spec.containers.flatMap(({ ports = [] }) => ports))
      for (const { targetPort } of (spec as Ports).ports)
        assert.ok(
          named.some(({ name }) => name === targetPort),
          `${metadata.name}: ${targetPort}`,
        )
    }
  })

  it('is where the values of the chart look for it', () => {
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

  it('may be run under "restricted", in a namespace that asks for it', () => {
    const faults = Object.fromEntries(pods.map(({ of, spec }) => [of.metadata.name, restrictedFaults(spec)]))
    // Its image writes its settings at each start.
    assert.deepEqual(faults, { mongodb: [], kafka: ['kafka may write its root'], redis: [], mailpit: [] })
    const [space] = ofKind(things, 'Namespace')
    assert.equal(space?.metadata.name, namespace)
    assert.equal(space?.metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted')
  })

  it('is of versions, never whatever is latest', () => {
    const images = pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))
    for (const image of images) assert.match(image, /:(?!latest)v?\d[\w.-]*$/)
  })
})

describe('its objects', function () {
  // The first run fetches the schemas.
  this.timeout(400_000)
  skippedWhere(async () => (await whyNot('kubeconform', ['-v'])) ?? (await whyNoSchemas()))

  it('are as Kubernetes defines them', async () => {
    const location = `${schemaFolder}/{{.ResourceKind}}{{.KindSuffix}}.json`
    const files = resources.map((file) => join('k8s', file))
    const { code, said } = await runs('kubeconform', ['-strict', '-summary', '-schema-location', location, ...files])
    assert.equal(code, 0, said)
    assert.match(said, /Invalid: 0, Errors: 0, Skipped: 0/)
  })
})
