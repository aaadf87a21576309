import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { run, skipSuiteIf } from './command.ts'
import { chart, rendered } from './manifests.ts'
import { neededObjects } from './neededSecrets.ts'

type Stored = {
  kind: string
  metadata: { name: string }
  stringData?: Record<string, string>
  data?: Record<string, string>
}

/** As `kubectl api-resources` lists them; the names that the chart looks up. */
const resources = [
  { name: 'secrets', kind: 'Secret', namespaced: true, singularName: '', verbs: ['get', 'list'] },
  { name: 'configmaps', kind: 'ConfigMap', namespaced: true, singularName: '', verbs: ['get', 'list'] },
]

describe('chart with a cluster', () => {
  skipSuiteIf(async () => whyNoHelm())

  /** The objects of the cluster. */
  let stored: Stored[] = []
  let server: Server
  let folder = ''

  const answer = (path: string): object | null => {
    const asKept = ({ stringData, ...rest }: Stored) => ({
      apiVersion: 'v1',
      ...rest,
      data: rest.data ?? stringData,
    })
    if (path === '/version') return { major: '1', minor: '33', gitVersion: 'v1.33.0' }
    if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
    if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }
    if (path === '/api/v1') return { kind: 'APIResourceList', groupVersion: 'v1', resources }
    const [, plural, name] = /^\/api\/v1\/namespaces\/mail\/([a-z]+)(?:\/([\w.-]+))?$/.exec(path) ?? []
    const kind = resources.find((one) => one.name === plural)?.kind
    const all = stored.filter((one) => one.kind === kind).map(asKept)
    if (name === undefined) return kind === undefined ? null : { kind: `${kind}List`, apiVersion: 'v1', items: all }
    return all.find(({ metadata }) => metadata.name === name) ?? null
  }

  // The few requests that helm sends to an API server when it renders.
  before((done) => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-cluster-'))
    server = createServer((request, response) => {
      const body = answer((request.url ?? '').split('?')[0] ?? '')
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }))
    })
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      const cluster = { name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }
      const context = { name: 'c', context: { cluster: 'c', user: 'u' } }
      const config = { clusters: [cluster], users: [{ name: 'u', user: {} }], contexts: [context] }
      writeFileSync(join(folder, 'config'), JSON.stringify({ ...config, 'current-context': 'c' }))
      done()
    })
  })
  after((done) => {
    rmSync(folder, { recursive: true, force: true })
    // Without helm the suite is skipped before it starts.
    if (folder === '') return done()
    server.closeAllConnections()
    server.close(() => done())
  })

  const render = (example: string, ...given: string[]) =>
    run('helm', [
      ...['template', 'postrider', chart, '--namespace', 'mail', '--dry-run=server'],
      ...['--kubeconfig', join(folder, 'config'), '--values', join(chart, 'examples', example, 'values.yaml')],
      ...given.flatMap((one) => ['--set', one]),
    ])
  const secret = (name: string, ...keys: string[]): Stored => ({
    kind: 'Secret',
    metadata: { name },
    stringData: Object.fromEntries(keys.map((key) => [key, 'x'])),
  })
  const all = ['mongodb-url', 'redis-url', 'secret']
  const tokens = ['wire-token-gateway', 'wire-token-intake', 'wire-token-accounts']

  const needed = (example: 'production') => neededObjects(rendered(example)) as Stored[]

  const cases: [name: string, example: string, objects: () => Stored[], given: string[], wanted: string[]][] = [
    [
      'refuses a missing Secret and names it, its keys and the namespace',
      'minimal',
      () => [],
      [],
      [
        "The Secret postrider does not exist in the namespace mail: create it with the keys mongodb-url, secret, redis-url; the chart's README.md shows how.",
      ],
    ],
    [
      'refuses a Secret without a key',
      'minimal',
      () => [secret('postrider', 'mongodb-url', 'redis-url', ...tokens)],
      [],
      ['The Secret postrider has no key secret: add it, or set secrets.variables.POSTRIDER_SECRET to where it is.'],
    ],
    [
      'refuses a Secret with the wire token of one caller only',
      'minimal',
      () => [secret('postrider', ...all, 'wire-token-gateway')],
      [],
      [
        'The Secret postrider has no wire tokens: add the keys wire-token-gateway, wire-token-intake and wire-token-accounts, each from `openssl rand -hex 32`.',
      ],
    ],
    [
      'refuses a missing key of another Secret, and of a certificate and of trusted authorities',
      'production',
      () =>
        needed('production').filter(
          ({ metadata }) => !/^(kafka-postrider|company-ca|postrider-wire-quota)$/.test(metadata.name),
        ),
      [],
      [
        "The Secret kafka-postrider does not exist in the namespace mail: create it with the keys password, username; the chart's README.md shows how.",
        "The Secret postrider-wire-quota does not exist in the namespace mail: create it with the keys ca.crt, tls.crt, tls.key; the chart's README.md shows how.",
        'The ConfigMap company-ca has no key ca.crt, or does not exist in the namespace mail: create it with the certificate authorities (PEM).',
      ],
    ],
    ['accepts the Secret of the README', 'minimal', () => [secret('postrider', ...all, ...tokens)], [], []],
    ['accepts one shared wire token', 'minimal', () => [secret('postrider', ...all, 'wire-token')], [], []],
    ['accepts all Secrets of an installation with TLS', 'production', () => needed('production'), [], []],
    ['accepts a Secret that the chart creates', 'one-namespace', () => [], [], []],
    ['accepts missing Secrets if another controller creates them', 'minimal', () => [], ['secrets.check=false'], []],
  ]
  for (const [name, example, objects, given, wanted] of cases)
    it(name, async () => {
      stored = objects()
      const { code, output } = await render(example, ...given)
      for (const message of wanted)
        assert.ok(output.includes(message), `${message}\n\nis not in\n\n${output.slice(0, 4_000)}`)
      assert.equal(code, wanted.length === 0 ? 0 : 1, output.slice(0, 2_000))
    })
})
