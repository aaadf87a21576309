import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { until } from '../support/until.ts'
import { runs, skippedWhere, whyNot } from './command.ts'
import { buildImage, type Contained, isBuiltHere, mustDocker, runContainer, runToEnd, whyNoImage } from './docker.ts'

/** A build fetches what npm installs. */
const buildMs = 600_000
const startMs = 60_000
const mostBytes = 300_000_000

/** Every process but standalone, which needs no setting. */
const processes = readdirSync('services').filter(
  (name) => name !== 'standalone' && existsSync(`services/${name}/main.ts`),
)

/** Where nobody else is. */
const quotaAlone = {
  POSTRIDER_WIRE_TOKEN: 'a-token-of-the-tests-that-is-long-enough',
  MONGODB_URL: 'mongodb://127.0.0.1:9',
}

type Settings = {
  Size: number
  Config: { User: string; Entrypoint: string[]; Cmd: string[]; Env: string[]; Labels: Record<string, string> }
}

/** Asks the service on its own loopback: `{ status, body }`. */
const ask = (container: Contained, url: string, request: { method?: string; headers?: object; body?: string } = {}) =>
  container.inside<{ status: number; body: Record<string, unknown> }>(
    `const answer = await fetch(${JSON.stringify(url)}, ${JSON.stringify(request)}).catch(() => null)
     const text = await answer?.text()
     console.log(JSON.stringify({ status: answer?.status ?? 0, body: text?.startsWith('{') ? JSON.parse(text) : {} }))`,
  )

const isReady = (container: Contained, url: string) =>
  until(`${url} answers 200`, async () => ((await ask(container, url)).status === 200 ? true : undefined), startMs)

describe('the Dockerfile', function () {
  this.timeout(60_000)
  skippedWhere(() => whyNot('hadolint', ['--version']))

  it('has nothing that hadolint finds', async () => {
    const { code, said } = await runs('hadolint', ['k8s/Dockerfile'])
    assert.equal(code, 0, said)
  })
})

