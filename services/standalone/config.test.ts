import assert from 'node:assert/strict'
import {
  accountsSpec,
  domainsSpec,
  intakeSpec,
  quotaSpec,
  templatesSpec,
  webhooksSpec,
} from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { Config as Prepare } from '@postrider/prepare/config.ts'
import type { z } from 'zod'
import { clusterConfigs, Config as Standalone } from './config.ts'

const programs: Record<string, z.ZodObject> = { standalone: Standalone, ...clusterConfigs, prepare: Prepare }

describe('configuration errors', () => {
  const secret = 'hunter2'
  const wrong: Record<string, string> = {
    MONGODB_URL: `postgres://user:${secret}@db`,
    REDIS_URL: `http://:${secret}@redis`,
    POSTRIDER_WIRE_TOKEN: `too short,${secret}`,
    POSTRIDER_SECRET: secret,
    POSTRIDER_OPERATOR_TOKEN: secret,
    POSTRIDER_ROUTE: `smtp://user:${secret}@relay:0/path`,
    KAFKA_SASL: 'plain',
    KAFKA_PASSWORD: secret,
  }

  for (const [name, config] of Object.entries(programs)) {
    it(`name every wrong variable of ${name} and no secret`, () => {
      const read = readConfig(config, wrong)
      assert.ok('errors' in read)
      const secrets = Object.keys(wrong).filter((variable) => variable in config.shape && variable !== 'KAFKA_PASSWORD')
      for (const variable of secrets) {
        assert.ok(
          read.errors.some((error) => error.startsWith(`${variable}: `)),
          variable,
        )
      }
      assert.doesNotMatch(read.errors.join('\n'), new RegExp(secret))
    })
  }

  // Regression: a `#` in the password of REDIS_URL used to end the process with the URL and its password.
  const canary = 'canary7'
  const unsafe = [
    '#',
    '/',
    '?',
    '@',
    '%',
    ':',
    ' ',
    '[',
    '\\',
    ';',
    ',',
    '&',
    '=',
    '"',
    '<',
    '\n',
    'é',
    '%zz',
    '#@',
    '/@',
  ]
  const passwords = unsafe.flatMap((sign) => [
    `${canary}${sign}`,
    `${sign}${canary}`,
    `a${sign}${canary}`,
    `9${sign}${canary}`,
  ])
  const urls = (scheme: string): string[] => [
    ...passwords.flatMap((password) => [
      `${scheme}://:${password}@host:1`,
      `${scheme}://user:${password}@host:1`,
      `${scheme}://user:${password}@host`,
      `${scheme}://${password}@host:1`,
      `${scheme}://user:${password}`,
      `${scheme}:user:${password}@host`,
      `${scheme}://user:${password}@`,
      `${scheme}://user:${password}@:1`,
      `${scheme}://user:${password}@host:port`,
      `${scheme}://user:${password}@host:99999`,
      `user:${password}@host:1`,
      ` ${scheme}://user:${password}@host:1`,
    ]),
    ...[`${canary}`, `${scheme}://${canary}:port`, `${scheme}://host/${canary}/x`, `${scheme}://host#${canary}`],
  ]
  const malformed: Record<string, string[]> = {
    MONGODB_URL: [...urls('mongodb'), ...urls('mongodb+srv'), ...urls('postgres')],
    REDIS_URL: [...urls('redis'), ...urls('rediss'), ...urls('http')],
    POSTRIDER_ROUTE: [...urls('smtp'), ...urls('smtps'), ...urls('mailto'), `mailbox:${canary}`],
    POSTRIDER_WIRE_TOKEN: passwords,
    POSTRIDER_WIRE_TOKEN_GATEWAY: passwords,
    POSTRIDER_WIRE_TOKEN_INTAKE: passwords,
    POSTRIDER_WIRE_TOKEN_ACCOUNTS: passwords,
    POSTRIDER_SECRET: passwords,
    POSTRIDER_OPERATOR_TOKEN: passwords.map((password) => password.slice(0, 15)),
    KAFKA_BROKERS: passwords.flatMap((password) => [`user:${password}@kafka:9092`, `${password}@kafka:9092`, password]),
    POSTRIDER_ACCOUNTS: passwords.map((password) => `${password}@accounts`),
  }

  /** Every other variable of a program, with a text that a person might paste into the wrong line. */
  const pasted = (config: z.ZodObject): Record<string, string[]> =>
    Object.fromEntries(Object.keys(config.shape).map((name) => [name, malformed[name] ?? [`${canary} x`]]))

  for (const [name, config] of Object.entries(programs))
    it(`contain no part of a malformed value: ${name}`, () => {
      for (const [variable, values] of Object.entries(pasted(config)))
        for (const value of values) {
          const read = readConfig(config, { [variable]: value })
          const errors = 'errors' in read ? read.errors : []
          assert.ok(!errors.join('\n').includes(canary), `${variable}=${value}: ${errors.join('\n')}`)
        }
    })

  /** The host that a driver would connect to, and log, must be the one after the login. */
  it('refuse a URL in which a part of the password would be read as a host or a path', () => {
    for (const variable of ['MONGODB_URL', 'REDIS_URL', 'POSTRIDER_ROUTE'])
      for (const scheme of { MONGODB_URL: ['mongodb'], REDIS_URL: ['redis'], POSTRIDER_ROUTE: ['smtp'] }[variable] ??
        [])
        for (const sign of ['#', '/', '?'])
          for (const password of [`${canary}${sign}x`, `25${sign}${canary}`, `${sign}${canary}`]) {
            const value = `${scheme}://user:${password}@host`
            const schema = variable === 'POSTRIDER_ROUTE' ? clusterConfigs.dispatcher : clusterConfigs.accounts
            const read = readConfig(schema, { [variable]: value })
            assert.ok('errors' in read && read.errors.some((error) => error.startsWith(variable)), value)
          }
  })
})

