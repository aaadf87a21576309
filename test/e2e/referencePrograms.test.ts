import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { Caller } from '../support/client.ts'
import { patientAddress } from '../support/patientAddress.ts'
import { runProgram, runPrograms } from '../support/programs.ts'
import { useSystem } from '../support/suite.ts'

/** Operations whose first example needs nothing that exists: their programs are run. */
const runnable = [
  ...['sendEmail', 'sendBatch', 'validateEmail', 'listEmails', 'readStats', 'listEvents'],
  ...['listTemplates', 'previewDraft', 'listDomains', 'listWebhooks'],
]

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&([a-z0-9#]+);/g, (whole, name) => entities[name] ?? whole)

type Program = { operation: string; language: 'curl' | 'node' | 'python'; code: string }

const programsIn = (page: string): Program[] =>
  page.split('<section class="operation" aria-labelledby="').flatMap((part) =>
    [...part.matchAll(/<pre[^>]* data-language="(\w+)"><code>(.*?)<\/code><\/pre>/gs)].map(
      ([, language, code = '']): Program => ({
        operation: part.slice(0, part.indexOf('"')),
        language: language as Program['language'],
        code: textOf(code),
      }),
    ),
  )

describe('programs of the reference', () => {
  const system = useSystem()
  let api: Caller & { key: string }
  let programs: Program[] = []
  /** The address in the programs; a system of the tests may listen elsewhere. */
  let shownUrl = ''
  const stack = new AsyncDisposableStack()
  after(() => stack.disposeAsync())

  before(async () => {
    const { client } = system()
    const { makeKey } = await client.tenant()
    api = await makeKey({
      mode: 'test',
      scopes: ['emails:send', 'emails:read', 'templates:write', 'domains:write', 'webhooks:write'],
    })
    const { text: home } = await client.call({ path: '/docs', headers: { accept: 'text/html' } })
    const areas = new Set([...home.matchAll(/href="(\/docs\/reference\/[a-z-]+)"/g)].map(([, path = '']) => path))
    for (const path of areas) {
      const { text } = await client.call({ path, headers: { accept: 'text/html' } })
      programs.push(...programsIn(text))
    }
    shownUrl = /https?:\/\/[^/\s]+/.exec(programs[0]?.code ?? '')?.[0] ?? ''
    const { url } = stack.use(await patientAddress(system()))
    programs = programs.map((one) => ({ ...one, code: one.code.replaceAll(shownUrl, url) }))
  })

  const run = (language: string, code: string, input?: string) =>
    runProgram({ language, code, env: {}, cwd: tmpdir(), ...(input !== undefined && { input }) })

  it('can be read by their languages', async () => {
    const of = (wanted: Program['language']) =>
      programs.filter(({ language }) => language === wanted).map(({ code }) => code)
    assert.ok(of('curl').length > 100)
    assert.equal(of('curl').length, of('python').length)
    const functions = of('node').map((code) => `async () => {\n${code}\n}`)
    for (const { problems, exitCode } of [
      await run('sh', 'sh -n', of('curl').join('\n')),
      await run('js', `[${functions.join(',\n')}]`),
      await run(
        'python',
        'import json, sys\nfor one in json.load(sys.stdin): compile(one, "p", "exec")',
        JSON.stringify(of('python')),
      ),
    ])
      assert.equal(exitCode, 0, problems)
  })

  const codesIn = (wanted: Program['language']) =>
    runnable.map((operation) => {
      const program = programs.find((one) => one.operation === operation && one.language === wanted)
      return program?.code.replaceAll('YOUR_API_KEY', api.key) ?? assert.fail(`no program for ${operation}`)
    })

  it('do what they show with curl', async () => {
    for (const code of codesIn('curl')) {
      const { out, problems, exitCode } = await run('sh', code)
      assert.equal(exitCode, 0, problems)
      assert.match(out, /^\{"object":/, code)
    }
  })

  for (const [name, language] of [
    ['node', 'js'],
    ['python', 'python'],
  ] as const)
    it(`do what they show in ${name}`, async () => {
      const codes = codesIn(name)
      const outs = await runPrograms(
        language,
        codes.map((code) => ({ code, env: {} })),
        tmpdir(),
      )
      for (const [index, out] of outs.entries()) assert.match(out, /^20[0-2] \{"object":/, `${codes[index]}\n${out}`)
    })
})
