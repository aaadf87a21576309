import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { root } from '../support/project.ts'
import { useSystem } from '../support/suite.ts'

/** The parts of docs/recipes.md: name and blocks of code by language. The first part is the preparation. */
const recipes = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
  .split(/^## /m)
  .map((part) => ({
    name: part.split('\n', 1)[0] ?? '',
    blocks: [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code })),
  }))

const preparation = recipes[0]?.blocks[0]?.code ?? assert.fail('docs/recipes.md has no preparation')

/** What the commands of each recipe print. */
const expected: Readonly<Record<string, Partial<Record<string, RegExp>>>> = {
  'Send a file': { sh: /"object":"email","id":"em_.*"to":\["Jane Doe <jane@example\.com>"\]/ },
  'Schedule and cancel': { sh: /"status":"canceled"/ },
  'Read all pages of a list': { sh: /^"id":"em_[0-9a-z]+"$/m },
  'Follow the status': { sh: /^delivered$/m },
  'Try every outcome': { sh: /"object":"list".*bounced\+test1@simulator\.postrider\.dev/ },
  'See a schedule of 32 hours at once': { sh: /"object":"test_clock"[\s\S]*"status":"failed"/ },
  'Retry without sending twice': { sh: /not a replay[\s\S]*idempotent-replayed: true/i, js: /^em_\w+ \w+$/m },
  'Send from a template': { sh: /"subject":"Welcome, Jane"/ },
  'Change a template': {
    sh: /"version":2\n"version":1\n[\s\S]*< "text_body":"Hello \{\{name\}\}"[\s\S]*> "text_body":"Dear \{\{name\}\}"[\s\S]*"text_body":"Hello Jane"[\s\S]*"template_version":1[\s\S]*"version":3/,
  },
  'Send from your own domain': {
    sh: /"type":"TXT","name":"_postrider\.example\.com","value":"postrider-verification=[\s\S]*"problem":"[\s\S]*"notices":\["/,
  },
}

describe('docs/recipes.md', () => {
  const system = useSystem()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-recipes-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has an expectation for every recipe', () => {
    assert.deepEqual(
      recipes.slice(1).map(({ name }) => name),
      Object.keys(expected),
    )
  })

  for (const { name, blocks } of recipes.slice(1)) {
    for (const { language, code } of blocks) {
      it(`works as it is written: ${name} (${language})`, async () => {
        const { makeKey } = await system().client.tenant()
        const scopes = ['emails:send', 'emails:read', 'templates:write', 'domains:write']
        const api = await makeKey({ scopes, ...(code.includes('/test/clock') && { mode: 'test' }) })
        await api.call({
          path: '/api/v1/emails',
          json: { to: ['old@example.com'], subject: 'Old', text: 'Older mail.' },
        })
        const [program, args]: [string, string[]] =
          language === 'js'
            ? [process.execPath, ['--input-type=module', '-e', code]]
            : ['sh', ['-e', '-u', '-c', preparation + code]]
        const env = { PATH: process.env['PATH'], POSTRIDER_URL: system().client.url, POSTRIDER_KEY: api.key }
        const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
        const [out, problems, [exitCode]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'close'),
        ])
        assert.equal(exitCode, 0, `${problems}\n${out}`)
        assert.match(out, expected[name]?.[language] ?? assert.fail(`${name} has no expectation for ${language}`))
      })
    }
  }
})