describe('the image', function () {
  this.timeout(120_000)
  skippedWhere(whyNoImage)
  let image = ''
  let settings: Settings

  before(async function build() {
    this.timeout(buildMs)
    image = await buildImage()
    ;[settings] = JSON.parse(await mustDocker('image', 'inspect', image)) as [Settings]
  })

  it('is smaller than 300 MB', () => {
    assert.ok(settings.Size < mostBytes, `${settings.Size} bytes`)
  })

  it('is run as a number that is not root, without a shell, and says what it is', () => {
    const { User, Entrypoint, Cmd, Env, Labels } = settings.Config
    assert.match(User, /^[1-9]\d*:[1-9]\d*$/)
    assert.deepEqual(Entrypoint, ['node'])
    assert.equal(Cmd.at(-1), 'services/standalone/main.ts')
    assert.ok(Env.includes('NODE_ENV=production'))
    for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
      assert.ok(Labels[`org.opencontainers.image.${label}`], label)
  })

  it('holds what runs and no more, and nothing of it can be written', async () => {
    const walk = `
      const { accessSync, constants, lstatSync, readdirSync } = require('node:fs')
      const all = readdirSync('.', { recursive: true })
      const writable = all.filter((name) => {
        if (lstatSync(name).isSymbolicLink()) return false
        try { accessSync(name, constants.W_OK); return true } catch { return false }
      })
      console.log(JSON.stringify({ all, writable }))`
    const { out, said } = await runToEnd({ image, command: ['-e', walk] })
    const { all, writable } = JSON.parse(out || JSON.stringify(said)) as { all: string[]; writable: string[] }
    const ours = all.filter((name) => /^(packages|services)\//.test(name))
    const idle =
      /\.(test|conformance)\.ts$|\/(fakes|test[A-Z]\w*|write[A-Z]\w*)\.ts$|^node_modules\/(mocha|typescript|@biomejs|node-linux-\w+)\/|^(test|docs|\.git)\//
    assert.deepEqual(
      all.filter((name) => idle.test(name)),
      [],
    )
    assert.ok(ours.length > 200, `${ours.length} files`)
    assert.deepEqual(writable, [])
  })

  it('lists its parts: each package that is installed, by name and version', async () => {
    const read = `
      const parts = JSON.parse(require('node:fs').readFileSync('sbom.cdx.json', 'utf8'))
      const here = require('./node_modules/.package-lock.json').packages
      console.log(JSON.stringify({ parts, here }))`
    const { out } = await runToEnd({ image, command: ['-e', read] })
    type Part = { name: string; group?: string; version: string }
    const { parts, here } = JSON.parse(out) as {
      parts: { bomFormat: string; components: Part[] }
      here: Record<string, { version?: string; link?: true }>
    }
    assert.equal(parts.bomFormat, 'CycloneDX')
    const listed = new Set(
      parts.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
    )
    const missing = Object.entries(here)
      .filter(([path, { link }]) => path.includes('node_modules/') && !link)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
      .filter((part) => !listed.has(part))
    assert.deepEqual(missing, [])
    assert.ok(listed.size > 100)
  })

  for (const service of processes) {
    it(`is ${service} where told so: with nothing set it ends with 2 and says what must be`, async () => {
      const { code, said } = await runToEnd({ image, command: [`services/${service}/main.ts`] })
      assert.match(said, new RegExp(`^${service}: invalid configuration \\(\\d errors\\)`))
      assert.match(said, /MONGODB_URL: must be set|POSTRIDER_WIRE_TOKEN: must be set/)
      assert.equal(code, 2)
    })
  }

  it('is standalone where told nothing: takes a mail, drains on SIGTERM, and has it when it starts again', async () => {
    await using container = await runContainer({ image })
    await isReady(container, 'http://localhost:8080/readyz')
    const key = /pr_test_\w+/.exec(await container.said())?.[0] ?? assert.fail(await container.said())
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ to: ['ann@example.com'], subject: 'Hello', text: 'From a container.' })
    const emails = 'http://localhost:8080/api/v1/emails'
    const sent = await ask(container, emails, { method: 'POST', headers, body })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    const delivered = async () => {
      const { body: email } = await ask(container, `${emails}/${sent.body['id']}`, { headers })
      return email['status'] === 'delivered' ? email : undefined
    }
    await until('the mail is delivered', delivered, startMs)

    const programs = await container.programs()
    assert.equal(programs.length, 1, programs.join('\n'))
    assert.match(programs[0] ?? '', /node .*services\/standalone\/main\.ts$/)

    assert.equal(await container.stop(), 0, await container.said())
    await container.start()
    await isReady(container, 'http://localhost:8080/readyz')
    assert.ok(await delivered(), 'the mail is gone')
  })

  it('of development starts a service again when a file of it is replaced', async function () {
    this.timeout(buildMs)
    if (!isBuiltHere) this.skip()
    const development = await buildImage('development')
    const command = ['--watch', '--watch-preserve-output', 'services/quota/main.ts']
    await using container = await runContainer({ image: development, env: quotaAlone, command, writable: true })
    await isReady(container, 'http://localhost:9464/livez')
    await container.inside(`
      import { appendFileSync } from 'node:fs'
      appendFileSync('packages/kit/run.ts', '// replaced')
      console.log('null')`)
    const again = async () => (/Gracefully restarted/.test(await container.said()) ? true : undefined)
    await until('it starts again', again, startMs)
    assert.equal(await container.stop(), 0, await container.said())
  })

  it('as a service of a cluster lives without its store, and ends with 0 when told to', async () => {
    await using container = await runContainer({ image, env: quotaAlone, command: ['services/quota/main.ts'] })
    await isReady(container, 'http://localhost:9464/livez')
    assert.equal((await ask(container, 'http://localhost:9464/readyz')).status, 503)
    const began = performance.now()
    assert.equal(await container.stop(), 0, await container.said())
    assert.ok(performance.now() - began < 25_000)
  })
})
