import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { makeWebhookSecret, signedHeaders } from '@postrider/domain/webhooks/signature.ts'
import { freePort } from './support/freePort.ts'
import { root } from './support/project.ts'
import { skip } from './support/skip.ts'
import { until } from './support/until.ts'

const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')

/** Returns the program in docs/webhooks.md. */
const programIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? assert.fail(`no program in ${language}`)

const bytesOf = (fill: number) => (length: number) => new Uint8Array(length).fill(fill)
const [secret, former, other] = [7, 8, 9].map((fill) => makeWebhookSecret(bytesOf(fill))) as [string, string, string]
const body = '{"id":"evt_1","type":"email.delivered","data":{"recipient":"jürgen@example.com"}}'

type Request = { headers: Record<string, string>; body: string }

const signed = (secrets: string[], agoMs = 0): Request => ({
  headers: signedHeaders({ secrets, id: 'evt_1', at: Date.now() - agoMs, body }),
  body,
})

const withHeader = (name: string, value: string): Request => {
  const { headers } = signed([secret])
  return { headers: { ...headers, [name]: value }, body }
}

const signatureOf = ({ headers }: Request): string => headers['webhook-signature'] ?? ''

/** A receiver with `secret` accepts the first ones. */
const cases: [what: string, request: () => Request, isAccepted: boolean][] = [
  ['a genuine request', () => signed([secret]), true],
  ['the former of two secrets', () => signed([other, secret]), true],
  ['the newer of two secrets', () => signed([secret, former]), true],
  ['a clock that is 4 minutes ahead', () => signed([secret], -240_000), true],
  ['another secret', () => signed([other]), false],
  ['another body', () => ({ ...signed([secret]), body: body.replace('delivered', 'bounced') }), false],
  ['one more space in the body', () => ({ ...signed([secret]), body: `${body} ` }), false],
  ['another id', () => withHeader('webhook-id', 'evt_2'), false],
  ['another time', () => withHeader('webhook-timestamp', String(Math.floor(Date.now() / 1_000) - 1)), false],
  ['a time that is no number', () => withHeader('webhook-timestamp', 'x'), false],
  ['no time', () => withHeader('webhook-timestamp', ''), false],
  ['a request of 6 minutes ago', () => signed([secret], 360_000), false],
  ['a request of the future', () => signed([secret], -360_000), false],
  ['no signature', () => withHeader('webhook-signature', ''), false],
  [
    'a signature of another version',
    () => withHeader('webhook-signature', signatureOf(signed([secret])).replace('v1,', 'v2,')),
    false,
  ],
  ['a shortened signature', () => withHeader('webhook-signature', signatureOf(signed([secret])).slice(0, -8)), false],
]

const isThere = (program: string, args: string[]): boolean => spawnSync(program, args).status === 0

type Receiver = {
  name: string
  language: string
  file: string
  isThere: () => boolean
  /** Returns the command that runs the file. */
  command(folder: string): [program: string, args: string[]]
}

const receivers: Receiver[] = [
  {
    name: 'Node',
    language: 'js',
    file: 'receiver.mjs',
    isThere: () => true,
    command: (folder) => [process.execPath, [join(folder, 'receiver.mjs')]],
  },
  {
    name: 'Python',
    language: 'python',
    file: 'receiver.py',
    isThere: () => isThere('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']),
    command: (folder) => ['python3', [join(folder, 'receiver.py')]],
  },
  {
    name: 'Go',
    language: 'go',
    file: 'receiver.go',
    isThere: () => isThere('go', ['version']),
    command: (folder) => {
      const built = spawnSync('go', ['build', '-o', join(folder, 'receiver'), join(folder, 'receiver.go')], {
        env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' },
      })
      assert.equal(built.status, 0, String(built.stderr))
      return [join(folder, 'receiver'), []]
    },
  },
]

/** The first build of a Go program compiles the standard library. */
const buildMs = 600_000

describe('programs in docs/webhooks.md', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-webhooks-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const { name, language, file, isThere: isInstalled, command } of receivers)
    describe(name, () => {
      let child: ChildProcess | null = null
      let url = ''

      before(async function startReceiver() {
        this.timeout(buildMs)
        if (!isInstalled()) return skip(this, `${name} is not installed`)
        await writeFile(join(folder, file), programIn(language))
        const [program, args] = command(folder)
        const port = await freePort()
        url = `http://localhost:${port}/`
        const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), WEBHOOK_SECRET: secret }
        const started = spawn(program, args, { env, stdio: 'ignore' })
        child = started
        await until(`the receiver in ${name} listens`, async () => {
          assert.equal(started.exitCode, null, 'the receiver has ended')
          return fetch(url, { method: 'POST' }).then(
            () => true,
            () => undefined,
          )
        })
      })
      after(async () => {
        if (child === null) return
        const ended = once(child, 'exit')
        child.kill()
        await ended
      })

      for (const [what, request, isAccepted] of cases)
        it(`${isAccepted ? 'accepts' : 'refuses'} ${what}`, async () => {
          const answer = await fetch(url, { method: 'POST', ...request() })
          assert.equal(answer.status, isAccepted ? 204 : 401)
        })
    })

  describe('shell', () => {
    before(function needsOpenssl() {
      if (!isThere('openssl', ['version'])) skip(this, 'openssl is not installed')
    })

    for (const [what, request, isAccepted] of cases)
      it(`${isAccepted ? 'accepts' : 'refuses'} ${what}`, async () => {
        const { headers, body: sent } = request()
        await writeFile(join(folder, 'body.json'), sent)
        const { status, stdout, stderr } = spawnSync('sh', ['-e', '-u', '-c', programIn('sh')], {
          cwd: folder,
          env: {
            PATH: process.env['PATH'],
            WEBHOOK_SECRET: secret,
            ID: headers['webhook-id'],
            TIMESTAMP: headers['webhook-timestamp'],
            SIGNATURES: headers['webhook-signature'],
          },
        })
        assert.deepEqual([String(stdout), status], isAccepted ? ['accepted\n', 0] : ['refused\n', 1], String(stderr))
      })
  })
})
