import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { filesIn, isTest, testSupport } from '../architecture/sources.ts'
import { assertStoppedInTime, elapsedMs } from '../support/grace.ts'
import { skip } from '../support/skip.ts'
import { until } from '../support/until.ts'
import { run, skipSuiteIf, whyNoCommand } from './command.ts'
import {
  buildImage,
  isBuiltHere,
  mustDocker,
  type RunningContainer,
  runContainer,
  runToEnd,
  whyNoImage,
} from './docker.ts'

/** A build downloads npm packages. */
const buildMs = 600_000
const startMs = 60_000
const maxImageBytes = 300_000_000

/** Every program except standalone, which requires no variable. */
const processes = readdirSync('services').filter(
  (name) => name !== 'standalone' && existsSync(`services/${name}/main.ts`),
)

/** A quota service without its store. */
const quotaAlone = {
  POSTRIDER_WIRE_TOKEN: 'a-token-of-the-tests-that-is-long-enough',
  MONGODB_URL: 'mongodb://127.0.0.1:9',
}

type Settings = {
  Size: number
  Config: { User: string; Entrypoint: string[]; Cmd: string[]; Env: string[]; Labels: Record<string, string> }
}

/** Sends a request inside the container and returns status and body. */
const request = (
  container: RunningContainer,
  url: string,
  init: { method?: string; headers?: object; body?: string } = {},
) =>
  container.runInside<{ status: number; body: Record<string, unknown> }>(
    `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).catch(() => null)
     const text = await response?.text()
     console.log(JSON.stringify({ status: response?.status ?? 0, body: text?.startsWith('{') ? JSON.parse(text) : {} }))`,
  )

const untilReady = (container: RunningContainer, url: string) =>
  until(`${url} returns 200`, async () => ((await request(container, url)).status === 200 ? true : undefined), startMs)

describe('Dockerfile', () => {
  skipSuiteIf(() => whyNoCommand('hadolint', ['--version']))

  it('has no hadolint findings', async () => {
    const { code, output } = await run('hadolint', ['k8s/Dockerfile'])
    assert.equal(code, 0, output)
  })
})

/** Returns whether a source file is a test, a module of tests, or a program that writes generated files. */
const isForDevelopment = (file: string): boolean =>
  isTest(file) || testSupport.test(file) || (/\/write[A-Z]\w*\.ts$/.test(file) && generators.includes(file))

const generators = readFileSync('package.json', 'utf8')

// Regression: the image contained modules of tests and programs that write generated files, and its own test refused
// the documentation and modules of the test clock. It needs a container engine, so nothing showed that.
describe('.dockerignore', () => {
  it('leaves out of packages and services what only developers need', () => {
    const patterns = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('**/'))
    const files = [...filesIn('packages'), ...filesIn('services')]
    const omitted = files.filter((file) => patterns.some((pattern) => matchesGlob(file, pattern)))
    assert.ok(omitted.length > 0)
    assert.deepEqual(omitted, files.filter(isForDevelopment))
  })
})

