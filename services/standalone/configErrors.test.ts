import assert from 'node:assert/strict'
import { readConfig } from '@postrider/kit/config.ts'
import { Config as Prepare } from '@postrider/prepare/config.ts'
import { z } from 'zod'
import { clusterConfigs, Config as Standalone } from './config.ts'

const programs: Record<string, z.ZodObject> = { standalone: Standalone, ...clusterConfigs, prepare: Prepare }

type Json = { type?: string; minimum?: number; maximum?: number; enum?: string[] }

/** Every setting once per program that reads it. */
const settings = Object.entries(programs).flatMap(([program, config]) =>
  Object.entries(config.shape as unknown as Record<string, z.ZodType>).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
    return { program, name, config, json }
  }),
)

/** Settings that another one bounds, with a value of it that allows their whole range. */
const together: Record<string, Record<string, string>> = {
  POSTRIDER_BODY_MEMORY_MIB: { POSTRIDER_MAX_BODY_MIB: '1' },
  POSTRIDER_CALL_MEMORY_MIB: { POSTRIDER_MAX_MESSAGE_MIB: '1' },
  POSTRIDER_MESSAGE_MEMORY_MIB: { POSTRIDER_MAX_MESSAGE_MIB: '1' },
}

/** Returns the errors of one variable, without its name. */
const errorsOf = (config: z.ZodObject, name: string, value: string): string[] => {
  const read = readConfig(config, { ...together[name], [name]: value })
  const prefix = `${name}: `
  return ('errors' in read ? read.errors : []).flatMap((error) =>
    error.startsWith(prefix) ? [error.slice(prefix.length)] : [],
  )
}

const encodes = /write '#', '\/', '\?', '@' and '%' in user and password as %23, %2F, %3F, %40 and %25/

/** Settings that are neither numbers nor words: wrong values, and what the error must contain. */
const texts: Record<string, [wrong: string[], expected: RegExp[]]> = {
  POSTRIDER_HOST: [
    ['example.com', '1.2.3', '*'],
    [/localhost or an IP address/, /0\.0\.0\.0 or ::/],
  ],
  POSTRIDER_ROUTE: [
    [
      'smtp://user:pa/ss@host',
      'smtp://user:pa#ss@host',
      'smtp://user:pa?ss@host',
      'http://host',
      'ftp://x',
      'host:25',
      'smtp://',
    ],
    [/smtp:\/\/user:password@smtp\.example\.com:587\?tls=required/, encodes],
  ],
  POSTRIDER_SENDER: [['nobody', 'a@b@c', 'Mail <mail@>'], [/such as "Mail <mail@example\.com>"/]],
  POSTRIDER_STRIPE_SECRET_KEY: [
    ['pk_live_0123456789', 'sk_prod_0123456789', 'key'],
    [/such as sk_live_0123456789abcdef/],
  ],
  POSTRIDER_STRIPE_WEBHOOK_SECRET: [['we_0123456789', 'whsec-0123456789'], [/such as whsec_0123456789abcdef/]],
  POSTRIDER_STRIPE_API: [
    ['api.stripe.com', 'https://api.stripe.com/v1', 'ftp://a'],
    [/such as https:\/\/api\.stripe\.com/],
  ],
  POSTRIDER_BOUNCE_DOMAIN: [
    ['bounces', 'localhost', 'a b.example.com', 'a@example.com', 'https://bounces.example.com', '192.0.2.1'],
    [/such as bounces\.example\.com/],
  ],
  POSTRIDER_DNS: [
    [
      'dns',
      'dns:0',
      '127.0.0.1',
      '::1:53',
      'dns://127.0.0.1:53',
      'udp://127.0.0.1:53',
      '127.0.0.1:65536',
      '127.0.0.1:70000',
    ],
    [/127\.0\.0\.1:53|ports of 1 to 65535/],
  ],
  POSTRIDER_OPERATOR_TOKEN: [
    // Regression: these were accepted, although a header cannot carry it: the operator API then refused every request.
    ['short', 'two words of a token', 'token\twith a tab inside', 'token-of-the-operatör', ' '.repeat(20)],
    [/at least 16 characters/],
  ],
  POSTRIDER_SECRET: [['short'], [/at least 32 characters/]],
  POSTRIDER_TRUSTED_PROXIES: [
    ['10.0.0.0/33', 'proxy', '10.0.0.1;10.0.0.2'],
    [/comma-separated, such as 10\.0\.0\.0\/8/],
  ],
  POSTRIDER_WEBHOOK_ALLOW: [
    ['10.0.0.0/33', 'receiver', '10.0.0.1;10.0.0.2'],
    [/comma-separated, such as 10\.0\.0\.0\/8/],
  ],
  POSTRIDER_WEBHOOK_PORTS: [['0', 'https', '443;8443', '65536'], [/of 1 to 65535, comma-separated, such as 443,8443/]],
  POSTRIDER_REFUSED_HEADERS: [['x relay', 'x-relay:'], [/comma-separated, such as x-relay-/]],
  POSTRIDER_PUBLIC_URL: [
    [
      ...[
        'mail.example.com',
        'ftp://mail.example.com',
        'https://mail.example.com/mail',
        'https://mail.example.com?a=b',
      ],
      // A login and a fragment were dropped.
      ...['https://ada:secret@mail.example.com', 'https://ada@mail.example.com', 'https://mail.example.com#a'],
    ],
    [/http\(s\):\/\/host\[:port\] without a path, such as https:\/\/mail\.example\.com/],
  ],
  ...Object.fromEntries(
    ['SEND', 'READ', 'WRITE', 'WORKSPACE'].map((kind) => [
      `POSTRIDER_${kind}_RATE`,
      [['10', '0/1', '1/0', '10/1000000', 'a/b', '1.5/2'], [/each 1 to 999999, such as 10\/20/]],
    ]),
  ),
  ...Object.fromEntries(
    ['', '_GATEWAY', '_INTAKE', '_ACCOUNTS'].map((caller) => [
      `POSTRIDER_WIRE_TOKEN${caller}`,
      [['short', 'two words that are together longer than 32 characters'], [/at least 32 characters/]],
    ]),
  ),
  ...Object.fromEntries(
    ['ACCOUNTS', 'TEMPLATES', 'QUOTA', 'INTAKE', 'DOMAINS', 'WEBHOOKS'].map((service) => [
      `POSTRIDER_${service}`,
      [['host', 'host:0', 'http://host:1'], [new RegExp(`such as ${service.toLowerCase()}:50051`)]],
    ]),
  ),
  MONGODB_URL: [
    ['db:27017', 'mongodb://user:pa/ss@host', 'mongodb://user:pa#ss@host', 'mongodb://host:port'],
    [/mongodb:\/\/user:password@host:27017\/postrider/],
  ],
  REDIS_URL: [
    ['cache:6379', 'redis://:pa/ss@host', 'redis://:pa#ss@host', 'redis://host:port'],
    [/redis:\/\/:password@host:6379/],
  ],
  KAFKA_BROKERS: [['kafka', 'kafka:0', 'kafka://kafka:9092'], [/host:port, comma-separated, such as kafka:9092/]],
  POSTRIDER_INSTALLATION: [
    ['a b', 'mail/', '/mail', 'a/b/c'],
    [/letters, digits, dots and hyphens, such as mail\/postrider/],
  ],
  KAFKA_TOPIC_PREFIX: [['a b', 'mail/', 'x'.repeat(201)], [/letters, digits, '\.', '_' and '-', at most 200/]],
}

