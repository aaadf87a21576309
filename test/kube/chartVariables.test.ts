import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { helm, whyNoHelm } from '../../charts/gen/helm.ts'
import { services, variablesOf } from '../../charts/gen/programs.ts'
import { skipSuiteIf } from './command.ts'
import { chart } from './manifests.ts'

/** Values by variable, valid and invalid; the program that reads the variable decides which. */
const values: Record<string, readonly string[]> = {
  POSTRIDER_SENDER: [
    'mail@example.com',
    'Mail <mail@example.com>',
    '"Doe, Jane" <j@example.com>',
    '"a \\" b" <j@example.com>',
    'Jörg <jorg@bücher.example>',
    '<mail@example.com>',
    'mail@localhost',
    'mail@example.com.',
    "o'neil+tag@example.com",
    '`tick`@example.com',
    'Example',
    'mail@',
    '@example.com',
    'a@b@example.com',
    'mail@10.0.0.1',
    'mail@[10.0.0.1]',
    'jörg@example.com',
    '"quoted"@example.com',
    'a..b@example.com',
    '.a@example.com',
    'mail@exa mple.com',
    'mail@-example.com',
    'mail@example..com',
    'Doe, Jane <mail@example.com>',
    'Mail <mail@example.com',
    'mail@example.com>',
    'Mail <mail@example.com> x',
    'a@example.com, b@example.com',
    `${'x'.repeat(65)}@example.com`,
  ],
  POSTRIDER_PUBLIC_URL: [
    'https://mail.example.com',
    'https://mail.example.com/',
    'http://localhost:8080',
    'HTTPS://Mail.Example.com:8443',
    'https://[fd00::1]:8443',
    'http://10.0.0.1',
    'mail.example.com',
    'ftp://mail.example.com',
    'https://',
    'https:///',
    'https://mail.example.com/app',
    'https://mail.example.com?a=b',
    'https://mail.example.com:70000',
    'https://mail example.com',
    'https//mail.example.com',
  ],
  POSTRIDER_TRUSTED_PROXIES: [
    '10.0.0.0/8',
    '10.0.0.1',
    '10.0.0.1, 10.0.0.2,',
    '::1',
    'fd00::/8',
    '::/0',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '::ffff:10.0.0.0/104',
    '1:2:3:4:5:6:10.0.0.1',
    'ingress-nginx',
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.01',
    '::1/129',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    ':::',
    '[::1]',
    '10.0.0.1/',
    '10.0.0.0/8/8',
  ],
  POSTRIDER_REFUSED_HEADERS: [
    'x-relay-',
    'X_Relay, x-route',
    ',',
    'x relay',
    'x-relay:',
    '-x',
    'ü',
    'x-(',
    'x'.repeat(77),
  ],
  KAFKA_BROKERS: [
    'kafka:9092',
    'a:9092, b:9092',
    '[fd00::1]:9092',
    '10.0.0.1:9092,',
    'kafka',
    'kafka:',
    'kafka:0',
    'kafka:123456',
    'kafka://kafka:9092',
    'a:9092,b',
    'a:9092;b:9092',
    ' , ',
  ],
  POSTRIDER_DNS: [
    '10.96.0.10:53',
    '10.0.0.53:53, [fd00::53]:5353,',
    'resolver.example.com:53',
    '10.0.0.53:65535',
    '10.0.0.53',
    '10.0.0.53:0',
    '10.0.0.53:65536',
    '10.0.0.53:53,10.0.0.54:99999',
    'fd00::53:53 x',
    'udp://10.0.0.53:53',
    ' , ',
  ],
  POSTRIDER_BOUNCE_DOMAIN: [
    'bounces.example.com',
    'Bounces.Example.com.',
    'bounces.bücher.example',
    'bounces',
    'bounces.',
    'bounces..example.com',
    '-bounces.example.com',
    'bounces.example.com/x',
    'mail@example.com',
    '10.0.0.1',
    'bounces.0x1',
    `${'x'.repeat(64)}.example.com`,
  ],
  POSTRIDER_ROUTE: [
    'mailbox:',
    'smtp://relay.example.com',
    'smtp://relay.example.com:587',
    'smtps://relay:465?tls=required',
    'smtp://relay:25/?tls=unverified',
    'smtp://[fd00::1]:25',
    'smtp://user:p%40ss@relay:587?tls=required',
    'smtp://relay:25?tls=yes',
    'smtp://relay:25?tls=required&a=b',
    'smtp://relay:25/path',
    'smtp://relay:25#x',
    'smtp://relay:0',
    'smtp://relay:70000',
    'smtp://',
    'smtp://user@relay:25',
    'smtp://user:p#ss@relay:25',
    'smtp://user:p/ss@relay:25',
    'smtp://user:p%ss@relay:25',
    'smtp://bücher:25',
  ],
  MONGODB_URL: [
    'mongodb://mongodb:27017/postrider?replicaSet=rs0',
    'mongodb+srv://user:p%40ss@cluster.example.com/',
    'mongodb://a:1,b:2/x',
    'mongodb://[::1]:27017',
    'mongodb://user:p#ss@host',
    'mongodb://user:p/ss@host',
    'mongodb://user:p@ss@host',
    'mongodb://user:p%ss@host',
    'mongodb://',
    'mongodb://host:x',
    'mongodb://host name',
  ],
  REDIS_URL: [
    'redis://redis:6379',
    'rediss://:p%23ss@redis:6379/0',
    'redis://redis',
    'redis://[::1]:6379',
    'redis://:p#ss@redis',
    'redis://:p/ss@redis',
    'redis://:p%ss@redis',
    'redis://redis:x',
    'redis://redis/db',
  ],
  POSTRIDER_WIRE_TOKEN: [
    't'.repeat(32),
    `${'t'.repeat(32)}, ${'u'.repeat(40)}`,
    `${'t'.repeat(32)},short`,
    `${'t'.repeat(20)} ${'t'.repeat(20)}`,
  ],
}

describe('variables in the values of the chart', () => {
  skipSuiteIf(async () => whyNoHelm())

  // One render checks all values: a copy of the chart has a template that prints what it refuses.
  let copy = ''
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'postrider-variables-'))
    cpSync(chart, copy, { recursive: true })
    const cases = Object.entries(values).flatMap(([variable, all]) => all.map((value) => ({ variable, value })))
    writeFileSync(join(copy, 'files/cases.yaml'), JSON.stringify({ cases }))
    writeFileSync(
      join(copy, 'templates/cases.yaml'),
      `refused:
{{- range (.Files.Get "files/cases.yaml" | fromYaml).cases }}
  - {{ trim (include "postrider.refusals.variable" (dict "at" "at" "variable" .variable "value" .value)) | toJson }}
{{- end }}
`,
    )
  })
  after(() => rmSync(copy, { recursive: true, force: true }))

  it('are refused exactly if the program that reads them would end with an error', () => {
    const text = helm('template', copy, '--show-only', 'templates/cases.yaml')
    const { refused } = parseDocument(text).toJS() as { refused: string[] }
    const schemas = Object.assign({}, ...Object.values(services).map(variablesOf)) as ReturnType<typeof variablesOf>
    const differences = Object.entries(values).flatMap(([variable, all]) =>
      all.flatMap((value) => {
        const isRefused = refused.shift() !== ''
        const isValid = schemas[variable]?.safeParse(value).success
        if (isRefused !== isValid) return []
        return [`${variable}=${value}: ${isRefused ? 'the chart refuses it' : 'only the program refuses it'}`]
      }),
    )
    assert.deepEqual(differences, [])
  })
})
