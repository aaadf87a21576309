import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patientAddress } from '../support/patientAddress.ts'
import { partsOf, runProgram, runPrograms } from '../support/programs.ts'
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

  const guides = Object.keys(expected).map((guide) => {
    const [first, ...parts] = partsOf(`docs/guides/${guide}.md`)
    const preparation = first?.blocks[0]?.code ?? assert.fail(`${guide} has no preparation`)
    return { guide, preparation, parts: parts.filter(({ blocks }) => blocks.length > 0) }
  })

  for (const { guide, parts } of guides) {
    it(`${guide}: each part with programs has an expectation for each language`, () =>
      assert.deepEqual(
        parts.map(({ name, blocks }) => [name, blocks.map(({ language }) => language)]),
        Object.entries(expected[guide] ?? {}).map(([name, byLanguage]) => [name, Object.keys(byLanguage)]),
      ))
  }

  /** Makes a workspace with an older email. Returns the environment of a program. */
  const prepare = async (url: string): Promise<Record<string, string>> => {
    const { makeKey } = await system().client.tenant({ rate: 'plan', burst: 'plan' })
    const api = await makeKey({ mode: 'test' })
    const json = { to: ['old@example.com'], subject: 'Old', text: 'Older mail.' }
    await api.call({ path: '/api/v1/emails', json })
    return { POSTRIDER_URL: url, POSTRIDER_KEY: api.key }
  }

  const all = guides.flatMap(({ guide, preparation, parts }) =>
    parts.flatMap(({ name, blocks }) =>
      blocks.map(({ language, code }) => ({
        name: `${guide}: ${name} (${language})`,
        language,
        code: language === 'sh' ? preparation + code : code,
        wanted: expected[guide]?.[name]?.[language],
      })),
    ),
  )

  for (const { name, language, code, wanted } of all.filter((one) => one.language === 'sh'))
    it(`works as it is written: ${name}`, async () => {
      await using address = await patientAddress(system())
      const env = await prepare(address.url)
      const { out, problems, exitCode } = await runProgram({ language, code, env, cwd: folder })
      assert.equal(exitCode, 0, `${problems}\n${out}`)
      assert.match(out, wanted ?? assert.fail('no expectation'))
    })

  for (const language of ['js', 'python'] as const)
    it(`work as they are written in ${language}`, async () => {
      await using address = await patientAddress(system())
      const programs = all.filter((one) => one.language === language)
      const envs = await Promise.all(programs.map(() => prepare(address.url)))
      const outs = await runPrograms(
        language,
        programs.map(({ code }, index) => ({ code, env: envs[index] ?? {} })),
        folder,
      )
      const wrong = programs.flatMap(({ name, wanted }, index) =>
        wanted?.test(outs[index] ?? '') ? [] : [{ name, wanted, printed: outs[index] }],
      )
      assert.deepEqual(wrong, [])
    })
})