/** Any text is possible; a file that does not exist is reported when it is opened. */
const free = [
  'POSTRIDER_DATA',
  'POSTRIDER_WIRE_CA',
  'POSTRIDER_WIRE_CERT',
  'POSTRIDER_WIRE_KEY',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
]

const isNumber = ({ type }: Json): boolean => type === 'number' || type === 'integer'

/** The largest safe integer is not a range that helps an operator. */
const maxOf = ({ maximum }: Json): number | null =>
  maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum

describe('error of a setting', () => {
  it('is defined here for every setting of every program', () => {
    const unknown = settings.flatMap(({ name, json }) =>
      isNumber(json) || json.enum || name in texts || free.includes(name) ? [] : name,
    )
    assert.deepEqual(unknown, [])
  })

  for (const { program, name, config, json } of settings) {
    if (isNumber(json))
      it(`names the range of ${name} of ${program}, once`, () => {
        const [min, max] = [json.minimum ?? 0, maxOf(json)]
        const range = max === null ? new RegExp(`, ${min} or more$`) : new RegExp(`, ${min} to ${max}\\b`)
        const outside = [min - 1, -1e9, ...(max === null ? [] : [max + 1, 1e12])].map(String)
        const fraction = json.type === 'integer' ? [`${min + 1}.5`] : []
        for (const value of ['many', '10 MiB', '1,000', '1-25', 'NaN', 'Infinity', ...outside, ...fraction]) {
          const errors = errorsOf(config, name, value)
          assert.equal(errors.length, 1, `${value}: ${errors}`)
          assert.match(errors[0] ?? '', range, value)
        }
        for (const value of [min, ...(max === null ? [] : [max])])
          assert.deepEqual(errorsOf(config, name, String(value)), [])
      })

    if (json.enum)
      it(`names the values of ${name} of ${program}`, () => {
        for (const value of ['other', json.enum?.[0]?.toUpperCase() ?? '', ' '])
          for (const word of json.enum ?? [])
            assert.match(errorsOf(config, name, value)[0] ?? '', new RegExp(`\\b${word}\\b`))
        for (const word of json.enum ?? []) assert.doesNotMatch(errorsOf(config, name, word).join(), /must be/)
      })

    const [wrong = [], expected = []] = texts[name] ?? []
    if (wrong.length > 0)
      it(`shows the form of ${name} of ${program}`, () => {
        for (const value of wrong) {
          const errors = errorsOf(config, name, value)
          assert.equal(errors.length, 1, `${value}: ${errors}`)
          for (const pattern of expected) assert.match(errors[0] ?? '', pattern, value)
        }
      })
  }

  for (const [variable, urls] of Object.entries({
    MONGODB_URL: ['mongodb://user:pa/ss@host', 'mongodb://user:pa#ss@host', 'mongodb://user:pa?ss@host/x'],
    REDIS_URL: ['redis://:pa/ss@host', 'redis://:pa#ss@host', 'redis://:pa%ss@host'],
  }))
    it(`names the encoding of a login of ${variable} that is read wrongly`, () => {
      for (const url of urls) assert.match(errorsOf(clusterConfigs.accounts, variable, url)[0] ?? '', encodes, url)
    })

  it('shows an example that is valid', () => {
    for (const { name, config } of settings)
      for (const value of ['', ...(texts[name]?.[0] ?? [])]) {
        const [, example] =
          /such as ([^\s;,]+)|for example ([^\s;]+)/.exec(errorsOf(config, name, value)[0] ?? '') ?? []
        if (example === undefined || example.startsWith('"')) continue
        assert.ok((config.shape[name] as z.ZodType).safeParse(example).success, `${name}=${example}`)
      }
  })
})
