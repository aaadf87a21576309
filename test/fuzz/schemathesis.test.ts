import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { run } from '../kube/command.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'
import { type Credentials, credentialsOf, operatorCredentials } from './world.ts'

/* Runs schemathesis, a fuzzer of another project, with the served document. */

const python = (args: readonly string[]) => run('python3', args)

/** A value whose form is right may be refused for its meaning, which no schema expresses. */
const meaning = 'positive_data_acceptance'

const bySession = '/(billing|account|members|workspaces?|api-keys|audit-log)(/|$)'

/** Operations with the credentials that they need. Only reads where a change would end the session. */
const runs: readonly [name: string, by: 'key' | 'session' | 'operator', filter: readonly string[], excluded: string][] =
  [
    [
      'operations of keys',
      'key',
      ['--exclude-path-regex', `(/operator/|/auth/|/erasures|${bySession})`, '--exclude-operation-id', 'validateEmail'],
      meaning,
    ],
    // A refused body is its result.
    [
      'the validation of a message',
      'key',
      ['--include-operation-id', 'validateEmail'],
      `${meaning},negative_data_rejection`,
    ],
    [
      'reads by session',
      'session',
      ['--include-method', 'GET', '--include-path-regex', `^/api/v1${bySession}`],
      meaning,
    ],
    ['reads by the operator', 'operator', ['--include-method', 'GET', '--include-path-regex', '/operator/'], meaning],
  ]

describe('schemathesis', function schemathesis() {
  // The deadline only ends a run that hangs.
  this.timeout(3_600_000)
  before(async function findProgram() {
    if (process.env['POSTRIDER_FUZZ'] !== 'long') skip(this, 'schemathesis runs in the long form of the fuzz test')
    const { code, output } = await python(['-m', 'schemathesis.cli', '--version'])
    if (code !== 0) skip(this, `python3 has no schemathesis: ${output.trim().split('\n').at(-1)}`)
  })
  const system = useSystem()

  for (const [name, by, filter, excluded] of runs)
    it(`finds nothing in ${name}`, async () => {
      const { client } = system()
      const tenant = await client.tenant()
      const { key } = await tenant.makeKey({ scopes: [...scopes] })
      const credentials: Record<typeof by, Credentials> = {
        key: { authorization: `Bearer ${key}` },
        session: credentialsOf(tenant.session),
        operator: operatorCredentials(),
      }
      const seed = Number(process.env['POSTRIDER_FUZZ_SEED'] ?? randomInt(2 ** 31))
      const { code, output } = await python([
        ...['-m', 'schemathesis.cli', 'run', `${client.url}/api/v1/openapi.json`, '--url', client.url],
        ...Object.entries(credentials[by]).flatMap(([header, value]) => ['-H', `${header}: ${value}`]),
        // A response of events may wait for 25 seconds.
        ...['--request-timeout', '60'],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '20', '--no-shrink', '--seed', String(seed)],
        ...[
          '--exclude-checks',
          excluded,
          '--suppress-health-check',
          'all',
          '--warnings',
          'off',
          '--continue-on-failure',
        ],
        ...filter,
      ])
      assert.equal(code, 0, output.slice(-20_000))
    })
})