describe('identity of callers', () => {
  const specs = {
    accounts: accountsSpec,
    templates: templatesSpec,
    quota: quotaSpec,
    intake: intakeSpec,
    domains: domainsSpec,
    webhooks: webhooksSpec,
  }
  const complete = {
    MONGODB_URL: 'mongodb://host',
    REDIS_URL: 'redis://host',
    KAFKA_BROKERS: 'kafka:9092',
    POSTRIDER_QUOTA: 'quota:50051',
    POSTRIDER_TEMPLATES: 'templates:50051',
    POSTRIDER_INTAKE: 'intake:50051',
    POSTRIDER_PUBLIC_URL: 'https://mail.example.com',
    POSTRIDER_SECRET: 'a-secret-of-at-least-32-characters',
  }

  for (const [service, { callers }] of Object.entries(specs)) {
    const config: z.ZodObject = clusterConfigs[service as keyof typeof specs]

    // templates once read no token of a caller: it started without an error, and refused every call.
    it(`is the token of each caller for ${service}`, () => {
      for (const caller of Object.keys(callers))
        assert.ok(`POSTRIDER_WIRE_TOKEN_${caller.toUpperCase()}` in config.shape, caller)
    })

    it(`is required by ${service}`, () => {
      const read = readConfig(config, complete)
      assert.deepEqual('errors' in read && read.errors, [
        'POSTRIDER_WIRE_TOKEN: must be set, with at least 32 characters',
      ])
    })
  }
})

describe('URL of a back end', () => {
  const canary = 'canary7'
  const valid: [name: 'MONGODB_URL' | 'REDIS_URL', value: string][] = [
    ['REDIS_URL', 'redis://host'],
    ['REDIS_URL', 'redis://host:6379/13'],
    ['REDIS_URL', 'redis://host:6379/?family=6'],
    ['REDIS_URL', 'redis://:password@host:6379'],
    ['REDIS_URL', 'rediss://user:p%40ss%2Fw%23rd@redis_1.mail.svc:6379/0'],
    ['REDIS_URL', 'redis://:p@ss:word@host'],
    ['REDIS_URL', 'redis://[::1]:6379'],
    ['REDIS_URL', 'redis://host:6379\n'],
    ['MONGODB_URL', 'mongodb://host'],
    ['MONGODB_URL', 'mongodb://user:p%40ss@a:1,b:2,c/postrider?replicaSet=rs0&authSource=admin'],
    ['MONGODB_URL', 'mongodb+srv://user:password@cluster0.example.net/mail-1?retryWrites=true&w=majority'],
    ['MONGODB_URL', 'mongodb://host:27017/?tls=true'],
    ['MONGODB_URL', 'mongodb://host:27017?tls=true'],
    ['MONGODB_URL', 'mongodb://[::1]:27017/db'],
    ['MONGODB_URL', 'mongodb://host:65535/db'],
    ['MONGODB_URL', 'mongodb://%2Ftmp%2Fmongodb-27017.sock/db'],
    ['MONGODB_URL', 'mongodb://user@host/?authMechanism=MONGODB-X509'],
  ]
  for (const [name, value] of valid)
    it(`may be ${JSON.stringify(value)}`, () => {
      assert.equal(clusterConfigs.accounts.shape[name].parse(value), value.trim())
    })

  // Regression: these passed, and the driver ended the process with 1 instead of 2.
  it('is refused without its password if the driver would refuse its hosts', () => {
    for (const hosts of ['host:99999', 'a:27017,b:65536', '[::1]:70000'])
      for (const scheme of ['mongodb', 'mongodb+srv']) assertRefused(`${scheme}://user:${canary}@${hosts}`)
    for (const hosts of ['host.mail.example:27017', 'a.mail.example,b.mail.example'])
      assertRefused(`mongodb+srv://user:${canary}@${hosts}/db`)
  })

  const assertRefused = (value: string): void => {
    const read = readConfig(clusterConfigs.accounts, { MONGODB_URL: value })
    assert.ok('errors' in read, value)
    assert.ok(
      read.errors.some((error) => error.startsWith('MONGODB_URL: must be such as mongodb://')),
      value,
    )
    assert.ok(!read.errors.join('\n').includes(canary), value)
  }

  it('is refused with the way to write special characters', () => {
    const read = readConfig(clusterConfigs.accounts, { REDIS_URL: 'redis://:pa#ss@host' })
    assert.ok('errors' in read)
    const error = read.errors.find((one) => one.startsWith('REDIS_URL')) ?? ''
    assert.match(error, /must be such as redis:.*as %23, %2F, %3F, %40 and %25/)
  })
})