describe('container image', () => {
  skipSuiteIf(whyNoImage)
  let image = ''
  let settings: Settings

  before(async function build() {
    this.timeout(buildMs)
    image = await buildImage()
    ;[settings] = JSON.parse(await mustDocker('image', 'inspect', image)) as [Settings]
  })

  it('is smaller than 300 MB', () => {
    assert.ok(settings.Size < maxImageBytes, `${settings.Size} bytes`)
  })

  it('runs as a numeric user other than root, without a shell, and has labels', () => {
    const { User, Entrypoint, Cmd, Env, Labels } = settings.Config
    assert.match(User, /^[1-9]\d*:[1-9]\d*$/)
    assert.deepEqual(Entrypoint, ['node'])
    assert.equal(Cmd.at(-1), 'services/standalone/main.ts')
    assert.ok(Env.includes('NODE_ENV=production'))
    for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
      assert.ok(Labels[`org.opencontainers.image.${label}`], label)
  })

  it('contains no tests or development tools and no writable file', async () => {
    const walk = `
      const { accessSync, constants, lstatSync, readdirSync } = require('node:fs')
      const all = readdirSync('.', { recursive: true })
      const writable = all.filter((name) => {
        if (lstatSync(name).isSymbolicLink()) return false
        try { accessSync(name, constants.W_OK); return true } catch { return false }
      })
      console.log(JSON.stringify({ all, writable }))`
    const { stdout, output } = await runToEnd({ image, command: ['-e', walk] })
    const { all, writable } = JSON.parse(stdout || JSON.stringify(output)) as { all: string[]; writable: string[] }
    const product = all.filter((name) => /^(packages|services)\//.test(name))
    const unneeded = /^node_modules\/(mocha|typescript|@biomejs|node-linux-\w+)\/|^(test|\.git)\//
    assert.deepEqual(
      all.filter((name) => unneeded.test(name) || isForDevelopment(name)),
      [],
    )
    assert.ok(product.length > 200, `${product.length} files`)
    assert.deepEqual(writable, [])
  })

  it('lists each installed package with its version in the SBOM', async () => {
    const read = `
      const sbom = JSON.parse(require('node:fs').readFileSync('sbom.cdx.json', 'utf8'))
      const installed = require('./node_modules/.package-lock.json').packages
      console.log(JSON.stringify({ sbom, installed }))`
    const { stdout } = await runToEnd({ image, command: ['-e', read] })
    type Component = { name: string; group?: string; version: string }
    const { sbom, installed } = JSON.parse(stdout) as {
      sbom: { bomFormat: string; components: Component[] }
      installed: Record<string, { version?: string; link?: true }>
    }
    assert.equal(sbom.bomFormat, 'CycloneDX')
    const listed = new Set(
      sbom.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
    )
    const missing = Object.entries(installed)
      .filter(([path, { link }]) => path.includes('node_modules/') && !link)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
      .filter((name) => !listed.has(name))
    assert.deepEqual(missing, [])
    assert.ok(listed.size > 100)
  })

  for (const service of processes) {
    it(`runs ${service} by command; without variables it exits with 2 and names the required ones`, async () => {
      const { code, output } = await runToEnd({ image, command: [`services/${service}/main.ts`] })
      assert.match(output, new RegExp(`^${service}: invalid configuration \\(\\d errors\\)`))
      assert.match(output, /MONGODB_URL: must be set|POSTRIDER_WIRE_TOKEN: must be set/)
      assert.equal(code, 2)
    })
  }

  it('runs standalone by default: accepts an email, drains on SIGTERM, and has the mail after a restart', async () => {
    await using container = await runContainer({ image })
    await untilReady(container, 'http://localhost:8080/readyz')
    const key = /pr_test_\w+/.exec(await container.output())?.[0] ?? assert.fail(await container.output())
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ to: ['ann@example.com'], subject: 'Hello', text: 'From a container.' })
    const emails = 'http://localhost:8080/api/v1/emails'
    const sent = await request(container, emails, { method: 'POST', headers, body })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    const delivered = async () => {
      const { body: email } = await request(container, `${emails}/${sent.body['id']}`, { headers })
      return email['status'] === 'delivered' ? email : undefined
    }
    await until('the mail is delivered', delivered, startMs)

    const programs = await container.programs()
    assert.equal(programs.length, 1, programs.join('\n'))
    assert.match(programs[0] ?? '', /node .*services\/standalone\/main\.ts$/)

    const page = await container.runInside<{ status: number; text: string }>(
      `const page = await fetch('http://localhost:8080/')
       console.log(JSON.stringify({ status: page.status, text: await page.text() }))`,
    )
    assert.deepEqual([page.status, /src="\/assets\//.test(page.text)], [200, true], page.text)

    assert.equal(await container.stop(), 0, await container.output())
    await container.start()
    await untilReady(container, 'http://localhost:8080/readyz')
    assert.ok(await delivered(), 'the mail is lost')
  })

  it('the image of the target development restarts a service when one of its files changes', async function () {
    this.timeout(buildMs)
    if (!isBuiltHere) skip(this, 'the image is given by POSTRIDER_TEST_IMAGE, not built here')
    const development = await buildImage('development')
    const command = ['--watch', '--watch-preserve-output', 'services/quota/main.ts']
    await using container = await runContainer({ image: development, env: quotaAlone, command, writable: true })
    await untilReady(container, 'http://localhost:9464/livez')
    await container.runInside(`
      import { appendFileSync } from 'node:fs'
      appendFileSync('packages/kit/run.ts', '// replaced')
      console.log('null')`)
    const restarted = async () => (/Gracefully restarted/.test(await container.output()) ? true : undefined)
    await until('the service restarts', restarted, startMs)
    assert.equal(await container.stop(), 0, await container.output())
  })

  it('runs a service without its store as alive and not ready; SIGTERM ends it with 0', async () => {
    await using container = await runContainer({ image, env: quotaAlone, command: ['services/quota/main.ts'] })
    const untilLive = () => untilReady(container, 'http://localhost:9464/livez')
    const firstMs = await elapsedMs(untilLive)
    assert.equal((await request(container, 'http://localhost:9464/readyz')).status, 503)
    const stopMs = await elapsedMs(async () => assert.equal(await container.stop(), 0, await container.output()))
    const startMs = await elapsedMs(async () => {
      await container.start()
      await untilLive()
    })
    assertStoppedInTime({ stopMs, startsMs: [firstMs, startMs] })
  })
})
