import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patientAddress } from '../support/patientAddress.ts'
import { partsOf, runProgram } from '../support/programs.ts'
import { useSystem } from '../support/suite.ts'

/** The first part is the preparation. */
const recipes = partsOf('docs/recipes.md')

const preparation = recipes[0]?.blocks[0]?.code ?? assert.fail('docs/recipes.md has no preparation')

/** What the commands of each recipe print. */
const expected: Readonly<Record<string, Partial<Record<string, RegExp>>>> = {
  'Send a file': { sh: /"object":"email","id":"em_.*"to":\["Jane Doe <jane@example\.com>"\]/ },
  'Schedule and cancel': { sh: /"status":"canceled"/ },
  'Read all pages of a list': { sh: /^"id":"em_[0-9a-z]+"$/m },
  'Follow the status': { sh: /^delivered$/m },
  'Try every outcome': { sh: /"object":"list".*bounced\+test1@simulator\.postrider\.dev/ },
  'See a schedule of 32 hours in seconds': { sh: /"object":"test_clock"[\s\S]*"status":"failed"/ },
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
        await using address = await patientAddress(system())
        const { out, problems, exitCode } = await runProgram({
          language,
          code: language === 'js' ? code : preparation + code,
          env: { POSTRIDER_URL: address.url, POSTRIDER_KEY: api.key },
          cwd: folder,
        })
        assert.equal(exitCode, 0, `${problems}\n${out}`)
        assert.match(out, expected[name]?.[language] ?? assert.fail(`${name} has no expectation for ${language}`))
      })
    }
  }
})
