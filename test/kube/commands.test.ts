import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { makeLog } from '../../packages/kit/log.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { serveOps } from '../../packages/kit/ops.ts'
import { makeReadiness } from '../../packages/kit/readiness.ts'
import { freePort } from '../support/freePort.ts'
import { type Kube, restrictedNamespace, startKube } from './apiServer.ts'
import { skippedWhere } from './command.ts'
import { brokenValues, disk } from './fakeNodes.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart } from './manifests.ts'
import { customResourceFiles } from './schemas.ts'
import { greps, piped, typedLines } from './typedLines.ts'

const pageLines = (page: string): string[] => typedLines(readFileSync(page, 'utf8'))

const runbooks = readdirSync('docs/runbooks').map((name) => join('docs/runbooks', name))

/** In the order in which their commands work: each page finds the cluster as the page before leaves it. */
const operations = ['install', 'scale', 'upgrade', 'backup', 'restore', 'secrets']

/** Says nothing where there is nothing to say. */
const mayBeSilent = /jsonpath/

/** Words of the programs' log lines. */
const sources = globSync('{packages,services}/**/*.ts', { exclude: ['**/*.test.ts'] })
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** A line of the log as programs write it. */
const logLine = (): string => {
  let line = ''
  makeLog('gateway', 'info', { write: (text) => (line += text) }).error({ code: 'internal' }, 'request.fault')
  return line
}

describe('what operators are told to type', function commandsSuite() {
  // Where Kubernetes is to be built first.
  this.timeout(3_600_000)
  skippedWhere(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  let ops: Awaited<ReturnType<typeof serveOps>>
  before(async () => {
    kube = await startKube()
    await kube.apply(...['disk-1', 'disk-2'].map(disk))
    const readiness = makeReadiness()
    readiness.started()
    ops = await serveOps({ port: 0, metrics: makeMetrics(), readiness, log: makeLog('tests', 'silent') })
  })
  after(async () => {
    await ops?.[Symbol.asyncDispose]()
    await kube?.[Symbol.asyncDispose]()
  })

  /** With what it leaves open: a pod, what is given to an upgrade, where processes of fake pods listen. */
  const filled = async (line: string): Promise<string> => {
    const pods = line.includes('POD') ? await kube.list<{ metadata: { name: string } }>('postrider', 'pods') : []
    return line
      .replaceAll('POD', pods.find(({ metadata }) => metadata.name.startsWith('postrider-'))?.metadata.name ?? '')
      .replace('postrider … ', `postrider ${chart} ${line.includes(' template ') ? '' : '--reuse-values '}`)
      .replace('http://localhost:9464', ops.url.replace(/\/$/, ''))
  }
  const works = async (line: string): Promise<string> => {
    const [command = '', ...filters] = piped(await filled(line))
    const { code, out, said } = await kube.shell(command)
    assert.equal(code, 0, `${command}\n${said}`)
    if (!mayBeSilent.test(line)) assert.notEqual(out, '', `${command}\n${said}`)
    for (const looked of filters.flatMap((filter) => greps(filter) ?? [])) {
      const isThere = looked.startsWith('"') ? new RegExp(looked).test(logLine()) : sources.includes(looked)
      assert.ok(isThere, `no line of a log has ${looked}`)
    }
    return said
  }
  const allWork = async (lines: readonly string[]): Promise<void> => {
    assert.ok(lines.length > 0)
    for (const line of lines) await works(line)
  }

  it('in README.md installs the chart on a development cluster', async () => {
    await allWork(pageLines('README.md'))
    const scaled = ['--reuse-values', '--set', 'defaults.autoscaling.enabled=true', '--wait', '--timeout', '2m']
    // Twice, so that a rollback keeps the autoscalers.
    for (const _ of ['changed', 'the same']) {
      const { code, said } = await kube.helm('-n', 'postrider', 'upgrade', 'postrider', chart, ...scaled)
      assert.equal(code, 0, said)
    }
  })

  it('in the chart’s README.md installs it elsewhere, whose notes lead to the gateway and to `helm test`', async () => {
    const [make = '', ...rest] = pageLines(join(chart, 'README.md'))
    assert.match(make, /create namespace mail/)
    await kube.apply(restrictedNamespace('mail'))
    const notes = new Set<string>()
    for (const line of rest) {
      for (const noted of typedLines((await works(line)).replaceAll(/^ {2}/gm, '    '))) notes.add(noted)
    }
    const [forward = '', test = '', ...others] = notes
    assert.deepEqual(others, [])
    await works(test)
    const port = await freePort()
    const { said } = await kube.shell(`timeout 5 ${forward.replace('8080:', `${port}:`)}`)
    assert.match(said, new RegExp(`Forwarding from 127.0.0.1:${port} -> 8080`))
  })

  for (const page of runbooks) {
    const lines = pageLines(page)
    if (lines.length > 0) it(`in ${page} asks for what there is`, () => allWork(lines))
  }

  it('in docs/operations does what it says, with KEDA too', async () => {
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
    await works('helm -n mail upgrade postrider … --set dispatcher.keda.enabled=true')
    for (const line of operations.flatMap((name) => pageLines(`docs/operations/${name}.md`))) {
      // There only after it failed.
      if (line.includes('job/')) await assert.rejects(works(`helm -n mail upgrade postrider … --set ${brokenValues}`))
      await works(line)
    }
  })
})
