import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patientAddress } from '../support/patientAddress.ts'
import { type DocumentedPart, partsOf, runProgram } from '../support/programs.ts'
import { useSystem } from '../support/suite.ts'

/** What the programs of each guide print, by part. */
const expected: Readonly<Record<string, Record<string, Partial<Record<string, RegExp>>>>> = {
  quickstart: {
    'Send an email': { sh: /"object":"email","id":"em_\w+"/, js: /^202 \{/, python: /^202 \{"object":"email"/ },
    'Follow it': { sh: /"object":"list".*"id":"em_\w+"/, js: /^em_\w+ \w+$/m, python: /^em_\w+ \w+$/m },
  },
  idempotency: {
    'Send with a key': {
      sh: /^("id":"em_\w+") replayed: 0\n\1 replayed: 1$/m,
      js: /id: '(em_\w+)', replayed: false[\s\S]*id: '\1', replayed: true/,
      python: /^\('(em_\w+)', False\)\n\('\1', True\)$/m,
    },
  },
  quotas: { 'Read what is left': { sh: /^ratelimit: "/im, js: /^RateLimit: "/m, python: /^RateLimit: "/m } },
  errors: {
    'Read an error': {
      sh: /"code":"validation_failed"[\s\S]*"path":"to\[1\]"/,
      js: /^422 validation_failed req_\w+\n[\s\S]*^to\[1\]: \w+: /m,
      python: /^422 validation_failed req_\w+\n[\s\S]*^to\[1\]: \w+: /m,
    },
  },
  testing: {
    'See a bounce': { sh: /^"status":"bounced"$/m, js: /^bounced$/m, python: /^bounced$/m },
    'Check without sending': { sh: /"would_send":true/ },
  },
}

describe('programs of docs/guides', () => {
  const system = useSystem()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-guides-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const [guide, results] of Object.entries(expected)) {
    const [first, ...parts] = partsOf(`docs/guides/${guide}.md`)
    const preparation = first?.blocks[0]?.code ?? assert.fail(`${guide} has no preparation`)
    const withPrograms = parts.filter(({ blocks }) => blocks.length > 0)

    it(`${guide}: each part with programs has an expectation for each language`, () =>
      assert.deepEqual(
        withPrograms.map(({ name, blocks }) => [name, blocks.map(({ language }) => language)]),
        Object.entries(results).map(([name, byLanguage]) => [name, Object.keys(byLanguage)]),
      ))

    const run = async (name: string, { language, code }: DocumentedPart['blocks'][number]): Promise<void> => {
      const { makeKey } = await system().client.tenant({ rate: 'plan', burst: 'plan' })
      const api = await makeKey({ mode: 'test' })
      const json = { to: ['old@example.com'], subject: 'Old', text: 'Older mail.' }
      await api.call({ path: '/api/v1/emails', json })
      await using address = await patientAddress(system())
      const { out, problems, exitCode } = await runProgram({
        language,
        code: language === 'sh' ? preparation + code : code,
        env: { POSTRIDER_URL: address.url, POSTRIDER_KEY: api.key },
        cwd: folder,
      })
      assert.equal(exitCode, 0, `${problems}\n${out}`)
      assert.match(out, results[name]?.[language] ?? assert.fail(`${name} has no expectation for ${language}`))
    }
    for (const { name, blocks } of withPrograms)
      for (const block of blocks)
        it(`${guide}: works as it is written: ${name} (${block.language})`, () => run(name, block))
  }
})
