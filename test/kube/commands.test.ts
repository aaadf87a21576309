import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { makeLog } from '../../packages/kit/log.ts'
import { makeMetrics } from '../../packages/kit/metrics.ts'
import { serveOps } from '../../packages/kit/ops.ts'
import { makeReadiness } from '../../packages/kit/readiness.ts'
import { freePort } from '../support/freePort.ts'
import { productCode } from '../support/productCode.ts'
import { type Kube, restrictedNamespace, startKube } from './apiServer.ts'
import { skipSuiteIf } from './command.ts'
import { documentedCommands, grepPatterns, pipeline } from './documentedCommands.ts'
import { brokenValues, disk } from './fakeNodes.ts'
import { whyNoKube } from './kubeBinaries.ts'
import { chart } from './manifests.ts'
import { customResourceFiles } from './schemas.ts'

const commandsOf = (page: string): string[] => documentedCommands(readFileSync(page, 'utf8'))

const runbooks = readdirSync('docs/runbooks').map((name) => join('docs/runbooks', name))

/** In this order, because each page uses the state in which the page before leaves the cluster. */
const operations = ['install', 'scale', 'upgrade', 'backup', 'restore', 'secrets']

/** Commands whose output may be empty. */
const mayBeSilent = /jsonpath/

const sources = productCode()

/** Returns a log line in the format of the programs. */
const logLine = (): string => {
  let line = ''
  makeLog('gateway', 'info', { write: (text) => (line += text) }).error({ code: 'internal' }, 'request failed')
  return line
}

describe('documented commands', function commandsSuite() {
  // The first run builds Kubernetes.
  this.timeout(3_600_000)
  skipSuiteIf(async () => whyNoHelm() ?? (await whyNoKube()))

  let kube: Kube
  let ops: Awaited<ReturnType<typeof serveOps>>
  before(async () => {
    kube = await startKube()
    await kube.apply(...['disk-1', 'disk-2'].map(disk))
    const readiness = makeReadiness()
    readiness.started()
    ops = await serveOps({
      host: 'localhost',
      port: 0,
      metrics: makeMetrics(),
      readiness,
      log: makeLog('tests', 'silent'),
    })
  })
  after(async () => {
    await ops?.[Symbol.asyncDispose]()
    await kube?.[Symbol.asyncDispose]()
  })

  /** Fills placeholders: a pod, the arguments of an upgrade, the address of metrics. */
  const filled = async (line: string): Promise<string> => {
    const pods = line.includes('POD') ? await kube.list<{ metadata: { name: string } }>('postrider', 'pods') : []
    return line
      .replaceAll('POD', pods.find(({ metadata }) => metadata.name.startsWith('postrider-'))?.metadata.name ?? '')
      .replace('postrider … ', `postrider ${chart} ${line.includes(' template ') ? '' : '--reuse-values '}`)
      .replace('http://localhost:9464', ops.url.replace(/\/$/, ''))
  }
  const runCommand = async (line: string): Promise<string> => {
    const [command = '', ...filters] = pipeline(await filled(line))
    const { code, stdout, output } = await kube.shell(command)
    assert.equal(code, 0, `${command}\n${output}`)
    if (!mayBeSilent.test(line)) assert.notEqual(stdout, '', `${command}\n${output}`)
    for (const pattern of filters.flatMap((filter) => grepPatterns(filter) ?? [])) {
      const exists = pattern.startsWith('"') ? new RegExp(pattern).test(logLine()) : sources.includes(pattern)
      assert.ok(exists, `no log line contains ${pattern}`)
    }
    return output
  }
  const runAll = async (lines: readonly string[]): Promise<void> => {
    assert.ok(lines.length > 0)
    for (const line of lines) await runCommand(line)
  }

  it('commands of README.md install the chart on a development cluster', async () => {
    await runAll(commandsOf('README.md'))
    const scaled = ['--values', 'k8s/values.yaml', '--set', 'defaults.replicas=null,defaults.autoscaling.enabled=true']
    // Twice, so that a rollback restores a revision with autoscalers.
    for (const _ of ['changed', 'unchanged']) {
      const { code, output } = await kube.helm(
        '-n',
        'postrider',
        'upgrade',
        'postrider',
        chart,
        ...scaled,
        '--wait',
        '--timeout',
        '2m',
      )
      assert.equal(code, 0, output)
    }
  })

  it('commands of the chart’s README.md install it in another namespace; its notes reach the gateway and run `helm test`', async () => {
    const [createNamespace = '', ...rest] = commandsOf(join(chart, 'README.md'))
    assert.match(createNamespace, /create namespace mail/)
    await kube.apply(restrictedNamespace('mail'))
    const notes = new Set<string>()
    for (const line of rest) {
      for (const noted of documentedCommands((await runCommand(line)).replaceAll(/^ {2}/gm, '    '))) notes.add(noted)
    }
    // The Job exists only after it has failed.
    const [forward = '', test = '', ...others] = [...notes].filter((line) => !line.includes('postrider-prepare'))
    assert.deepEqual(others, [])
    await runCommand(test)
    const port = await freePort()
    const { output } = await kube.shell(`timeout 5 ${forward.replace('8080:', `${port}:`)}`)
    assert.match(output, new RegExp(`Forwarding from 127.0.0.1:${port} -> 8080`))
  })

  for (const page of runbooks) {
    const lines = commandsOf(page)
    if (lines.length > 0) it(`commands of ${page} run without errors`, () => runAll(lines))
  }

  it('commands of docs/operations run without errors, even with KEDA', async () => {
    for (const file of await customResourceFiles()) await kube.kubectl('apply', '--server-side', '--filename', file)
    await runCommand('helm -n mail upgrade postrider … --set dispatcher.keda.enabled=true')
    for (const line of operations.flatMap((name) => commandsOf(`docs/operations/${name}.md`))) {
      // The Job exists only after it has failed.
      if (line.includes('job/'))
        await assert.rejects(runCommand(`helm -n mail upgrade postrider … --set ${brokenValues}`))
      await runCommand(line)
    }
  })
})
