import assert from 'node:assert/strict'
import { type HostName, hostNamesIn, watchNames } from './names.ts'

describe('names of a configuration', () => {
  for (const [variable, value, expected] of [
    ['MONGODB_URL', 'mongodb://ada:pw@one:27017,two.example/db?w=1', ['one', 'two.example']],
    ['MONGODB_URL', 'mongodb+srv://cluster.example/db', ['cluster.example']],
    ['MONGODB_URL', 'mongodb://10.0.0.7:27017,[::1]:27017', []],
    ['MONGODB_URL', 'mongodb://%2Ftmp%2Fmongodb.sock/db', []],
    ['REDIS_URL', 'rediss://:pw@redis.example:6379/1', ['redis.example']],
    ['REDIS_URL', 'redis://localhost', []],
    ['KAFKA_BROKERS', ['k1:9092', 'k2.example:9092'], ['k1', 'k2.example']],
    ['POSTRIDER_QUOTA', 'quota-0.quota:50051, quota-1.quota:50051', ['quota-0.quota', 'quota-1.quota']],
    ['POSTRIDER_INTAKE', '127.0.0.1:9,[::1]:9', []],
    ['POSTRIDER_ROUTE', { kind: 'smtp', host: 'relay.example', port: 587 }, ['relay.example']],
    ['POSTRIDER_ROUTE', { kind: 'mailbox' }, []],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318', ['collector']],
  ] as const)
    it(`are ${expected.join(' and ') || 'none'} for ${variable} ${JSON.stringify(value)}`, () => {
      const names = hostNamesIn({ [variable]: value, PORT: 8_080 })
      assert.deepEqual(
        names.map(({ name }) => name),
        expected,
      )
      for (const one of names) assert.equal(one.variable, variable)
    })

  it('marks a name whose SRV records are looked up', () => {
    assert.deepEqual(hostNamesIn({ MONGODB_URL: 'mongodb+srv://cluster.example' }), [
      { variable: 'MONGODB_URL', name: 'cluster.example', isSrv: true },
    ])
  })
})

describe('watch of names', () => {
  const names: HostName[] = [
    { variable: 'MONGODB_URL', name: 'mongo' },
    { variable: 'KAFKA_BROKERS', name: 'kafka' },
  ]
  const failure = (code: string): Error => Object.assign(new Error(`getaddrinfo ${code}`), { code })

  /** Runs as many rounds as there are answers for `mongo`, and returns the lines of the log. */
  const lines = async (answers: readonly (() => Promise<unknown>)[], answerMs = 60_000): Promise<object[]> => {
    const logged: object[] = []
    const note = (level: string) => (fields: object, text: string) => void logged.push({ level, ...fields, text })
    const done = Promise.withResolvers<void>()
    const stopping = new AbortController()
    let round = 0
    const resolve = async ({ name }: HostName): Promise<unknown> => {
      if (name === 'kafka') return 'found'
      const answer = answers[round++]
      if (answer) return answer()
      done.resolve()
      return new Promise(() => {})
    }
    const log = { info: note('info'), warn: note('warn') } as never
    const watch = watchNames({ log, names, stopping: stopping.signal, resolve, answerMs, delayMs: () => 0 })
    // The timers of the watch do not keep this process alive.
    const alive = setInterval(() => {}, 1_000)
    await done.promise
    clearInterval(alive)
    stopping.abort()
    await watch[Symbol.asyncDispose]()
    return logged
  }
  const mongo = { variable: 'MONGODB_URL', name: 'mongo' }
  const found = async (): Promise<string> => 'found'
  const missing = (code: string) => async (): Promise<never> => {
    throw failure(code)
  }

  it('logs a name that does not resolve once per error, with its variable, and logs that it resolves again', async () => {
    const answers = [
      missing('ENOTFOUND'),
      missing('ENOTFOUND'),
      missing('EAI_AGAIN'),
      found,
      found,
      missing('ENOTFOUND'),
    ]
    assert.deepEqual(await lines(answers), [
      { level: 'info', ...mongo, error: 'ENOTFOUND', text: 'name does not resolve' },
      { level: 'info', ...mongo, error: 'EAI_AGAIN', text: 'name does not resolve' },
      { level: 'info', ...mongo, text: 'name resolves again' },
      { level: 'warn', ...mongo, error: 'ENOTFOUND', text: 'name does not resolve' },
    ])
  })

  it('logs nothing while every name resolves', async () => {
    assert.deepEqual(await lines([found, found]), [])
  })

  it('reports a name server that does not answer, with one lookup at a time, and stops without its answer', async () => {
    const logged = Promise.withResolvers<object>()
    let lookups = 0
    const hang = (): Promise<never> => {
      lookups += 1
      return new Promise(() => {})
    }
    const note = (fields: object) => logged.resolve(fields)
    const stopping = new AbortController()
    const alive = setInterval(() => {}, 1_000)
    const watch = watchNames({
      log: { info: note, warn: note } as never,
      names: names.slice(0, 1),
      stopping: stopping.signal,
      resolve: hang,
      answerMs: 1,
      delayMs: () => 0,
    })
    assert.deepEqual(await logged.promise, { ...mongo, error: 'timeout' })
    stopping.abort()
    await watch[Symbol.asyncDispose]()
    clearInterval(alive)
    assert.equal(lookups, 1)
  })
})
